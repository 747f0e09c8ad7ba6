/// Looks for small letters in plain ASCII that may have capital ones as well.
///
/// It skips what cannot be part of a match (Horspool's method), and goes on in another way where that does not help.
struct PlainSearch {
  private let needle: [UInt8]
  /// How far the end of the needle can move on, by the byte of the text that is there.
  private let shifts: [UInt8]

  /// - Parameter needle: Without capital letters of ASCII.
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
