import Foundation
import Relational

extension Statement {
  /// The value of a column, unconverted.
  func value(_ column: Int32) -> Value {
    switch type(of: column) {
    case .null: .null
    case .integer: .integer(integer(column))
    case .real: .real(real(column))
    case .text: .text(text(column))
    case .blob: .blob(withBlob(column) { Data($0) })
    }
  }
}
