/// The range of texts that begin with a prefix, in the order of their code points (which is that of their UTF-8 bytes).
package struct TextPrefix {
  /// The first text after all texts with the prefix; nil where there is none.
  package let upperBound: String?

  package init(_ prefix: String) {
    var scalars = Array(prefix.unicodeScalars)
    while let last = scalars.popLast() {
      if let next = Self.scalar(after: last) {
        var bound = String.UnicodeScalarView()
        bound.append(contentsOf: scalars)
        bound.append(next)
        upperBound = String(bound)
        return
      }
    }
    upperBound = nil
  }

  private static func scalar(after scalar: Unicode.Scalar) -> Unicode.Scalar? {
    // The code points of surrogates are not scalars and never occur in text.
    scalar.value == 0xD7FF ? "\u{E000}" : Unicode.Scalar(scalar.value + 1)
  }
}
