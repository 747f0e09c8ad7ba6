/// The delays before followers of a history retry a failed read. After the last attempt, they wait for the next commit.
enum RetryDelay {
  private static let attempts = 10

  /// Doubles from a tenth of a second. Nil after the last attempt.
  static func seconds(afterAttempt attempt: Int) -> Double? {
    attempt < attempts ? 0.1 * Double(1 << attempt) : nil
  }
}
