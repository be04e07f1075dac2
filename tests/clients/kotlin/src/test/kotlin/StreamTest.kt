import com.sun.net.httpserver.HttpExchange
import com.sun.net.httpserver.HttpServer
import handset.client.ApiError
import handset.client.Flags
import handset.client.FlagsEvent
import handset.client.Handset
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import java.net.InetAddress
import java.net.InetSocketAddress
import java.util.concurrent.CountDownLatch
import java.util.concurrent.Executors
import java.util.concurrent.LinkedBlockingQueue
import kotlin.concurrent.thread

/** The stream of events, over a server that breaks it. */
@Timeout(60)
class StreamTest {
    private val server = HttpServer.create(InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0)
    private val pool = Executors.newCachedThreadPool()
    private val asked = LinkedBlockingQueue<String>()
    private val over = CountDownLatch(1)

    private fun serve(answer: (HttpExchange) -> Unit): Handset {
        server.executor = pool
        server.createContext("/") { exchange ->
            asked.add(exchange.requestURI.toString())
            exchange.use(answer)
        }
        server.start()
        return Handset("http://127.0.0.1:${server.address.port}/", "token")
    }

    private fun HttpExchange.use(answer: (HttpExchange) -> Unit) =
        try {
            answer(this)
        } finally {
            close()
        }

    private fun HttpExchange.send(text: String) {
        responseBody.write(text.toByteArray())
        responseBody.flush()
    }

    @AfterEach
    fun stop() {
        over.countDown()
        server.stop(0)
        pool.shutdownNow()
    }

    @Test
    fun `a stream that breaks is taken up again where it was, until it is closed`() {
        val handset =
            serve { exchange ->
                exchange.sendResponseHeaders(200, 0)
                if ("after=" in exchange.requestURI.query) {
                    exchange.send("event: flags\ndata: {\"dnd\":\ndata: false}\n\n")
                    over.await()
                } else {
                    exchange.send(": hello\n\nid: e:1\r\nevent: flags\r\ndata: {\"dnd\": true}\r\n\r\nevent: flags\ndata: {")
                }
            }
        var opened = 0
        val events = handset.events(device = "a phone", onOpen = { opened++ })
        assertEquals(FlagsEvent(Flags(true), "e:1"), events.next())
        assertEquals(FlagsEvent(Flags(false)), events.next())
        assertEquals(2, opened)
        assertEquals(listOf("/api/events?device=a+phone", "/api/events?device=a+phone&after=e%3A1"), asked.toList())
        // Closed from another thread, while this one waits.
        thread { events.close() }
        assertFalse(events.hasNext())
    }

    @Test
    fun `a refusal is told, and not tried again`() {
        val handset =
            serve { exchange ->
                val body = """{"error": {"code": "unauthorized", "message": "No.", "hint": "Sign in."}}""".toByteArray()
                exchange.sendResponseHeaders(401, body.size.toLong())
                exchange.responseBody.write(body)
            }
        val refused = assertThrows(ApiError::class.java) { handset.events().hasNext() }
        assertEquals(listOf(401, "unauthorized", "Sign in.", "No."), listOf(refused.status, refused.code, refused.hint, refused.message))
        assertEquals(401, assertThrows(ApiError::class.java) { handset.chats() }.status)
        assertEquals(2, asked.size)
    }
}
