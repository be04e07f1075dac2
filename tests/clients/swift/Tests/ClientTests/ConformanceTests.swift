import Foundation
import HandsetClient
import XCTest

/// The cases of `cases.py`: conformance and random calls.
final class ConformanceTests: XCTestCase {
  private static let cases: [Json] = {
    let url = URL(fileURLWithPath: Given.path("HANDSET_CASES"))
    guard let text = try? String(contentsOf: url, encoding: .utf8) else {
      fatalError("HANDSET_CASES cannot be read")
    }
    return text.split(separator: "\n").compactMap { try? Json(text: String($0)) }
  }()

  private func cases(_ suite: String) -> [Json] {
    let found = ConformanceTests.cases.filter { $0["suite"]?.string == suite }
    XCTAssertFalse(found.isEmpty, "\(suite) has no cases")
    print("conformance: \(found.count) cases of \(suite)")
    return found
  }

  func testPhone() throws {
    for each in cases("phone") { try checkRead(each) }
  }

  func testRandomCalls() throws {
    for each in cases("random") { try checkRead(each) }
  }

  private func checkRead(_ given: Json) throws {
    let name = try XCTUnwrap(given["name"]?.string)
    let arguments = try XCTUnwrap(given["arguments"]?.string)
    let expected = try XCTUnwrap(given["verdicts"]?.array)
    var verdicts = [readCalls(arguments), readCalls(utf8: Array(arguments.utf8))]
    if given["parsed"]?.bool == true { verdicts.append([readCall(try Json(text: arguments))]) }
    for verdicts in verdicts {
      XCTAssertEqual(verdicts.count, expected.count, name)
      for (verdict, each) in zip(verdicts, expected) { check(verdict, each, name) }
    }
  }

  private func check(_ verdict: Verdict, _ expected: Json, _ name: String) {
    switch verdict {
    case .call(let call):
      assertSame(exact(call.json), expected["ok"]?.string ?? "a refusal", name)
      if case .unknown = call { XCTFail("\(name): the call is not known") }
      // What is written is read as the same.
      XCTAssertEqual(try? Json(text: call.json.description), call.json, name)
    case .refusal(let refusal):
      if let key = expected["key"]?.string { XCTAssertEqual(refusal.key, key, name) }
      if let start = expected["starts"]?.string, let end = expected["ends"]?.string {
        XCTAssertTrue(refusal.text.hasPrefix(start) && refusal.text.hasSuffix(end), name)
      } else {
        assertSame(refusal.text, expected["refused"]?.string ?? "a call", name)
      }
    }
  }

  func testAnswers() throws {
    for given in cases("answer") {
      let answer = try given["answer"]?.string.map { readAnswer(try Json(text: $0)) }
      let name = given["name"]?.string ?? ""
      assertSame(result(of: answer), given["result"]?.string ?? "", name)
    }
  }

  func testMarkersWholeAndCutEverywhere() throws {
    for given in cases("markers") {
      let name = given["name"]?.string ?? ""
      let reply = try XCTUnwrap(given["reply"]?.string)
      let markers = given["markers"]?.array?.map { marker in
        let kind = marker["kind"]?.string.flatMap(MarkerKind.init) ?? .hangup
        return Marker(kind: kind, argument: marker["argument"]?.string)
      }
      let expected = (text: given["text"]?.string ?? "", markers: markers ?? [])
      let whole = readReply(reply)
      assertSame(whole.text, expected.text, name)
      XCTAssertEqual(whole.markers, expected.markers, name)
      let scalars = Array(reply.unicodeScalars)
      for cut in 0...scalars.count {
        let read = inPieces([scalars[..<cut], scalars[cut...]])
        assertSame(read.text, expected.text, "\(name), cut at \(cut)")
        XCTAssertEqual(read.markers, expected.markers, "\(name), cut at \(cut)")
      }
      let read = inPieces(scalars.indices.map { scalars[$0...$0] })
      assertSame(read.text, expected.text, name)
      XCTAssertEqual(read.markers, expected.markers, name)
    }
  }

  func testRandomRepliesCutAtRandomSayTheSameAsWhole() {
    var random = Random(state: 7)
    var pieces = "⟪⟫《》【】[]()`: \n\t：⟪⟫[]".unicodeScalars.map { String($0) }
    pieces += ["```", "~~~", "\r\n", "dial", "DIAL", "拨号", "hangup", "dnd:on", "勿扰开", "[hangup]"]
    pieces += ["⟪dial:", "   ```\n", "😀", "\u{212a}", "e\u{301}"]
    pieces.append(String(repeating: "x", count: Marker.maxChars - 6))
    for _ in 0..<2000 {
      let reply = (0..<random.next(24)).map { _ in pieces[random.next(pieces.count)] }.joined()
      let scalars = Array(reply.unicodeScalars)
      let cuts = [0] + (0..<random.next(6)).map { _ in random.next(scalars.count + 1) }.sorted()
      let ends = cuts.dropFirst() + [scalars.count]
      let whole = readReply(reply)
      let read = inPieces(zip(cuts, ends).map { scalars[$0..<$1] })
      assertSame(read.text, whole.text, reply)
      XCTAssertEqual(read.markers, whole.markers, reply)
    }
  }
}

private func inPieces(
  _ pieces: [ArraySlice<Unicode.Scalar>]
) -> (text: String, markers: [Marker]) {
  var scanner = MarkerScanner()
  var scanned: [Scanned] = []
  for piece in pieces {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: piece)
    scanned += scanner.push(String(view))
  }
  var text = String.UnicodeScalarView()
  var markers: [Marker] = []
  for each in scanned + scanner.finish() {
    switch each {
    case .text(let piece): text.append(contentsOf: piece.unicodeScalars)
    case .marker(let marker): markers.append(marker)
    }
  }
  // The stream may have sent trailing blanks; the saved text has none.
  while let last = text.last, last.properties.isWhitespace { text.removeLast() }
  return (String(text), markers)
}

/// The same numbers in every run.
private struct Random {
  var state: UInt64

  mutating func next(_ below: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % below
  }
}

/// A value as `cases.py` writes it.
private func exact(_ value: Json) -> String {
  if let text = value.string { return exact(text) }
  if let number = value.number { return exact(number) }
  if let values = value.array { return "[" + values.map(exact).joined() + "]" }
  if let members = value.members {
    let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    return "{" + sorted.map { exact($0.key) + exact($0.value) }.joined() + "}"
  }
  return value.bool.map { $0 ? "true" : "false" } ?? "null"
}

private func exact(_ text: String) -> String { "s\(text.utf8.count):\(text)" }

private func exact(_ number: Json.Number) -> String {
  let parts = number.text.lowercased().split(separator: "e")
  var power = parts.count > 1 ? Int(parts[1])! : 0
  let mantissa = parts[0].drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
  var digits = mantissa.joined()
  if mantissa.count > 1 { power -= mantissa[1].count }
  while digits.hasSuffix("0") {
    digits.removeLast()
    power += 1
  }
  digits = String(digits.drop { $0 == "0" })
  if digits.isEmpty { return "n0" }
  return "n\(number.text.hasPrefix("-") ? "-" : "")\(digits)e\(power)"
}
