/// An expression as text in which only the values are open, so that it can be used again with other values at little
/// cost.
package struct PreparedExpression: Hashable, Sendable {
  /// What stands before the first value, between the values and after the last.
  package let pieces: [String]
  package var values: [Value]
  /// How many expressions stand inside one another.
  let depth: Int
}

extension SQLWriter {
  /// Writes an expression that was prepared for this dialect.
  mutating func write(_ prepared: PreparedExpression) {
    greatestDepth = max(greatestDepth, depth + prepared.depth)
    for (piece, value) in zip(prepared.pieces, prepared.values) {
      write(piece)
      bind(value)
    }
    if let last = prepared.pieces.last { write(last) }
  }

  /// What was written so far.
  var prepared: PreparedExpression {
    var pieces: [String] = []
    var start = sql.startIndex
    for place in places {
      pieces.append(String(sql[start..<sql.utf8.index(sql.startIndex, offsetBy: place.lowerBound)]))
      start = sql.utf8.index(sql.startIndex, offsetBy: place.upperBound)
    }
    pieces.append(String(sql[start...]))
    return PreparedExpression(pieces: pieces, values: parameters, depth: greatestDepth)
  }
}
