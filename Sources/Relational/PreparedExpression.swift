/// An expression as text with open values, so that it can be reused with other values at little cost.
package struct PreparedExpression: Hashable, Sendable {
  /// The text before, between and after the values.
  package let pieces: [String]
  package var values: [Value]
  /// The nesting depth of the expressions.
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

  /// The expression that was written so far.
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
