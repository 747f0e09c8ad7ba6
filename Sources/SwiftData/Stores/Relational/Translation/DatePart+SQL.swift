import Foundation
import Relational

extension DatePart {
  /// Computes a part of a date. Arguments: the date and the number of the part.
  static let function = ScalarFunction(name: "swiftdata_date_part", argumentCount: 2) { arguments in
    guard let date = SingleValueReader.read(Date.self, from: arguments[0]), case .integer(let number) = arguments[1]
    else { return .null }
    return try value(of: date, at: Int(truncatingIfNeeded: number))
  }

  func expression(of date: SQLExpression) -> SQLExpression {
    .call(Self.function, [date, .value(.integer(Int64(number)))])
  }
}
