package import Foundation

/// A value as a relational database stores it.
package enum Value: Codable, Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob(Data)

  package var isNull: Bool {
    if case .null = self { true } else { false }
  }
}
