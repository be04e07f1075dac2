import handset.client.AlarmCall
import handset.client.Answer
import handset.client.AnswerStatus
import handset.client.Call
import handset.client.Card
import handset.client.CardEvent
import handset.client.CardState
import handset.client.Event
import handset.client.Knobs
import handset.client.Mode
import handset.client.NavigateCall
import handset.client.NotJson
import handset.client.Refusal
import handset.client.Settings
import handset.client.Texts
import handset.client.UnknownCall
import handset.client.UnknownEvent
import handset.client.Weekday
import handset.client.changeSettings
import handset.client.readCalls
import handset.client.readJson
import handset.client.readSettings
import handset.client.resultOf
import handset.client.settingsPatch
import handset.client.writeJson
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Test

/** Settings, and what a newer server sends. */
class PackageTest {
    private val card =
        """
        {"id": "c", "chat": "a", "turn": "t", "call_id": "1", "part": 0, "device": null, "tool": "phone_action",
         "call": {"action": "alarm", "summary": "Wake", "time": "07:30", "days": ["mon", "someday"]}, "summary": "Wake",
         "state": "pending", "message": null, "created_at": "2027-01-01T00:00:00Z", "created_at_ms": 1,
         "deadline": "2027-01-01T00:02:00Z", "deadline_ms": 2, "of_a_newer_server": 1}
        """.trimIndent()

    private fun json(text: String): JsonObject = readJson(text) as JsonObject

    @Test
    fun `settings are clamped as the server clamps them`() {
        val own = Settings.DEFAULTS
        val read = changeSettings(own, json("""{"call": {"ring_interval": 0.5, "extra_rings": 1e300}}"""))
        assertEquals(2.0, read.settings[Knobs.Call.RING_INTERVAL])
        assertEquals(60.0, read.settings[Knobs.Call.EXTRA_RINGS])
        val told = read.clamped[0]
        val values: List<JsonElement> = listOf(told.given, told.used, told.min, told.max)
        assertEquals("call.ring_interval" to listOf("0.5", "2", "2", "60"), told.path to values.map { it.toString() })
        val low = changeSettings(own, settingsPatch(Knobs.Voice.LINGER_MIN to 30)).settings
        assertEquals(listOf(20.0, 20.0), listOf(low[Knobs.Voice.LINGER_MIN], low[Knobs.Voice.LINGER_MAX]))
        val high = changeSettings(own, settingsPatch(Knobs.Voice.LINGER_MAX to 5)).settings
        assertEquals(listOf(15.0, 15.0), listOf(high[Knobs.Voice.LINGER_MIN], high[Knobs.Voice.LINGER_MAX]))
        assertEquals("call.rings", changeSettings(own, json("""{"call": {"rings": 1}}""")).faults[0].path)
        assertEquals("escalation.from", changeSettings(own, json("""{"escalation": {"from": "25:00"}}""")).faults[0].path)
        assertEquals(own, changeSettings(read.settings, null).settings)
        assertEquals(own, changeSettings(read.settings, json("""{"call": null}""")).settings)
        // What a newer server sends is kept out of the way and named.
        val newer = readSettings(json("""{"call": {"ring_interval": 100, "new_knob": 1}, "new_section": {}}"""))
        assertEquals(60.0, newer.settings[Knobs.Call.RING_INTERVAL])
        assertEquals(listOf("call.new_knob", "new_section"), newer.ignored)
        for (section in Knobs.SECTIONS) {
            for (knob in section.knobs) assertEquals(knob.default, own[knob])
        }
    }

    @Test
    fun `a card is read and written`() {
        val read = Json.decodeFromJsonElement(Card.serializer(), readJson(card))
        assertEquals(CardState.Known.PENDING, read.state)
        val alarm = assertInstanceOf(AlarmCall::class.java, read.call)
        assertEquals(listOf(Weekday.Known.MON, Weekday.Unknown("someday")), alarm.days)
        val kept = json(card).filterKeys { it != "of_a_newer_server" && it != "device" && it != "message" }
        assertEquals(plain(JsonObject(kept)), plain(Json.encodeToJsonElement(Card.serializer(), read)))
    }

    @Test
    fun `what a newer server sends is kept`() {
        assertEquals(CardState.Unknown("somewhere_new"), CardState.of("somewhere_new"))
        assertEquals("\"somewhere_new\"", Json.encodeToString(CardState.serializer(), CardState.of("somewhere_new")))
        val event = Event.of("weather", json("""{"rain": true}"""))
        assertEquals(UnknownEvent("weather", json("""{"rain": true}""")), event)
        val odd = Event.of("card", json("""{"card": 1}"""), "7")
        assertEquals(UnknownEvent("card", json("""{"card": 1}"""), "7"), odd)
        val shown = Event.of("card", json("""{"chat": "a", "turn": "t", "card": $card, "more": 1}"""), "8")
        assertEquals("Wake", assertInstanceOf(CardEvent::class.java, shown).data.card.summary)
        val laundry = json("""{"action": "fold_laundry", "summary": "Fold it", "how": 0.10}""")
        val unknown = Call.of(laundry)
        assertEquals(UnknownCall(laundry), unknown)
        assertEquals("fold_laundry" to "Fold it", unknown.action to unknown.summary)
        assertEquals("""{"action":"fold_laundry","summary":"Fold it","how":0.10}""", writeJson(unknown.toJson()))
        // A known action whose field has become another thing is kept whole, too.
        val alarm = json("""{"action": "alarm", "summary": "Wake", "time": {"hour": 7}}""")
        assertEquals(UnknownCall(alarm), Call.of(alarm))
        val flown = Call.of(json("""{"action": "navigate", "summary": "Go", "destination": {"name": "N"}, "mode": "fly"}"""))
        assertEquals(Mode.Unknown("fly"), assertInstanceOf(NavigateCall::class.java, flown).mode)
    }

    @Test
    fun `texts are in both languages, and in the first where there is none`() {
        val texts = listOf("en", "zh", "fr").map { Texts.Settings.dnd(it) }
        assertEquals(texts[0], texts[2])
        assertEquals(false, texts[0] == texts[1])
    }

    @Test
    fun `an answer's result is the spec's`() {
        val result = resultOf(Answer(AnswerStatus.of("exploded"), " \u0001 "))
        assertEquals(Cases.text("phone", "failed"), result)
    }

    @Test
    fun `JSON is read strictly, and its numbers exactly`() {
        for (text in listOf("01", "1.", "[1,]", "tru", "'a'", "\"\t\"", "1 2", "", "\u0000", "{\"a\" 1}", "\"\\ud8\"", "1e", "-")) {
            assertThrows(NotJson::class.java, { readJson(text) }, text)
        }
        assertEquals(
            "[60,0,100,1.50,1e-9999999999999999999,12345678901234567890123]",
            writeJson(readJson("[60.0,-0.0,1E+2,1.50,1e-9999999999999999999,12345678901234567890123]")),
        )
        assertEquals(3, assertThrows(NotJson::class.java) { readJson("\"😀") }.at)
    }

    @Test
    fun `arguments that are parsed already are refused as their text is`() {
        val large = readCalls(JsonObject(mapOf("action" to JsonPrimitive("timer"), "seconds" to Json.parseToJsonElement("1e999"))))
        assertEquals("number_too_large", (large.single() as Refusal).key)
        val half = readCalls(JsonObject(mapOf("action" to JsonPrimitive("open_app"), "app" to JsonPrimitive("\ud800"))))
        assertEquals("lone_surrogate", (half.single() as Refusal).key)
    }

    @Test
    fun `what stands over and over is cleaned once, and not written without end`() {
        val wraps =
            listOf<(JsonElement) -> JsonElement>(
                { JsonArray(listOf(it, it)) },
                { JsonObject(mapOf("a" to it, "b" to JsonArray(listOf(it)))) },
            )
        for (wrap in wraps) {
            val shared = (0..60).fold(JsonPrimitive(" x ") as JsonElement) { value, _ -> wrap(value) }
            val given = JsonObject(mapOf("action" to JsonPrimitive("alarm"), "time" to JsonPrimitive("07:30"), "label" to shared))
            val call = assertInstanceOf(AlarmCall::class.java, readCalls(given).single())
            for (value in listOf(given, call.toJson())) assertThrows(IllegalArgumentException::class.java) { writeJson(value) }
            var first = checkNotNull(call.label)
            while (first !is JsonPrimitive) first = if (first is JsonArray) first[0] else (first as JsonObject).getValue("a")
            assertEquals(JsonPrimitive("x"), first)
        }
        // What stands in itself has no end, either.
        val items = ArrayList<JsonElement>()
        val cyclic = JsonArray(items)
        items.add(cyclic)
        assertThrows(IllegalArgumentException::class.java) { writeJson(cyclic) }
        // What is long by itself, or by its texts, does not stand over and over.
        val long = JsonArray(List(150_000) { JsonArray(listOf(JsonPrimitive(1))) })
        assertEquals(2 * 150_000 * 4 + 5, writeJson(JsonArray(listOf(long, long))).length)
        val texts = JsonArray(List(10_000) { JsonPrimitive("x".repeat(1_000)) })
        assertEquals(10_000 * 1_003 + 6, writeJson(JsonArray(listOf(texts, JsonArray(emptyList())))).length)
    }
}
