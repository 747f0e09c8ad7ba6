/// The last number that was given out for a table.
///
/// `@unchecked Sendable`, and not checked for exclusivity, because only who has the connection that writes asks for it.
final class KeySequence: @unchecked Sendable {
  @exclusivity(unchecked) private(set) var last: Int64

  init(last: Int64) {
    self.last = last
  }

  func next() -> Int64 {
    last += 1
    return last
  }

  func skip(to key: Int64) {
    last = max(last, key)
  }
}
