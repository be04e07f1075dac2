import Foundation
import HandsetClient
import XCTest

/// JSON, settings, and what a newer server sends.
final class PackageTests: XCTestCase {
  func testNumbersKeepTheirValue() throws {
    for (written, text, int) in [
      ("60", "60", 60), ("60.0", "60", 60), ("6e1", "60", 60), ("0.6e2", "60", 60), ("-0", "0", 0),
      ("1e00000000000000000000000005", "100000", 100000), ("0e999999999999999999999", "0", 0),
      ("9007199254740993", "9007199254740993", 9_007_199_254_740_993), ("605e-1", "605e-1", nil),
      ("0.1", "0.1", nil),
      ("123456789012345678901234567890", "123456789012345678901234567890", nil),
      ("1e-400", "1e-400", nil), ("1.7976931348623158e308", "1.7976931348623158e308", nil),
    ] as [(String, String, Int?)] {
      let number = try XCTUnwrap(try Json(text: written).number)
      XCTAssertEqual(number.text, text)
      XCTAssertEqual(number.int, int, written)
    }
    XCTAssertEqual(try Json(text: "605e-1"), 60.5)
    XCTAssertNotEqual(try Json(text: "9007199254740993"), try Json(text: "9007199254740992"))
    for tooLarge in [
      "1e309", "-1e309", "1.8e308", "1e99999999999999999999",
      "9" + String(repeating: "0", count: 309),
    ] {
      XCTAssertThrowsError(try Json(text: tooLarge), tooLarge)
    }
    XCTAssertNil(Json(Double.infinity))
    let two = 2.0
    XCTAssertEqual(Json(two)?.description, "2")
  }

  func testWhatIsNoJsonSaysWhere() {
    for (text, at) in [
      ("", 1), ("{", 2), ("[1,]", 4), ("01", 2), ("1.", 3), ("-", 2), ("é\"", 1), ("\"é", 3),
      ("\"\\x\"", 2), ("\"\\u12\"", 2), ("tru", 4), ("nul!", 4), ("{\"a\" 1}", 6), ("\"\t\"", 2),
    ] {
      XCTAssertThrowsError(try Json(text: text), text) { error in
        XCTAssertEqual(error as? NotJson, try? XCTUnwrap(error as? NotJson))
        XCTAssertEqual((error as? NotJson)?.at, at, text)
      }
    }
    XCTAssertEqual(try Json(text: #""\ud83d\ude00\u00e9""#).string, "😀é")
    XCTAssertThrowsError(try Json(text: #""\ud83d""#))
  }

  func testKeysAreComparedByTheirCharacters() throws {
    let both = try Json(text: "{\"é\":1,\"e\u{301}\":2,\"a\":3,\"a\":4}")
    XCTAssertEqual(both.members?.count, 3)
    XCTAssertEqual(both["é"], 1)
    XCTAssertEqual(both["e\u{301}"], 2)
    XCTAssertEqual(both["a"], 4)
    XCTAssertEqual(both.description, "{\"é\":1,\"e\u{301}\":2,\"a\":4}")
    XCTAssertNotEqual(Json("é"), Json("e\u{301}"))
    XCTAssertEqual(["a": 1, "b": [2.0]] as Json, ["b": [2], "a": 1])
    XCTAssertNotEqual(["a": 1, "b": 2] as Json, ["a": 2, "b": 1])
  }

  func testNoDepthIsTooDeep() throws {
    let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    let verdicts = readCalls("{\"action\":\"alarm\",\"time\":\"07:30\",\"label\":\(deep)}")
    guard case .call(.alarm(let alarm)) = verdicts.first else {
      return XCTFail("\(verdicts.count)")
    }
    let expected =
      "{\"action\":\"alarm\",\"summary\":\"alarm\",\"time\":\"07:30\",\"label\":\(deep)}"
    XCTAssertEqual(alarm.json.description, expected)
    XCTAssertEqual(alarm.label?.description.count, 200_000)
  }

  func testBytesThatAreNoText() {
    let verdicts = readCalls(utf8: Array("{\"é".utf8) + [0xE2, 0x82])
    guard case .refusal(let refusal) = verdicts[0] else { return XCTFail("a call") }
    assertSame(refusal.text, Texts.Tools.notJson(at: "4"), "the first character that is none")
  }

  func testACallIsTyped() {
    let given = #"{"action":"navigate","destination":{"lat":52.5,"lon":-1,"x":"y"},"mode":"walk"}"#
    guard case .call(.navigate(let call)) = readCalls(given)[0] else { return XCTFail("no call") }
    XCTAssertEqual(call.destination.latitude, 52.5)
    XCTAssertEqual(call.destination.longitude, -1)
    XCTAssertEqual(call.destination.json["x"], "y")
    XCTAssertEqual(call.mode, .walk)
    XCTAssertNil(call.stops)
    XCTAssertEqual(call.summary, "navigate")
  }

  func testSettingsAreClampedAsTheServerClampsThem() {
    let own = Settings()
    let read = changeSettings(own, ["call": ["ring_interval": 0.5, "extra_rings": 1e300]])
    XCTAssertEqual(read.settings.call.ringInterval, 2)
    XCTAssertEqual(read.settings.call.extraRings, 60)
    let clamped = Clamped(path: "call.ring_interval", given: 0.5, used: 2, min: 2, max: 60)
    XCTAssertEqual(read.clamped.first, clamped)
    let low = changeSettings(own, ["voice": ["linger_min": 30]]).settings.voice
    XCTAssertEqual([low.lingerMin, low.lingerMax], [20, 20])
    let high = changeSettings(own, ["voice": ["linger_max": 5]]).settings.voice
    XCTAssertEqual([high.lingerMin, high.lingerMax], [15, 15])
    XCTAssertEqual(changeSettings(own, ["call": ["rings": 1]]).faults[0].path, "call.rings")
    let noTime = changeSettings(own, ["escalation": ["from": "25:00"]])
    XCTAssertEqual(noTime.faults[0].path, "escalation.from")
    XCTAssertEqual(noTime.settings, own)
    XCTAssertEqual(
      changeSettings(read.settings, ["call": ["ring_interval": .null]]).settings.call.ringInterval,
      2)
    XCTAssertEqual(changeSettings(read.settings, .null).settings, own)
    let newer = readSettings(["call": ["ring_interval": 100, "new_knob": 1], "new_section": [:]])
    XCTAssertEqual(newer.settings.call.ringInterval, 60)
    XCTAssertEqual(newer.ignored, ["call.new_knob", "new_section"])
    XCTAssertEqual(readSettings(["voice": ["soft_volume": 0.25]]).settings.voice.softVolume, 0.25)
    XCTAssertEqual(readSettings(["call": ["ring_interval": 3.00049]]).settings.call.ringInterval, 3)
  }

  func testWhatANewerServerSendsIsKept() throws {
    let state = CardState(rawValue: "somewhere_new")
    XCTAssertEqual(state, .unknown("somewhere_new"))
    XCTAssertEqual(state.rawValue, "somewhere_new")
    XCTAssertFalse(state.isKnown)
    XCTAssertTrue(CardState.done.isKnown)
    let event = Event(name: "weather", data: ["rain": true])
    XCTAssertEqual(event.content, .unknown(["rain": true]))
    let laundry: Json = ["action": "fold_laundry", "summary": "Fold it", "shirts": 3]
    XCTAssertEqual(Call(json: laundry), .unknown(UnknownCall(json: laundry)))
    XCTAssertEqual(Call(json: laundry).json, laundry)
    let otherwise: Json = ["action": "timer", "summary": "t", "seconds": "a while"]
    XCTAssertEqual(Call(json: otherwise), .unknown(UnknownCall(json: otherwise)))
    guard
      case .media(let call) = Call(json: ["action": "media", "summary": "m", "command": "shuffle"])
    else { return XCTFail("media") }
    XCTAssertEqual(call.command, .unknown("shuffle"))
  }

  func testRecordsAreCodable() throws {
    let text = """
      {"id":"c","chat":"a","turn":"t","call_id":"1","part":0.0,"device":null,"tool":"phone_action",
      "call":{"action":"torch","summary":"Light","on":true},"summary":"Light","state":"new",
      "message":null,"created_at":"2027-01-01T00:00:00Z","created_at_ms":1796042092548,
      "deadline":"2027-01-01T00:02:00Z","deadline_ms":2,"of_a_newer_server":1}
      """
    let card = try JSONDecoder().decode(Card.self, from: Data(text.utf8))
    XCTAssertEqual(card, try Card(json: Json(text: text)))
    XCTAssertEqual(card.createdAtMs, 1_796_042_092_548)
    XCTAssertEqual(card.state, .unknown("new"))
    guard case .torch(let torch) = card.call else { return XCTFail("\(card)") }
    XCTAssertTrue(torch.on)
    let again = try JSONDecoder().decode(Card.self, from: try JSONEncoder().encode(card))
    XCTAssertEqual(again.id, card.id)
    XCTAssertEqual(try Card(json: card.json), card)
  }
}
