import Foundation
import Relational

/// A captured value that is a binding: another value of its type has the same SQL.
protocol InterchangeableValue {
  /// Whether the SQL for this value is the same as for most values of the type. For zero, which may be a divisor, it need
  /// not be.
  var isInterchangeable: Bool { get }
  /// The other features of the value that the SQL depends on.
  var distinction: [UInt] { get }
  /// The bound value.
  var bound: Value { get }
  /// A value that is interchangeable with this one, different for each number. No two probe values are adjacent, so that a
  /// value that the database derives from one is not another one.
  func probeValue(_ number: Int) -> Self
}

extension InterchangeableValue {
  var isInterchangeable: Bool { true }
  var distinction: [UInt] { [] }
}

extension InterchangeableValue where Self: FixedWidthInteger {
  var bound: Value { .integer(Int64(self)) }
  func probeValue(_ number: Int) -> Self { Self(truncatingIfNeeded: number * 7 + 3) }
}

extension Int: InterchangeableValue {}
extension Int8: InterchangeableValue {}
extension Int16: InterchangeableValue {}
extension Int32: InterchangeableValue {}
extension Int64: InterchangeableValue {}
extension UInt8: InterchangeableValue {}
extension UInt16: InterchangeableValue {}
extension UInt32: InterchangeableValue {}

extension Double: InterchangeableValue {
  /// Division by zero differs from other divisions.
  var isInterchangeable: Bool { isFinite && !isZero }
  var bound: Value { .real(self) }
  func probeValue(_ number: Int) -> Double { Double(number) * 7 + 3.5 }
}

extension Date: InterchangeableValue {
  var isInterchangeable: Bool { timeIntervalSinceReferenceDate.isFinite }
  var bound: Value { .real(timeIntervalSinceReferenceDate) }
  func probeValue(_ number: Int) -> Date { Date(timeIntervalSinceReferenceDate: Double(number) * 7 + 3.25) }
}

extension String: InterchangeableValue {
  /// Plain text is bound unchanged, and has no other canonically equivalent text.
  var isInterchangeable: Bool {
    !isEmpty
      && utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "K"), UInt8(ascii: ";"), UInt8(ascii: "`"), UInt8(ascii: "\\"): false
        default: (0x20..<0x7F).contains(byte)
        }
      }
  }
  /// A text that is too short for a search index has other SQL.
  var distinction: [UInt] { utf8.count < TableDefinition.Search.shortestPart ? [.max] : [] }
  var bound: Value { .text(self) }
  func probeValue(_ number: Int) -> String { "\(number) text" }
}

extension UUID: InterchangeableValue {
  var bound: Value { .blob(withUnsafeBytes(of: uuid) { Data($0) }) }
  func probeValue(_ number: Int) -> UUID {
    var bytes = uuid
    bytes.0 = UInt8(truncatingIfNeeded: number)
    bytes.1 = UInt8(truncatingIfNeeded: number >> 8)
    return UUID(uuid: bytes)
  }
}

extension PersistentIdentifier: InterchangeableValue {
  /// An unsaved model has no row.
  var isInterchangeable: Bool { id.parts == nil && id.key > 0 }
  var distinction: [UInt] { [UInt(id.store.number), UInt(id.entity.number)] }
  var bound: Value { .integer(id.key) }
  func probeValue(_ number: Int) -> PersistentIdentifier {
    PersistentIdentifier(store: id.store, entity: id.entity, key: Int64(number) * 7 + 3)
  }
}
