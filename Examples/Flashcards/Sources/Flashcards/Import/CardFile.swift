/// The cards of a file of comma-separated values: a front and a back in each row.
struct CardFile: Sendable {
  struct Entry: Sendable, Equatable {
    let front: String
    let back: String
  }

  static let sizeLimit = 50 << 20
  let entries: [Entry]

  /// - Throws: ``CardError/invalid(field:_:)``, with the numbers of the first invalid rows.
  init(_ bytes: some Collection<UInt8>) throws(CardError) {
    let rows: [CSVParser.Row]
    do {
      rows = try CSVParser.rows(of: bytes)
    } catch {
      throw .invalid(field: "file", "Row \(error.row): \(error.reason)")
    }
    let isHeader = rows.first.map { $0.fields.map { CardText.normalized($0).lowercased() } == ["front", "back"] }
    var entries: [Entry] = []
    var faults: [String] = []
    for row in rows.dropFirst(isHeader == true ? 1 : 0) {
      switch Self.entry(row.fields) {
      case .success(let entry): entries.append(entry)
      case .failure(let fault): faults.append("Row \(row.number): \(fault.reason)")
      }
    }
    if !faults.isEmpty {
      let rest = faults.count > 3 ? " \(faults.count - 3) more rows are wrong." : ""
      throw .invalid(field: "file", faults.prefix(3).joined(separator: " ") + rest + " Nothing was imported.")
    }
    if entries.isEmpty { throw .invalid(field: "file", "The file has no cards.") }
    self.entries = entries
  }

  private struct Fault: Error {
    let reason: String
  }

  private static func entry(_ fields: [String]) -> Result<Entry, Fault> {
    guard fields.count == 2 else {
      let columns = fields.count == 1 ? "1 column" : "\(fields.count) columns"
      return .failure(Fault(reason: "There must be two columns, front and back (has \(columns))."))
    }
    let entry = Entry(front: CardText.normalized(fields[0]), back: CardText.normalized(fields[1]))
    let fault = CardText.fault(in: entry.front, side: "front") ?? CardText.fault(in: entry.back, side: "back")
    return fault.map { .failure(Fault(reason: $0)) } ?? .success(entry)
  }
}
