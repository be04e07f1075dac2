// The reader beside Foundation's JSONDecoder, over the same calls, in one run; ratios of medians.
//
//   swift run -c release Bench CALLS…
//
// Each file has a call a line. What is compared: from text to a call. The decoder makes a struct, and neither checks a value
// nor cleans a text; the reader does, and says why not in a sentence of the spec's. How often both pass is printed.

import Foundation
import HandsetClient

let rounds = 41
let count = 2000

/// The processor's time of this process, in nanoseconds.
func processorTime() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

func byReader(_ text: String) -> Bool {
  if case .call = readCalls(text).first { return true }
  return false
}

let decoder = JSONDecoder()

func byDecoder(_ text: String) -> Bool {
  (try? decoder.decode(PlainCall.self, from: Data(text.utf8))) != nil
}

/// No types at all: what the platform takes to read JSON.
func bySerialization(_ text: String) -> Bool {
  (try? JSONSerialization.jsonObject(with: Data(text.utf8))) is [String: Any]
}

let judges = [
  ("reader", byReader), ("JSONDecoder", byDecoder), ("JSONSerialization", bySerialization),
]

for path in CommandLine.arguments.dropFirst() {
  let text = try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
  let lines = text.split(separator: "\n").map(String.init)
  let calls = (0..<count).map { lines[$0 % lines.count] }
  let passed = judges.map { name, judge in "\(name) passes \(calls.filter(judge).count)" }
  print("\n\(path): of \(count), \(passed.joined(separator: "; "))")
  var times = [[UInt64]](repeating: [], count: judges.count)
  for _ in 0..<rounds {
    for (at, (_, judge)) in judges.enumerated() {
      let start = processorTime()
      for call in calls { _ = judge(call) }
      times[at].append((processorTime() - start) / UInt64(count))
    }
  }
  let medians = times.map { $0.sorted()[rounds / 2] }
  for ((name, _), median) in zip(judges, medians) {
    let ratio = (Double(median) / Double(medians[0]) * 100).rounded() / 100
    print("\(median) ns: \(name)\(name == "reader" ? "" : "; \(ratio) times the reader's")")
  }
}
