import Foundation

/// Searches for one text in others, as `localizedStandardContains` does.
///
/// Most results follow from the bytes. Foundation decides about texts that may contain the pattern if either is not plain
/// ASCII. On Linux, Foundation also finds a letter that it expands to two in texts with certain other letters: `ß` in `sǰ`, for
/// example. This search does not find such texts.
package final class LocalizedSearch {
  private let pattern: String
  private let folded: [UInt8]
  private let plain: PlainSearch
  /// Whether the folded bytes decide the result for a plain ASCII text.
  private let isPlain: Bool
  /// The folded form of the last text.
  private var scratch: [UInt8] = []

  package init(for pattern: String) {
    var folded: [UInt8] = []
    FoldedText.append(pattern, to: &folded)
    self.folded = folded
    // Accents are ignored beside letters, and Foundation visits all of them at each position of a text. A pattern that consists
    // of accents is cut to the first ones.
    self.pattern = DecomposedText.withFewMarks(pattern)
    plain = PlainSearch(for: folded)
    let isASCII = pattern.utf8.allSatisfy { $0 > 0 && $0 < 0x80 }
    // In some languages the lower case of I is another letter.
    isPlain = isASCII && (!folded.contains(UInt8(ascii: "i")) || "I".localizedStandardContains("i"))
  }

  /// - Parameter bytes: A text in UTF-8; invalid bytes are repaired.
  package func isFound(in bytes: UnsafeRawBufferPointer) -> Bool {
    if pattern.isEmpty { return false }
    // A pattern of accents is found only beside other accents.
    if folded.isEmpty, ByteSearch.isPlain(bytes) { return false }
    if let isFound = plain.isFound(in: bytes) {
      if isPlain || !isFound { return isFound }
      return String(decoding: bytes, as: UTF8.self).localizedStandardContains(pattern)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    scratch.removeAll(keepingCapacity: true)
    FoldedText.append(text, to: &scratch)
    guard scratch.withUnsafeBytes({ ByteSearch.find(folded, in: $0) }) != nil else { return false }
    // Accents are ignored, and Foundation takes quadratic time for them. In a pattern of accents they count.
    return (folded.isEmpty ? text : DecomposedText.withFewMarks(text)).localizedStandardContains(pattern)
  }

  package func isFound(in text: some StringProtocol) -> Bool {
    var text = String(text)
    return text.withUTF8 { isFound(in: UnsafeRawBufferPointer($0)) }
  }
}
