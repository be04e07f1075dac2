import Foundation
import HandsetClient
import XCTest

/// The cases of `cases.py` of the marker scanner, each reply cut everywhere; and random replies.
final class MarkersTests: XCTestCase {
  func testMarkersWholeAndCutEverywhere() throws {
    for given in Given.cases("markers") {
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
    for _ in 0..<2000 {
      let reply = random.reply()
      let scalars = Array(reply.unicodeScalars)
      let cuts = [0] + (0..<random.next(6)).map { _ in random.next(scalars.count + 1) }.sorted()
      let ends = cuts.dropFirst() + [scalars.count]
      let whole = readReply(reply)
      let read = inPieces(zip(cuts, ends).map { scalars[$0..<$1] })
      assertSame(read.text, whole.text, reply)
      XCTAssertEqual(read.markers, whole.markers, reply)
    }
  }

  func testWhatOthersSayIsNoMarkerHoweverItIsRepeated() {
    for (said, told) in [
      ("I [would] write ⟪dial: x⟫ or 《 DND：on 》.", "I [would] write (dial: x) or ( DND：on )."),
      (
        "`[hangup]` ⟪dial:[hangup]⟫ ⟪dial: to the end",
        "`(hangup)` (dial:(hangup)) (dial: to the end"
      ),
      ("⟪dialling⟫ [hang up] ⟪ ⟫", "⟪dialling⟫ [hang up] ⟪ ⟫"),
    ] {
      assertSame(harmless(said), told, said)
    }
    var random = Random(state: 7)
    let replies = Given.cases("markers").compactMap { $0["reply"]?.string }
    for said in replies + (0..<2000).map({ _ in random.reply() }) {
      let told = harmless(said)
      assertSame(harmless(told), told, said)
      let lines = told.components(separatedBy: "\n").map {
        $0.trimmingCharacters(in: .whitespacesAndNewlines)
      }
      let unfenced = lines.filter { !$0.contains("```") && !$0.contains("~~~") }
      for repeated in [
        told, lines.joined(separator: "\n"), unfenced.joined(separator: "\n"),
        "```\n\(told)\n```\n\(told)",
      ] {
        XCTAssertEqual(readReply(repeated).markers, [], "\(said), repeated as \(repeated)")
      }
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

  /// A reply of what replies may be made of.
  mutating func reply() -> String {
    (0..<next(24)).map { _ in Random.pieces[next(Random.pieces.count)] }.joined()
  }

  private static let pieces: [String] = {
    var pieces = "⟪⟫《》【】[]()`: \n\t：⟪⟫[]".unicodeScalars.map { String($0) }
    pieces += ["```", "~~~", "\r\n", "dial", "DIAL", "拨号", "hangup", "dnd:on", "勿扰开", "[hangup]"]
    pieces += ["⟪dial:", "   ```\n", "😀", "\u{212a}", "e\u{301}"]
    pieces.append(String(repeating: "x", count: Marker.maxChars - 6))
    return pieces
  }()
}
