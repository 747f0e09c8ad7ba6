/// Markup. Interpolated text is escaped, and interpolation is the only way from text to markup.
///
/// ```swift
/// let heading: HTML = "<h2>\(deck.name)</h2>"
/// ```
struct HTML: Hashable, Sendable, ExpressibleByStringInterpolation {
  private(set) var markup: String

  init(stringLiteral value: StaticString) {
    markup = value.description
  }

  init(stringInterpolation: StringInterpolation) {
    markup = stringInterpolation.markup
  }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var markup = ""

    init(literalCapacity: Int, interpolationCount: Int) {
      markup.reserveCapacity(literalCapacity + interpolationCount * 32)
    }

    mutating func appendLiteral(_ literal: StaticString) {
      markup += literal.description
    }

    mutating func appendInterpolation(_ text: String) {
      if text.utf8.contains(where: Self.isSpecial) {
        for scalar in text.unicodeScalars {
          if let entity = Self.entity(for: scalar) { markup += entity } else { markup.unicodeScalars.append(scalar) }
        }
      } else {
        markup += text
      }
    }

    mutating func appendInterpolation(_ number: Int) {
      markup += String(number)
    }

    mutating func appendInterpolation(_ html: HTML) {
      markup += html.markup
    }

    mutating func appendInterpolation(_ parts: [HTML]) {
      for part in parts { markup += part.markup }
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): true
      default: false
      }
    }

    private static func entity(for scalar: Unicode.Scalar) -> String? {
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "'": "&#39;"
      default: nil
      }
    }
  }
}
