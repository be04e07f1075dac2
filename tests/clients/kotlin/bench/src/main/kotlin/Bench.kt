import com.networknt.schema.InputFormat
import com.networknt.schema.Schema
import com.networknt.schema.SchemaRegistry
import com.networknt.schema.SpecificationVersion
import handset.client.Call
import handset.client.readCalls
import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.jsonObject
import tools.jackson.databind.ObjectMapper
import java.io.File
import java.lang.management.ManagementFactory

private const val ROUNDS = 81

/** The first rounds are the engine's to warm up in. */
private const val WARM = 40
private const val COUNT = 2000

private val DECODER = Json { ignoreUnknownKeys = true }
private val MAPPER = ObjectMapper()

/**
 * The reader beside kotlinx.serialization and a validator of JSON Schema, over the same calls, in one run; ratios of medians.
 *
 *     mvn compile exec:java -Dexec.args="SCHEMAS CALLS…"
 *
 * SCHEMAS is what `node ../../typescript/schema.js` prints, and each other file has a call a line. What is compared: from
 * text to a call. The decoder makes a value of one class, and neither checks nor cleans anything; the validator, behind
 * Jackson, says yes or no. How often each passes is printed.
 */
fun main(arguments: Array<String>) {
    val schemas = schemas(File(arguments[0]))
    val judges =
        listOf<Pair<String, (String) -> Boolean>>(
            "reader" to { readCalls(it)[0] is Call },
            "kotlinx.serialization" to ::decodes,
            "Jackson and json-schema-validator" to { validates(schemas, it) },
        )
    for (path in arguments.drop(1)) contest(path, judges)
}

private fun schemas(file: File): Map<String, Schema> {
    val registry = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
    return Json.parseToJsonElement(file.readText()).jsonObject.mapValues { (_, schema) ->
        registry.getSchema(schema.toString(), InputFormat.JSON)
    }
}

private fun decodes(text: String): Boolean =
    try {
        DECODER.decodeFromString(PlainCall.serializer(), text)
        true
    } catch (_: SerializationException) {
        false
    }

private fun validates(
    schemas: Map<String, Schema>,
    text: String,
): Boolean {
    val value = MAPPER.readTree(text)
    val schema = schemas[value.path("action").asString("")] ?: return false
    return schema.validate(value).isEmpty()
}

private fun contest(
    path: String,
    judges: List<Pair<String, (String) -> Boolean>>,
) {
    val lines = File(path).readLines()
    val calls = List(COUNT) { lines[it % lines.size] }
    println("\n$path: of $COUNT, " + judges.joinToString("; ") { (name, judge) -> "$name passes ${calls.count(judge)}" })
    val times = judges.map { ArrayList<Long>() }
    for (round in 0 until ROUNDS) {
        for ((at, judge) in judges.withIndex()) {
            val start = processorTime()
            calls.count(judge.second)
            if (round >= WARM) times[at] += (processorTime() - start) / COUNT
        }
    }
    val medians = times.map { it.sorted()[it.size / 2] }
    for ((judge, median) in judges.zip(medians)) {
        val ratio = if (median == medians[0]) "" else "; %.2f times the reader's".format(median.toDouble() / medians[0])
        println("$median ns: ${judge.first}$ratio")
    }
}

/** The processor's time of this thread, so that what else the machine does counts for nobody. */
private fun processorTime(): Long = ManagementFactory.getThreadMXBean().currentThreadCpuTime
