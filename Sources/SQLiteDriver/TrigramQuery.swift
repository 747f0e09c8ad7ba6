import Relational
import SystemSQLite

/// The FTS5 query for a text: sequences of three scalars, all of which a row must have.
enum TrigramQuery {
  private static let length = TableDefinition.Search.shortestPart
  /// More sequences would take longer to compare than they save.
  private static let greatestCount = 16

  /// - Parameter folded: The text as it is indexed.
  /// - Returns: Sequences in the syntax of FTS5; nil for a text that is too short to be looked up.
  static func parts(of folded: String) -> [String]? {
    let scalars = Array(folded.unicodeScalars)
    let last = scalars.count - length
    guard last >= 0 else { return nil }
    // Together the sequences cover all scalars of the text; the last one may overlap the one before it.
    var positions = Array(stride(from: 0, to: last, by: length)) + [last]
    if positions.count > greatestCount {
      positions = (0..<greatestCount).map { positions[$0 * (positions.count - 1) / (greatestCount - 1)] }
    }
    return positions.map { quoted(scalars[$0..<$0 + length]) }
  }

  /// The query for rows that have all of some sequences.
  static func text(of parts: [String]) -> String {
    parts.joined(separator: " AND ")
  }

  /// Scalars as a string in the syntax of FTS5, in which a quotation mark is doubled.
  private static func quoted(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView("\"".unicodeScalars)
    for scalar in scalars {
      text.append(scalar)
      if scalar == "\"" { text.append(scalar) }
    }
    text.append("\"")
    return String(text)
  }
}

/// Estimates how many rows of an index have each sequence, from the first rows that have it.
///
/// FTS5 visits all rows that have one of the sequences in a query, so a sequence that most rows have costs more than it saves.
struct TrigramFrequency {
  private static let sampleSize = 64
  /// The largest ratio between the frequencies of a sequence and of the rarest one: a step in the index costs about a twentieth
  /// of looking up a row.
  private static let greatestRatio = 20.0
  private static let greatestCount = 3

  private struct Sample {
    let part: String
    var count = 0
    var first: Int64 = 0
    var last: Int64 = 0

    /// - Parameter top: The greatest known key.
    func estimate(upTo top: Int64) -> Double {
      if count < sampleSize { return Double(count) }
      return Double(count) * max(1, Double(top) / max(1, Double(last) - Double(first)))
    }
  }

  let connection: OpaquePointer?
  let index: String

  /// The sequences that are selective enough for the query; all of them when the index cannot be read.
  func rarest(of parts: [String]) -> [String] {
    guard parts.count > 1, let samples = samples(of: parts) else { return parts }
    let top = samples.map(\.last).max() ?? 0
    let estimates = samples.map { (part: $0.part, rows: $0.estimate(upTo: top)) }.sorted { $0.rows < $1.rows }
    guard let least = estimates.first?.rows else { return parts }
    return estimates.prefix { $0.rows <= Self.greatestRatio * least }.prefix(Self.greatestCount).map(\.part)
  }

  private func samples(of parts: [String]) -> [Sample]? {
    let name = SQLiteDialect().quoted(index)
    let sql = "SELECT rowid FROM \(name) WHERE \(name) MATCH ? LIMIT \(Self.sampleSize)"
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else { return nil }
    var samples: [Sample] = []
    for part in parts {
      guard let sample = sample(of: part, statement) else { return nil }
      samples.append(sample)
      // No row has all of the sequences.
      if sample.count == 0 { return [sample] }
    }
    return samples
  }

  private func sample(of part: String, _ statement: OpaquePointer?) -> Sample? {
    defer { sqlite3_reset(statement) }
    guard sqlite3_bind_text(statement, 1, part, -1, SQLiteDestructor.transient) == SQLITE_OK else { return nil }
    var sample = Sample(part: part)
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW:
        sample.last = sqlite3_column_int64(statement, 0)
        if sample.count == 0 { sample.first = sample.last }
        sample.count += 1
      case SQLITE_DONE: return sample
      default: return nil
      }
    }
  }
}
