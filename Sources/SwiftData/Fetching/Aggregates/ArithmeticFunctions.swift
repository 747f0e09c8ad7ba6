import Foundation
import Relational

/// Sums and means, made in one way for SQL, where they are functions of the store, and for models in memory.
///
/// What comes out does not depend on the order of the values, which is another one whenever the database finds another
/// way to the rows.
enum ArithmeticFunctions {
  enum Outcome: String, CaseIterable {
    case sum, average
  }

  /// Thrown by a sum that its type cannot hold.
  struct Overflow: Error, CustomStringConvertible {
    /// How the failed statement is recognised.
    static let message = "a sum is too large for its type"
    var description: String { Self.message }
  }

  static let all: [AggregateFunction] = Outcome.allCases.flatMap { outcome in
    _Arithmetic.Kind.allCases.map { arithmetic in
      AggregateFunction(name: name(outcome, arithmetic)) { makeAccumulator(outcome, arithmetic) }
    }
  }

  static func name(_ outcome: Outcome, _ arithmetic: _Arithmetic.Kind) -> String {
    let type =
      switch arithmetic {
      case .integer: "integer"
      case .unsignedInteger: "unsigned"
      case .real: "real"
      case .decimal: "decimal"
      }
    return "swiftdata_\(outcome.rawValue)_\(type)"
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

  init(_ outcome: ArithmeticFunctions.Outcome, isUnsigned: Bool) {
    self.outcome = outcome
    self.isUnsigned = isUnsigned
  }

  func add(_ value: Value) {
    switch value {
    case .integer(let integer): sum += Int128(integer)
    case .blob(let bytes): sum += Int128(bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    case .null: return
    // An integer that overflows in SQL goes on as a real.
    case .real, .text: hasOverflown = true
    }
    count += 1
  }

  func result() throws -> Value {
    if hasOverflown { throw ArithmeticFunctions.Overflow() }
    if outcome == .average { return count == 0 ? .null : .real(Double(sum) / Double(count)) }
    if let narrow = Int64(exactly: sum) { return .integer(narrow) }
    guard isUnsigned, let wide = UInt64(exactly: sum) else { throw ArithmeticFunctions.Overflow() }
    return SingleValueWriter.value(of: wide)
  }
}

private final class RealAccumulator: Accumulator {
  private let outcome: ArithmeticFunctions.Outcome
  private var sum = ExactSum()
  private var count = 0

  init(_ outcome: ArithmeticFunctions.Outcome) {
    self.outcome = outcome
  }

  func add(_ value: Value) {
    switch value {
    case .real(let real): sum.add(real)
    case .integer(let integer): sum.add(Double(integer))
    case .text: sum.add(.nan)
    case .null, .blob: return
    }
    count += 1
  }

  func result() -> Value {
    switch outcome {
    case .sum: SingleValueWriter.value(of: sum.total)
    case .average: count == 0 ? .null : SingleValueWriter.value(of: sum.total / Double(count))
    }
  }
}

private final class DecimalAccumulator: Accumulator {
  private let outcome: ArithmeticFunctions.Outcome
  private var sum = Decimal.zero
  private var count = 0

  init(_ outcome: ArithmeticFunctions.Outcome) {
    self.outcome = outcome
  }

  func add(_ value: Value) {
    guard case .text(let text) = value, let decimal = DecimalText.decode(text) else { return }
    sum += decimal
    count += 1
  }

  func result() -> Value {
    switch outcome {
    case .sum: SingleValueWriter.value(of: sum)
    case .average: count == 0 ? .null : SingleValueWriter.value(of: sum / Decimal(count))
    }
  }
}
