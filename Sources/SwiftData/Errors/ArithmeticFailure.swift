/// The errors of sums and means. The raw values are the messages by which a failed statement is recognized.
enum ArithmeticFailure: String, Error, CustomStringConvertible {
  /// A sum overflows its type.
  case overflow = "a sum is too large for its type"
  /// A sum or a mean meets a stored value of another type.
  case unreadable = "a value cannot be added up"

  var description: String { rawValue }
}
