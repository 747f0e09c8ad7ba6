@_spi(_Unicode) import Swift

/// Encodes the characters of texts so that equal characters have equal bytes: each in Unicode's normal form D, between bytes
/// that do not occur in UTF-8.
///
/// So a search for bytes, which takes linear time for all texts, finds whole characters.
enum CharacterBytes {
  static let boundary: UInt8 = 0xFF

  /// Appends the leading separator, and each character with its trailing separator.
  static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(boundary)
    for character in text { append(character, to: &bytes) }
  }

  /// Appends a character and its trailing separator.
  static func append(_ character: Character, to bytes: inout [UInt8]) {
    let text = String(character)
    if text.utf8.count == 1 {
      bytes.append(contentsOf: text.utf8)
    } else {
      for scalar in DecomposedText.withMarksInOrder(text)._nfd {
        bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
    bytes.append(boundary)
  }
}
