extension Duration {
  /// The duration rounded down, zero when it is negative, and at most 69 years. Dispatch reads much larger values as times of
  /// another clock.
  var wholeNanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    return UInt64(min(seconds, 1 << 31)) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
  }
}
