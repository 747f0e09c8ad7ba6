/// Searches for the characters of one text in others, as the standard library's `contains` and `starts(with:)` do.
///
/// Characters are equal when they are canonically equivalent, and a part of a character is not a match: `e` is not in `é`, and
/// a line feed is not in a CR-LF line end.
package final class CharacterSearch {
  private let pattern: String
  private let bytes: [UInt8]
  private let folded: [UInt8]
  private let isASCII: Bool
  /// Whether only the pattern's own bytes are equal to it. Unicode has a second K, semicolon and grave accent.
  private let isStable: Bool
  /// The pattern, encoded by `CharacterBytes`.
  private lazy var characters: [UInt8] = {
    var characters: [UInt8] = []
    CharacterBytes.append(pattern, to: &characters)
    return characters
  }()
  /// The last text, folded or encoded.
  private var scratch: [UInt8] = []

  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  package init(for pattern: String) {
    self.pattern = pattern
    bytes = Array(pattern.utf8)
    isASCII = bytes.allSatisfy { $0 < 0x80 }
    isStable = isASCII && !bytes.contains { [UInt8(ascii: "K"), UInt8(ascii: ";"), UInt8(ascii: "`")].contains($0) }
    var folded: [UInt8] = []
    FoldedText.append(pattern, to: &folded)
    self.folded = folded
  }

  /// - Parameter text: UTF-8; invalid bytes are repaired.
  package func isFound(in text: UnsafeRawBufferPointer) -> Bool {
    if bytes.isEmpty { return true }
    if isASCII {
      var start = 0
      // A match that is not whole characters may overlap the next one, so continuing would read the same bytes repeatedly.
      var effort = 0
      while let found = ByteSearch.find(bytes, in: text, from: start) {
        let isWhole = isWhole(found, in: text)
        if isWhole == true { return true }
        effort += bytes.count
        if isWhole == nil || effort > text.count { return isFoundInCharacters(of: text) }
        start = found + 1
      }
      if isStable || ByteSearch.isASCII(text) { return false }
    }
    return isFoundInCharacters(of: text)
  }

  /// - Parameter text: As for `isFound`.
  package func isBeginning(of text: UnsafeRawBufferPointer) -> Bool {
    if bytes.isEmpty { return true }
    if isStable {
      guard text.starts(with: bytes) else { return false }
      if let isWhole = isWhole(0, in: text) { return isWhole }
    }
    return isBeginningInCharacters(of: text)
  }

  /// Whether a match at a position of a text consists of whole characters; nil where the neighbouring bytes do not decide it.
  private func isWhole(_ place: Int, in text: UnsafeRawBufferPointer) -> Bool? {
    let end = place + bytes.count
    let previous = place > 0 ? text[place - 1] : 0
    let next = end < text.count ? text[end] : 0
    guard previous < 0x80, next < 0x80 else { return nil }
    return !(previous == Self.carriageReturn && bytes.first == Self.lineFeed)
      && !(bytes.last == Self.carriageReturn && next == Self.lineFeed)
  }

  private func isFoundInCharacters(of bytes: UnsafeRawBufferPointer) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    scratch.removeAll(keepingCapacity: true)
    FoldedText.append(text, to: &scratch)
    guard scratch.withUnsafeBytes({ ByteSearch.find(folded, in: $0) }) != nil else { return false }
    scratch.removeAll(keepingCapacity: true)
    CharacterBytes.append(text, to: &scratch)
    return scratch.withUnsafeBytes { ByteSearch.find(characters, in: $0) } != nil
  }

  private func isBeginningInCharacters(of bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = characters.dropFirst()
    for character in String(decoding: bytes, as: UTF8.self) {
      scratch.removeAll(keepingCapacity: true)
      CharacterBytes.append(character, to: &scratch)
      guard rest.starts(with: scratch) else { return false }
      rest = rest.dropFirst(scratch.count)
      if rest.isEmpty { return true }
    }
    return false
  }
}
