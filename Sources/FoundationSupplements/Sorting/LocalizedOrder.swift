package import Foundation

/// The order of `localizedCompare`.
package enum LocalizedOrder {
  package static func compare(_ left: String, _ right: String) -> ComparisonResult {
    DecomposedText.withMarksInOrder(left).localizedCompare(DecomposedText.withMarksInOrder(right))
  }
}
