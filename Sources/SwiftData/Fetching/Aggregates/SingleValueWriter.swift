import Foundation
import Relational

/// Encodes one value as a column stores it.
final class SingleValueWriter: _RowWriter {
  private var value = Value.null

  static func value(of primitive: any _PrimitiveValue) -> Value {
    let writer = SingleValueWriter()
    primitive._write(writer, 0)
    return writer.value
  }

  override func null(_ column: Int32) { value = .null }
  override func integer(_ integer: Int64, _ column: Int32) { value = .integer(integer) }
  override func text(_ text: String, _ column: Int32) { value = .text(text) }
  override func data(_ data: Data, _ column: Int32) { value = .blob(data) }
  override func bytes(_ bytes: UnsafeRawBufferPointer, _ column: Int32) { value = .blob(Data(bytes)) }

  override func real(_ real: Double, _ column: Int32) {
    value = ColumnEncoding.value(of: real)
  }
}
