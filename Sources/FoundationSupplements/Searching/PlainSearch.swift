/// Searches for lower case letters in plain ASCII without regard to case.
///
/// It skips bytes that cannot be part of a match (Horspool's method), and changes to another method where that does not help.
struct PlainSearch {
  private let needle: [UInt8]
  /// The distance by which to move the end of the needle, by the byte of the text at that position.
  private let shifts: [UInt8]

  /// - Parameter needle: Without upper case ASCII letters.
  init(for needle: [UInt8]) {
    self.needle = needle
    var shifts = [UInt8](repeating: UInt8(clamping: needle.count), count: 256)
    for (index, byte) in needle.dropLast().enumerated() {
      let shift = UInt8(clamping: needle.count - 1 - index)
      shifts[Int(byte)] = shift
      if (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) { shifts[Int(byte & 0xDF)] = shift }
    }
    self.shifts = shifts
  }

  /// - Returns: nil unless all of `text` is ASCII without zeroes.
  func isFound(in text: UnsafeRawBufferPointer) -> Bool? {
    guard ByteSearch.isPlain(text) else { return nil }
    if needle.isEmpty { return true }
    let last = needle.count - 1
    var end = last
    var effort = 0
    while end < text.count {
      var index = last
      while ByteSearch.lowercased(text[end - last + index]) == needle[index] {
        if index == 0 { return true }
        index -= 1
      }
      effort += last - index
      if effort > 8 * text.count {
        return ByteSearch.withLowercased(text) { ByteSearch.find(needle, in: $0) != nil }
      }
      end += Int(shifts[Int(text[end])])
    }
    return false
  }
}
