import Foundation

/// A row of values that no database reads.
package final class ValueRow: Statement {
  private let values: [Value]

  package init(_ values: [Value]) {
    self.values = values
  }

  private func value(_ column: Int32) -> Value {
    values.indices.contains(Int(column)) ? values[Int(column)] : .null
  }

  package override func reset() {}

  package override func type(of column: Int32) -> ColumnType {
    switch value(column) {
    case .null: .null
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    }
  }

  package override func isNull(_ column: Int32) -> Bool { value(column).isNull }

  package override func integer(_ column: Int32) -> Int64 {
    switch value(column) {
    case .integer(let integer): integer
    case .real(let real): Int64(exactly: real.rounded(.towardZero)) ?? 0
    default: 0
    }
  }

  package override func real(_ column: Int32) -> Double {
    switch value(column) {
    case .integer(let integer): Double(integer)
    case .real(let real): real
    default: 0
    }
  }

  package override func textIfPresent(_ column: Int32) -> String? {
    if case .text(let text) = value(column) { text } else { nil }
  }

  package override func withBlob<Result>(
    _ column: Int32, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    if case .blob(let data) = value(column) { return try data.withUnsafeBytes(body) }
    return try body(UnsafeRawBufferPointer(start: nil, count: 0))
  }
}
