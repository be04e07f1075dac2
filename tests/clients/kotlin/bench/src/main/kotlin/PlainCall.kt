import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** A place as it is written down for a decoder. */
@Serializable
data class PlainPlace(
    val lat: Double? = null,
    val lon: Double? = null,
    val query: String? = null,
    val name: String? = null,
)

/**
 * A call as somebody would write it down for kotlinx.serialization: every field that an action has,
 * with its type. Nothing of it is checked or cleaned.
 */
@Serializable
data class PlainCall(
    val action: String,
    val summary: String? = null,
    val time: String? = null,
    val days: List<String>? = null,
    val label: String? = null,
    val seconds: Int? = null,
    val title: String? = null,
    val start: String? = null,
    val end: String? = null,
    val location: String? = null,
    val notes: String? = null,
    val to: List<String>? = null,
    val body: String? = null,
    val cc: List<String>? = null,
    val subject: String? = null,
    val number: String? = null,
    val destination: PlainPlace? = null,
    val stops: List<PlainPlace>? = null,
    val stop: PlainPlace? = null,
    val mode: String? = null,
    @SerialName("replace_route")
    val replaceRoute: Boolean? = null,
    val query: String? = null,
    val near: String? = null,
    val app: String? = null,
    val url: String? = null,
    val command: String? = null,
    val on: Boolean? = null,
    val panel: String? = null,
    val name: String? = null,
    val values: Map<String, String>? = null,
)
