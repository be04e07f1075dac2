import handset.client.Call
import handset.client.Refusal
import handset.client.Verdict
import handset.client.readAnswer
import handset.client.readCalls
import handset.client.readJson
import handset.client.resultOf
import handset.client.writeJson
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import java.io.File

/** specs/conformance/phone.json, a test a case. */
class PhoneTest {
    @TestFactory
    fun cases(): List<DynamicTest> {
        // What is offered is the server's to decide; a client hears `unavailable`.
        val met = Cases.of("phone").filter { "call" in it || "arguments" in it || "answer" in it }
        println("conformance: ${met.size} phone cases, each a test of its own")
        return met.map { case(it, if ("answer" in it) ::answered else ::read) }
    }

    private fun read(case: JsonObject) {
        val expect = case.getValue("expect").jsonObject
        val expected = expect["calls"]?.jsonArray?.map { it.jsonObject } ?: listOf(expect)
        val call = case["call"]
        val verdicts =
            when {
                call != null -> readCalls(written(call))
                case.getValue("arguments") is JsonNull -> readCalls(null)
                else -> readCalls(case.getValue("arguments"))
            }
        assertEquals(expected.size, verdicts.size)
        verdicts.zip(expected, ::same)
        // As it is parsed already, it says the same.
        if (call != null) same(readCalls(call).single(), expected[0])
    }

    private fun answered(case: JsonObject) {
        val result =
            case
                .getValue("expect")
                .jsonObject
                .getValue("result")
                .jsonObject
        val said = result["message"]?.let { "\n\n" + Cases.text("phone", "says", mapOf("message" to it.jsonPrimitive.content)) }
        val answer = case.getValue("answer") as? JsonObject
        val read = answer?.let { readAnswer(it["status"], it["message"]).result() } ?: resultOf(null)
        assertEquals(Cases.text("phone", result.text("text")) + said.orEmpty(), read)
    }

    /** Random arguments, which the compiled reader has judged already: the same verdicts, byte for byte. */
    @Test
    fun `random arguments get the compiled reader's verdicts`() {
        val path = System.getenv("HANDSET_RANDOM_CALLS")
        assumeTrue(path != null, "HANDSET_RANDOM_CALLS is not set")
        val lines = File(path).readLines()
        for (line in lines) {
            val entry = Json.parseToJsonElement(line).jsonObject
            val verdicts = readCalls(entry.getValue("arguments"))
            val expected = entry.getValue("verdicts").jsonArray.map { it.jsonObject }
            assertEquals(expected.size, verdicts.size, line)
            verdicts.zip(expected) { verdict, each ->
                assertEquals(each["refused"]?.jsonPrimitive?.content, (verdict as? Refusal)?.text, line)
                each["ok"]?.let { assertEquals(plain(it), plain(readJson(writeJson((verdict as Call).toJson()))), line) }
            }
        }
        println("${lines.size} random arguments")
        assertTrue(lines.isNotEmpty())
    }

    @Test
    fun `no depth is too deep`() {
        val deep = "[".repeat(100_000) + "]".repeat(100_000)
        val call = readCalls("""{"action":"alarm","time":"07:30","label":$deep}""").single() as Call
        assertEquals("""{"action":"alarm","summary":"alarm","time":"07:30","label":$deep}""", writeJson(call.toJson()))
    }

    private fun same(
        verdict: Verdict,
        expect: JsonObject,
    ) {
        val call = expect["ok"]
        if (call != null) {
            val passed = verdict as? Call ?: throw AssertionError("refused: $verdict")
            assertEquals(plain(call), plain(passed.toJson()))
            // What is held is exact, so writing it loses nothing, and it is a call of the same type again.
            val again = readJson(writeJson(passed.toJson())) as JsonObject
            assertEquals(plain(call), plain(again))
            assertEquals(passed, Call.of(again))
            return
        }
        val refusal = verdict as? Refusal ?: throw AssertionError("passed: $verdict")
        val refused = expect.getValue("refused").jsonObject
        val section = refused["section"]?.jsonPrimitive?.content ?: "phone"
        assertEquals(refused.text("text"), refusal.key)
        if (section == "tools") {
            val text = Cases.text(section, refusal.key, mapOf("at" to "\u0000"))
            assertTrue(refusal.text.startsWith(text.substringBefore('\u0000')), refusal.text)
            assertTrue(refusal.text.endsWith(text.substringAfter('\u0000', "")), refusal.text)
            return
        }
        val phone = Cases.loop.getValue("phone").jsonObject
        val holes = refused.mapValues { (_, hole) -> hole.jsonPrimitive.content }.toMutableMap()
        holes["field"]?.let { holes.putIfAbsent("what", phone.getValue("what").jsonObject.text(it)) }
        holes.putIfAbsent("actions", phone.getValue("actions").jsonArray.joinToString(", ") { it.jsonPrimitive.content })
        assertEquals(Cases.text(section, refusal.key, holes), refusal.text)
    }
}
