/// How long those who follow a history wait before they read again what could not be read. When they have given up, the
/// next commit brings them back.
enum RetryDelay {
  private static let attempts = 10

  /// Doubles from a tenth of a second. Nil after the last attempt.
  static func seconds(afterAttempt attempt: Int) -> Double? {
    attempt < attempts ? 0.1 * Double(1 << attempt) : nil
  }
}
