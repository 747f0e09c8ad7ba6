import Relational

/// Comparisons of text by Swift's rules, in forms that can use indexes.
enum TextComparison {
  static func normalized(_ expression: SQLExpression) -> SQLExpression {
    .call(StringFunctions.normalized, [expression])
  }

  static func equal(_ scalar: ScalarTerm, _ text: String) -> SQLTest {
    let canonical = CanonicalText(text)
    if let texts = canonical.equalTexts {
      return scalar.test { column in
        texts.count == 1
          ? .binary(.equal, column, .value(.text(text))) : .isIn(column, texts.map { .text($0) })
      }
    }
    let form = SQLExpression.value(.text(CanonicalText.normalized(text)))
    return scalar.test { narrowed($0, by: canonical, .binary(.equal, normalized($0), form)) }
  }

  /// Whether the text is one of many.
  static func isIn(_ scalar: ScalarTerm, _ texts: [String]) -> SQLTest {
    var bytes: [Value] = []
    var forms: [Value] = []
    bytes.reserveCapacity(texts.count)
    for text in texts {
      let canonical = CanonicalText(text)
      if canonical.isUnmistakable {
        bytes.append(.text(text))
      } else if let equal = canonical.equalTexts {
        bytes += equal.map { .text($0) }
      } else {
        forms.append(.text(CanonicalText.normalized(text)))
      }
    }
    return scalar.test { column in
      if forms.isEmpty { return .isIn(column, bytes) }
      let isForm = SQLExpression.isIn(normalized(column), forms)
      return bytes.isEmpty ? isForm : .binary(.or, .isIn(column, bytes), isForm)
    }
  }

  /// Whether the value is one of some column values.
  static func isIn(_ scalar: ScalarTerm, _ values: [Value]) -> SQLTest {
    guard scalar.kind.isMadeOfText else { return scalar.test { .isIn($0, values) } }
    return isIn(scalar, values.compactMap { if case .text(let text) = $0 { text } else { nil } })
  }

  /// Adds the common prefix of all matching texts to a condition: a range that an index can find.
  static func narrowed(
    _ column: SQLExpression, by text: CanonicalText, _ condition: SQLExpression
  ) -> SQLExpression {
    let prefix = text.stablePrefix
    guard !prefix.isEmpty, case .column = column else { return condition }
    return .binary(.and, .hasPrefix(column, .text(prefix)), condition)
  }
}
