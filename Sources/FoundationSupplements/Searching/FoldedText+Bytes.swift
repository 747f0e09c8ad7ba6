extension FoldedText {
  /// Passes the folded form of a text in UTF-8 to `body`; invalid bytes are repaired.
  ///
  /// - Parameter body: Called once.
  package static func withFolded(_ text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
    if ByteSearch.isPlain(text) { return ByteSearch.withLowercased(text, body) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    append(String(decoding: text, as: UTF8.self), to: &bytes)
    bytes.withUnsafeBytes(body)
  }

  /// Identifies the rules of folding: those in this file, and Unicode's properties in the standard library. Texts that were
  /// folded by other rules cannot be compared.
  ///
  /// Each version of Unicode has more characters than the one before, so their number identifies the version. The planes above
  /// these have ideographs and others that fold to themselves.
  package static let rules: String = {
    let format = 1
    let count = (0...0x1FFFF).count { (value: UInt32) in Unicode.Scalar(value)?.properties.age != nil }
    return "\(format)_\(count)"
  }()
}
