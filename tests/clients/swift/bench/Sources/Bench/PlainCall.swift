/// A call as somebody would write it down for Foundation's decoder: every field that an action has, with its type. Nothing
/// of it is checked or cleaned.
struct PlainCall: Decodable {
  struct Place: Decodable {
    let lat: Double?
    let lon: Double?
    let query: String?
    let name: String?
  }

  enum CodingKeys: String, CodingKey {
    case action, summary, time, days, label, seconds, title, start, end, location, notes, to, body
    case cc, subject, number, destination, stops, stop, mode, query, near, app, url, command, on
    case panel, name, values
    case replaceRoute = "replace_route"
  }

  let action: String
  let summary: String?
  let time: String?
  let days: [String]?
  let label: String?
  let seconds: Int?
  let title: String?
  let start: String?
  let end: String?
  let location: String?
  let notes: String?
  let to: [String]?
  let body: String?
  let cc: [String]?
  let subject: String?
  let number: String?
  let destination: Place?
  let stops: [Place]?
  let stop: Place?
  let mode: String?
  let replaceRoute: Bool?
  let query: String?
  let near: String?
  let app: String?
  let url: String?
  let command: String?
  let on: Bool?
  let panel: String?
  let name: String?
  let values: [String: String]?
}
