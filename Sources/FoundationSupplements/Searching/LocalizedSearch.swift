import Foundation

/// Looks for one text in others, as `localizedStandardContains` does.
///
/// Most texts are answered from their bytes. Foundation is asked about those that may contain the pattern and are, or it
/// is, not plain ASCII. On Linux it also finds letters that it takes for two in texts that have one of these: `ß` in
/// `sǰ`, say. Such texts are not found here.
package final class LocalizedSearch {
  private let pattern: String
  private let folded: [UInt8]
  private let plain: PlainSearch
  /// Whether the folded bytes tell all about a plain ASCII text.
  private let isPlain: Bool
  /// What the last text was folded to.
  private var scratch: [UInt8] = []

  package init(for pattern: String) {
    var folded: [UInt8] = []
    FoldedText.append(pattern, to: &folded)
    self.folded = folded
    // Accents do not count beside letters, and Foundation goes through all of them at each place of a text. Of a pattern
    // of accents alone the first ones have to do.
    self.pattern = DecomposedText.withFewMarks(pattern)
    plain = PlainSearch(for: folded)
    let isASCII = pattern.utf8.allSatisfy { $0 > 0 && $0 < 0x80 }
    // In some languages the small form of I is another letter.
    isPlain = isASCII && (!folded.contains(UInt8(ascii: "i")) || "I".localizedStandardContains("i"))
  }

  /// - Parameter bytes: A text in UTF-8, which is repaired where it is none.
  package func isFound(in bytes: UnsafeRawBufferPointer) -> Bool {
    if pattern.isEmpty { return false }
    // Accents alone are found beside accents only.
    if folded.isEmpty, ByteSearch.isPlain(bytes) { return false }
    if let isFound = plain.isFound(in: bytes) {
      if isPlain || !isFound { return isFound }
      return String(decoding: bytes, as: UTF8.self).localizedStandardContains(pattern)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    scratch.removeAll(keepingCapacity: true)
    FoldedText.append(text, to: &scratch)
    guard scratch.withUnsafeBytes({ ByteSearch.find(folded, in: $0) }) != nil else { return false }
    // Accents do not count, and Foundation takes the square of their number. A pattern of accents alone is another case.
    return (folded.isEmpty ? text : DecomposedText.withFewMarks(text)).localizedStandardContains(pattern)
  }

  package func isFound(in text: some StringProtocol) -> Bool {
    var text = String(text)
    return text.withUTF8 { isFound(in: UnsafeRawBufferPointer($0)) }
  }
}
