import handset.client.MARKER_MAX_CHARS
import handset.client.Marker
import handset.client.MarkerScanner
import handset.client.Scanned
import handset.client.harmless
import handset.client.readReply
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonObject
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import kotlin.random.Random

/** specs/conformance/markers.json, a test a case; and each reply cut everywhere. */
class MarkersTest {
    @TestFactory
    fun cases(): List<DynamicTest> {
        val suite = Cases.of("markers")
        println("conformance: ${suite.size} marker cases, each a test of its own, cut everywhere")
        return suite.map { case(it, ::read) }
    }

    private fun read(case: JsonObject) {
        val reply = case.text("reply")
        val expect = case.getValue("expect").jsonObject
        val expected = expect.text("text") to markers(expect)
        val whole = readReply(reply)
        assertEquals(expected, whole.text to plain(whole.markers))
        for (cut in 0..reply.length) {
            assertEquals(expected, inPieces(listOf(reply.take(cut), reply.drop(cut))), "cut at $cut")
        }
        assertEquals(expected, inPieces(reply.map(Char::toString)), "unit by unit")
    }

    @Test
    fun `what others say is no marker, however it is repeated`() {
        assertEquals("I [would] write (dial: x) or ( DND：on ).", harmless("I [would] write ⟪dial: x⟫ or 《 DND：on 》."))
        assertEquals("`(hangup)` (dial:(hangup)) (dial: to the end", harmless("`[hangup]` ⟪dial:[hangup]⟫ ⟪dial: to the end"))
        assertEquals("⟪dialling⟫ [hang up] ⟪ ⟫", harmless("⟪dialling⟫ [hang up] ⟪ ⟫"))
        val random = Random(7)
        for (said in Cases.of("markers").map { it.text("reply") } + List(5_000) { reply(random) }) {
            val told = harmless(said)
            assertEquals(told, harmless(told))
            val lines = told.lines().map(String::trim)
            val unfenced = lines.filter { "```" !in it && "~~~" !in it }
            for (repeated in listOf(told, lines.joinToString("\n"), unfenced.joinToString("\n"), "```\n$told\n```\n$told")) {
                assertEquals(emptyList<Marker>(), readReply(repeated).markers) { "$said, repeated as $repeated" }
            }
        }
    }

    private fun reply(random: Random): String = List(random.nextInt(24)) { PIECES.random(random) }.joinToString("")

    @Test
    fun `random replies, cut at random, say the same as whole`() {
        val random = Random(7)
        repeat(20_000) {
            val reply = reply(random)
            val cuts = List(random.nextInt(6)) { random.nextInt(reply.length + 1) }.sorted()
            val cut = (listOf(0) + cuts).zip(cuts + reply.length) { from, to -> reply.substring(from, to) }
            val whole = readReply(reply)
            assertEquals(whole.text to plain(whole.markers), inPieces(cut), cut.toString())
        }
    }

    private fun inPieces(pieces: List<String>): Pair<String, List<Pair<String, String?>>> {
        val scanner = MarkerScanner()
        val events = pieces.flatMap(scanner::push) + scanner.finish()
        val shown = events.filterIsInstance<Scanned.Text>().joinToString("") { it.text }
        val markers: List<Marker> = events.filterIsInstance<Scanned.Found>().map { it.marker }
        // The stream may have sent trailing blanks; the saved text has none.
        return shown.replace(
            Regex("[\\t-\\r \\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}]+$"),
            "",
        ) to
            plain(markers)
    }

    private companion object {
        val LETTERS = "⟪⟫《》【】[]()`: \n\t：⟪⟫[]".map(Char::toString)
        val WORDS = listOf("```", "~~~", "\r\n", "dial", "DIAL", "拨号", "hangup", "dnd:on", "勿扰开", "[hangup]", "⟪dial:", "   ```\n")

        /** What a reply may be made of. */
        val PIECES = LETTERS + WORDS + listOf("😀", "\u212a", "x".repeat(MARKER_MAX_CHARS - 6))
    }
}
