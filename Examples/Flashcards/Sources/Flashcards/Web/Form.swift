import Foundation

/// The fields of a form, or of a query: in both a plus sign is a space.
struct Form: Sendable {
  private let values: [String: String]

  /// - Parameter text: The fields as `application/x-www-form-urlencoded`.
  init(_ text: String) {
    let fields = text.split(separator: "&").map { field in
      field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(Self.decoded)
    }
    values = Dictionary(fields.map { ($0[0], $0.count > 1 ? $0[1] : "") }) { first, _ in first }
  }

  func value(_ name: String) -> String? { values[name] }

  subscript(name: String) -> String { values[name] ?? "" }

  private static func decoded(_ text: Substring) -> String {
    text.replacing("+", with: " ").removingPercentEncoding ?? ""
  }
}
