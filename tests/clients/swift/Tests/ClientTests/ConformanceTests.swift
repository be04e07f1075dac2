import HandsetClient
import XCTest

/// The cases of `cases.py`: conformance and random calls.
final class ConformanceTests: XCTestCase {
  func testPhone() throws {
    for each in Given.cases("phone") { try checkRead(each) }
  }

  func testRandomCalls() throws {
    for each in Given.cases("random") { try checkRead(each) }
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
    for given in Given.cases("answer") {
      let answer = try given["answer"]?.string.map { readAnswer(try Json(text: $0)) }
      let name = given["name"]?.string ?? ""
      assertSame(result(of: answer), given["result"]?.string ?? "", name)
    }
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
