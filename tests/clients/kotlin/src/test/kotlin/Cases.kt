import handset.client.Marker
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import java.io.File
import java.math.BigDecimal

/** The conformance cases and the texts of the spec, read by the platform alone: not a line of what is tested is used. */
object Cases {
    private val specs = File(checkNotNull(System.getenv("HANDSET_SPECS")) { "HANDSET_SPECS is not set: run by Maven" })

    val loop: JsonObject = read("loop.json")

    /** The cases of a suite, every number as it is written. */
    fun of(suite: String): List<JsonObject> {
        val cases = read("conformance/$suite.json").getValue("cases").jsonArray.map { it.jsonObject }
        assertTrue(cases.isNotEmpty(), "$suite has no cases")
        return cases
    }

    private fun read(path: String): JsonObject = Json.parseToJsonElement(specs.resolve(path).readText()).jsonObject

    /** A text with its holes filled, rendered from loop.json. */
    fun text(
        section: String,
        key: String,
        holes: Map<String, String> = emptyMap(),
    ): String {
        val texts =
            loop
                .getValue(section)
                .jsonObject
                .getValue("texts")
                .jsonObject
        return Regex("\\{\\{(\\w+)}}").replace(texts.text(key)) { holes[it.groupValues[1]].orEmpty() }
    }
}

/** A test of a case, which says its name where it fails. */
fun case(
    case: JsonObject,
    body: (JsonObject) -> Unit,
): DynamicTest =
    dynamicTest(case.text("name")) {
        try {
            body(case)
        } catch (error: AssertionError) {
            throw AssertionError("${case.text("name")}: ${error.message}", error)
        }
    }

fun JsonObject.text(key: String): String = getValue(key).jsonPrimitive.content

/** JSON with every number as it is written; what Kotlin's own writer would round, too. */
fun written(value: JsonElement): String =
    when (value) {
        is JsonNull -> "null"
        is JsonPrimitive -> if (value.isString) value.toString() else value.content
        is JsonArray -> value.joinToString(",", "[", "]", transform = ::written)
        is JsonObject -> value.entries.joinToString(",", "{", "}") { (key, each) -> "${JsonPrimitive(key)}:${written(each)}" }
    }

/** A value that is compared exactly: a number by its value, an object without an order. */
fun plain(value: JsonElement): Any? =
    when (value) {
        is JsonNull -> {
            null
        }

        is JsonPrimitive -> {
            when {
                value.isString -> value.content
                value.content == "true" || value.content == "false" -> value.content.toBoolean()
                else -> number(value.content)
            }
        }

        is JsonArray -> {
            value.map(::plain)
        }

        is JsonObject -> {
            value.mapValues { (_, each) -> plain(each) }
        }
    }

/** Sign, digits and power of ten: `BigDecimal` would take `1e-300000000000` for no number. */
private fun number(text: String): Any {
    val value = runCatching { BigDecimal(text) }.getOrNull() ?: return "number $text"
    return if (value.signum() == 0) BigDecimal.ZERO else value.stripTrailingZeros()
}

fun markers(expect: JsonObject): List<Pair<String, String?>> =
    expect.getValue("markers").jsonArray.map { each ->
        each.jsonObject.text("kind") to each.jsonObject["argument"]?.jsonPrimitive?.content
    }

fun plain(markers: List<Marker>): List<Pair<String, String?>> = markers.map { it.kind.key to it.argument }
