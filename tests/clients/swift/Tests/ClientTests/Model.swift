import Foundation
import HandsetClient
import XCTest

/// What `cargo spec model` printed, read by the platform alone.
enum Model {
  static func read() throws -> [String: Any] {
    let data = try Data(contentsOf: URL(fileURLWithPath: Given.path("HANDSET_MODEL")))
    return try XCTUnwrap(JSONSerialization.jsonObject(with: data) as? [String: Any])
  }
}

/// The files that the tests are given.
enum Given {
  static func path(_ variable: String) -> String {
    guard let path = ProcessInfo.processInfo.environment[variable] else {
      fatalError("\(variable) is not set: run tests/clients/run")
    }
    return path
  }

  /// The cases of a suite, as `cases.py` wrote them.
  static func cases(_ suite: String) -> [Json] {
    let found = allCases.filter { $0["suite"]?.string == suite }
    XCTAssertFalse(found.isEmpty, "\(suite) has no cases")
    print("conformance: \(found.count) cases of \(suite)")
    return found
  }

  private static let allCases: [Json] = {
    let url = URL(fileURLWithPath: path("HANDSET_CASES"))
    guard let text = try? String(contentsOf: url, encoding: .utf8) else {
      fatalError("HANDSET_CASES cannot be read")
    }
    return text.split(separator: "\n").compactMap { try? Json(text: String($0)) }
  }()
}

extension Dictionary where Key == String, Value == Any {
  func list(_ key: String) -> [[String: Any]] { self[key] as? [[String: Any]] ?? [] }

  func object(_ key: String) -> [String: Any] { self[key] as? [String: Any] ?? [:] }

  func text(_ key: String) -> String { self[key] as? String ?? "" }

  /// A name as the spec has it.
  func snake(_ key: String) -> String { object(key).text("snake") }
}

func assertSame(
  _ one: String, _ other: String, _ what: String, file: StaticString = #filePath, line: UInt = #line
) {
  // By bytes: `==` would take some texts for the same that are not.
  if Array(one.utf8) != Array(other.utf8) {
    XCTFail("\(what): \(one) is not \(other)", file: file, line: line)
  }
}

/// The texts of a section, each to be checked once in each language.
final class ModelTexts {
  private var expected: [String: String] = [:]
  private let section: String

  init(_ section: String) throws {
    self.section = section
    for texts in try Model.read().list("texts") where texts.snake("section") == section {
      for text in texts.list("texts") {
        for wording in text.list("wordings") {
          let language = wording["language"] as? String ?? ""
          let parts = wording.list("parts").map { part in
            part["literal"] as? String ?? "<\(part.snake("hole"))>"
          }
          expected["\(text.snake("key")) \(language)"] = parts.joined()
        }
      }
    }
  }

  func check(_ key: String, _ language: String?, _ text: String) {
    guard let template = expected.removeValue(forKey: "\(key) \(language ?? "")") else {
      return XCTFail("\(section).\(key) is no text of the model")
    }
    assertSame(text, template, "\(section).\(key)")
  }

  func checkAll() {
    XCTAssertEqual(expected.keys.sorted(), [])
  }
}

func checkListed(_ listed: [String: [String]]) throws {
  let phone = try Model.read().object("phone")
  for field in phone.list("listed") {
    let values = field.object("check")["values"] as? [[String: Any]] ?? []
    XCTAssertEqual(listed[field.snake("name")], values.map { $0.text("snake") })
  }
  XCTAssertEqual(ActionName.known.map(\.rawValue), phone.list("actions").map { $0.snake("name") })
  for field in phone.list("checked") {
    let what = field.object("check").text("what")
    assertSame(Spec.what(field.snake("name")) ?? "", what, field.snake("name"))
  }
  XCTAssertEqual(Spec.waitSeconds, phone["wait_seconds"] as? Int)
  XCTAssertEqual(Spec.answerGraceSeconds, phone["answer_grace_seconds"] as? Int)
  XCTAssertEqual(Spec.messageMaxChars, phone["message_max_chars"] as? Int)
  XCTAssertEqual(Spec.capability, phone.text("capability"))
  XCTAssertEqual(Spec.version, try Model.read().text("version"))
}

func checkWords(_ words: [String: [String]]) throws {
  for list in try Model.read().object("wire").list("words") {
    XCTAssertEqual(words[list.snake("name")], list.list("values").map { $0.snake("name") })
  }
}

/// A value of a type of the wire.
private func sample(_ type: [String: Any], _ wire: [String: Any]) throws -> Json {
  switch type.text("is") {
  case "text", "moment": return "é and e\u{301}"
  case "integer": return 7
  case "milliseconds": return 1_796_042_092_548
  case "number": return 0.5
  case "boolean": return true
  case "json": return ["a": [1, .null, "x"]]
  case "words": return "a_word_of_a_newer_server"
  case "call": return ["action": "fold_laundry", "summary": "Fold", "shirts": 3]
  case "settings": return Settings().json
  case "change": return ["call": ["ring_interval": .null]]
  case "list": return [try sample(type.object("of"), wire), try sample(type.object("of"), wire)]
  case "record": return try record(type.snake("name"), wire)
  default:
    XCTFail("\(type) is a type that this test does not know")
    return .null
  }
}

private func record(_ name: String, _ wire: [String: Any]) throws -> Json {
  let record = try XCTUnwrap(wire.list("records").first { $0.snake("name") == name })
  let members = try record.list("members").map {
    (key: $0.snake("name"), value: try sample($0.object("type"), wire))
  }
  return Json(members: members)
}

func checkRecords(_ records: [String: (Json) throws -> Json]) throws {
  let wire = try Model.read().object("wire")
  XCTAssertEqual(wire.list("records").count, records.count)
  for (name, read) in records {
    let whole = try record(name, wire)
    XCTAssertEqual(try read(whole), whole, name)
    // What a newer server adds is left out.
    let newer = Json(members: whole.members! + [(key: "of_a_newer_server", value: 1)])
    XCTAssertEqual(try read(newer), whole, name)
    // What may be left out or null is left out.
    let given = try XCTUnwrap(wire.list("records").first { $0.snake("name") == name })
    for member in given.list("members") {
      let key = member.snake("name")
      let others = whole.members!.filter { $0.key != key }
      let lacking = Json(members: others)
      let null = Json(members: others + [(key: key, value: .null)])
      if member["optional"] as? Bool == true || member["nullable"] as? Bool == true {
        XCTAssertEqual(try read(lacking), lacking, "\(name).\(key)")
        XCTAssertEqual(try read(null), lacking, "\(name).\(key)")
      } else {
        XCTAssertThrowsError(try read(lacking), "\(name).\(key)") { error in
          XCTAssertEqual((error as? NotRead)?.path, key)
        }
      }
    }
  }
}

func checkEvents() throws {
  let wire = try Model.read().object("wire")
  for given in wire.list("events") {
    let name = given.snake("name")
    let data = try record(given.snake("data"), wire)
    let event = Event(id: "7", name: name, data: data)
    let label = String(describing: event.content).prefix { $0 != "(" }
    XCTAssertEqual(String(label), given.object("name").text("camel"))
    let other = Event(name: name, data: [1])
    if !(data.members ?? []).isEmpty {
      XCTAssertEqual(other.content, .unknown([1]), "\(name) of a newer server")
    }
  }
}

func checkSettings(_ typed: [String: Any]) throws {
  let numbers = try Model.read().list("numbers").filter { !$0.list("knobs").isEmpty }
  XCTAssertEqual(Settings.sections.map(\.key), numbers.map { $0.snake("section") })
  for (section, given) in zip(Settings.sections, numbers) {
    checkWords(given.list("label")) { section.label($0) }
    XCTAssertEqual(section.knobs.map(\.key), given.list("knobs").map { $0.snake("key") })
    for (knob, given) in zip(section.knobs, given.list("knobs")) {
      let path = "\(section.key).\(knob.key)"
      XCTAssertEqual(knob.unit.rawValue, given.text("unit"), path)
      for (value, key) in [(knob.initial, "default"), (knob.min, "min"), (knob.max, "max")] {
        XCTAssertTrue(isSame(value, given[key]), "\(path).\(key)")
      }
      XCTAssertEqual(Settings().json[section.key]?[knob.key], knob.initial, path)
      let now = try XCTUnwrap(typed[path], path)
      XCTAssertTrue(isSame(knob.initial, now), "\(path) is \(now)")
      checkWords(given.list("label")) { knob.label($0) }
      checkWords(given.list("help")) { knob.help($0) }
    }
    let pairs = given["pairs"] as? [[[String: Any]]] ?? []
    XCTAssertEqual(
      section.pairs.map { [$0.low, $0.high] }, pairs.map { $0.map { $0.text("snake") } })
  }
}

private func checkWords(_ labels: [[String: Any]], _ said: (Language) -> String) {
  XCTAssertFalse(labels.isEmpty)
  for label in labels {
    assertSame(said(Language(rawValue: label.text("language"))), label.text("text"), "label")
  }
  assertSame(said(.unknown("tlh")), labels[0].text("text"), "label")
}

/// Whether a value is what the platform read.
private func isSame(_ value: Json, _ read: Any?) -> Bool {
  if let number = value.number { return (read as? NSNumber)?.doubleValue == number.double }
  if let string = value.string { return read as? String == string }
  if let bool = value.bool { return (read as? NSNumber)?.boolValue == bool }
  return read == nil || read is NSNull
}

func checkConstants(_ constants: [String: Double]) throws {
  for section in try Model.read().list("numbers") {
    for constant in section.list("constants") {
      let path = "\(section.snake("section")).\(constant.snake("key"))"
      XCTAssertEqual(constants[path], (constant["value"] as? NSNumber)?.doubleValue, path)
    }
  }
  let markers = try Model.read().object("markers")
  XCTAssertEqual(Marker.maxChars, markers["max_chars"] as? Int)
  let delimiters = markers.list("delimiters").map { $0.text("open") + $0.text("close") }
  XCTAssertEqual(Marker.delimiters.map { "\($0.open)\($0.close)" }, delimiters)
  let kinds = markers.list("kinds")
  XCTAssertEqual(MarkerKind.allCases.map(\.rawValue), kinds.map { $0.snake("name") })
  for (kind, given) in zip(MarkerKind.allCases, kinds) {
    XCTAssertEqual(kind.spellings, given.list("spellings").map { $0.text("text") })
    XCTAssertEqual(kind.argument ?? "", given.snake("argument"))
    XCTAssertEqual(kind.perConversation, given["per_conversation"] as? Int)
    assertSame(kind.rule, given.text("rule"), kind.rawValue)
  }
}
