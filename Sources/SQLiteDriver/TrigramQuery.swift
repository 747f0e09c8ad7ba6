import Relational

/// What FTS5 is asked for a text: sequences of three scalars, all of which a row has to have.
enum TrigramQuery {
  private static let length = TableDefinition.Search.shortestPart
  /// More would find less at more cost.
  private static let greatestCount = 16

  /// - Parameter folded: The text as it is indexed.
  /// - Returns: Nil for a text that is too short to be looked up.
  static func text(of folded: String) -> String? {
    let scalars = Array(folded.unicodeScalars)
    let last = scalars.count - length
    guard last >= 0 else { return nil }
    // Side by side, they have all scalars of the text; the last one may lie over the one before.
    var places = Array(stride(from: 0, to: last, by: length)) + [last]
    if places.count > greatestCount {
      places = (0..<greatestCount).map { places[$0 * (places.count - 1) / (greatestCount - 1)] }
    }
    return places.map { quoted(scalars[$0..<$0 + length]) }.joined(separator: " AND ")
  }

  /// Scalars as a string of FTS5's own language, in which a quotation mark stands twice.
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
