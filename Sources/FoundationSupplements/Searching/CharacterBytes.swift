@_spi(_Unicode) import Swift

/// The characters of texts as bytes that are equal where the characters are: each in Unicode's normal form D, with a
/// byte before and after it that UTF-8 does not have.
///
/// A search for bytes, which takes time in proportion to both texts whatever is in them, so is one for characters.
enum CharacterBytes {
  static let boundary: UInt8 = 0xFF

  /// Adds what is before the first character of a text, and each of them with what is after it.
  static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(boundary)
    for character in text { append(character, to: &bytes) }
  }

  /// Adds a character and what is after it.
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
