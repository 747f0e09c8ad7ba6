import Foundation
import Relational

/// Sums and means, computed by the same code for SQL, as functions of the store, and for models in memory.
///
/// The result does not depend on the order of the values, because the database may visit the rows in any order.
enum ArithmeticFunctions {
  enum Outcome: String, CaseIterable {
    case sum, average
  }

  static func makeAccumulator(_ outcome: Outcome, _ arithmetic: _Arithmetic.Kind) -> any Accumulator {
    switch arithmetic {
    case .integer: IntegerAccumulator(outcome, isUnsigned: false)
    case .unsignedInteger: IntegerAccumulator(outcome, isUnsigned: true)
    case .real: RealAccumulator(outcome)
    case .decimal: DecimalAccumulator(outcome)
    }
  }
}

private final class IntegerAccumulator: Accumulator {
  private let outcome: ArithmeticFunctions.Outcome
  private let isUnsigned: Bool
  private var sum: Int128 = 0
  private var count = 0
  private var hasOverflown = false
  private var isReadable = true

  init(_ outcome: ArithmeticFunctions.Outcome, isUnsigned: Bool) {
    self.outcome = outcome
    self.isUnsigned = isUnsigned
  }

  func add(_ value: Value) {
    switch value {
    case .integer(let integer):
      if isUnsigned, integer < 0 { isReadable = false }
      sum += Int128(integer)
    case .blob(let bytes):
      if isUnsigned, let wide = ColumnEncoding.wideInteger(bytes) { sum += Int128(wide) } else { isReadable = false }
    case .null: return
    // SQLite continues with a real when an integer expression overflows.
    case .real: hasOverflown = true
    case .text: isReadable = false
    }
    count += 1
  }

  func result() throws -> Value {
    if !isReadable { throw ArithmeticFailure.unreadable }
    if hasOverflown { throw ArithmeticFailure.overflow }
    if outcome == .average { return count == 0 ? .null : .real(Double(sum) / Double(count)) }
    if let narrow = Int64(exactly: sum) { return .integer(narrow) }
    guard isUnsigned, let wide = UInt64(exactly: sum) else { throw ArithmeticFailure.overflow }
    return SingleValueWriter.value(of: wide)
  }
}

private final class RealAccumulator: Accumulator {
  private let outcome: ArithmeticFunctions.Outcome
  private var sum = ExactSum()
  private var count = 0
  private var isReadable = true

  init(_ outcome: ArithmeticFunctions.Outcome) {
    self.outcome = outcome
  }

  func add(_ value: Value) {
    if case .null = value { return }
    if let real = ColumnEncoding.real(value) { sum.add(real) } else { isReadable = false }
    count += 1
  }

  func result() throws -> Value {
    if !isReadable { throw ArithmeticFailure.unreadable }
    return switch outcome {
    case .sum: SingleValueWriter.value(of: sum.total)
    case .average: count == 0 ? .null : SingleValueWriter.value(of: sum.mean(of: count))
    }
  }
}

private final class DecimalAccumulator: Accumulator {
  private let outcome: ArithmeticFunctions.Outcome
  private var sum = Decimal.zero
  private var count = 0
  private var isReadable = true

  init(_ outcome: ArithmeticFunctions.Outcome) {
    self.outcome = outcome
  }

  func add(_ value: Value) {
    if value == .null { return }
    guard case .text(let text) = value, let decimal = DecimalText.decode(text) else {
      isReadable = false
      return
    }
    sum += decimal
    count += 1
  }

  func result() throws -> Value {
    if !isReadable { throw ArithmeticFailure.unreadable }
    return switch outcome {
    case .sum: SingleValueWriter.value(of: sum)
    case .average: count == 0 ? .null : SingleValueWriter.value(of: sum / Decimal(count))
    }
  }
}
