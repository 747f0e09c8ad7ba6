import Foundation
import FoundationSupplements
import Relational

/// The orders of text that SQL knows besides that of its bytes.
enum TextCollations {
  static let all = [localizedStandard, localized]

  static let localizedStandard = Collation(name: "swiftdata_localized_standard") {
    StandardOrder.compare($0, $1).rawValue
  }

  static let localized = Collation(name: "swiftdata_localized") {
    String(decoding: $0, as: UTF8.self).localizedCompare(String(decoding: $1, as: UTF8.self)).rawValue
  }

  /// Where a descriptor gets its text, and the collation that it sorts by; nil when it sorts by the values themselves.
  static func origin(of keyPath: AnyKeyPath) -> (keyPath: AnyKeyPath, collation: Collation)? {
    TextOrder.origin(of: keyPath).map { ($0.keyPath, $0.isStandard ? localizedStandard : localized) }
  }
}
