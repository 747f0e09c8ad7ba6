extension FoldedText {
  /// Lends what a text in UTF-8 folds to, which is repaired where it is none.
  ///
  /// - Parameter body: Called once.
  package static func withFolded(_ text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
    if ByteSearch.isPlain(text) { return ByteSearch.withLowercased(text, body) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    append(String(decoding: text, as: UTF8.self), to: &bytes)
    bytes.withUnsafeBytes(body)
  }

  /// What texts fold to depends on: the rules here, and Unicode's properties as the standard library knows them. What
  /// was folded under another name cannot be compared.
  ///
  /// Each version of Unicode has more characters than the one before, so that their number tells it. The planes above
  /// these have ideographs and others that fold to themselves.
  package static let rules: String = {
    let format = 1
    let count = (0...0x1FFFF).count { (value: UInt32) in Unicode.Scalar(value)?.properties.age != nil }
    return "\(format)_\(count)"
  }()
}
