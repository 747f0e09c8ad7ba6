import FoundationSupplements
@_spi(_Unicode) import Swift

/// Canonical forms of a text, for finding all texts that are equal in Swift but have other bytes.
struct CanonicalText {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  /// Whether the text is ASCII, and no other text is equal to it.
  var isUnmistakable: Bool {
    var text = text
    return text.withUTF8 { bytes in
      for byte in bytes where byte >= 0x80 || Self.hasVariants(byte) { return false }
      return true
    }
  }

  private static func hasVariants(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "K") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: "`")
  }

  /// All texts that are equal to this one, if the text is ASCII and there are few.
  var equalTexts: [String]? {
    var forms: [String.UnicodeScalarView] = [.init()]
    for scalar in text.unicodeScalars {
      guard scalar.isASCII else { return nil }
      let variants = Self.variants(of: scalar)
      guard forms.count * variants.count <= 8 else { return nil }
      forms = variants.flatMap { variant in
        forms.map { form in
          var form = form
          form.append(variant)
          return form
        }
      }
    }
    return forms.map { String($0) }
  }

  /// The bytes with which each text begins whose first characters equal this text.
  var stablePrefix: String {
    let ascii = text.unicodeScalars.prefix { $0.isASCII && Self.variants(of: $0).count == 1 }
    guard let next = text.unicodeScalars.dropFirst(ascii.count).first, !next.isASCII else { return String(ascii) }
    // The last letter may form one character with the next scalar, such as an accent.
    return String(ascii.dropLast())
  }

  /// Unicode has second code points for three ASCII characters, which count as equal: KELVIN SIGN, GREEK QUESTION MARK
  /// and GREEK VARIA.
  private static func variants(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    switch scalar {
    case "K": ["K", "\u{212A}"]
    case ";": [";", "\u{37E}"]
    case "`": ["`", "\u{1FEF}"]
    default: [scalar]
    }
  }

  /// The form that all equal texts have in common: Unicode's normal form C.
  static func normalized(_ text: String) -> String {
    // Scalars up to U+02FF are unchanged, and the UTF-8 bytes of the others begin with greater bytes.
    if text.utf8.allSatisfy({ $0 < 0xCC }) { return text }
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: DecomposedText.withMarksInOrder(text)._nfc)
    return String(scalars)
  }
}
