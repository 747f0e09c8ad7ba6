import FoundationSupplements
import Relational

extension FoldingFunction {
  /// What indexes for searches have in place of texts: what all of those fold to that any search takes for alike.
  static let current = FoldingFunction(name: "swiftdata_folded_\(FoldedText.rules)") { FoldedText.withFolded($0, $1) }
}

/// Lets tests open stores as a release with other rules does.
enum FoldingInterception {
  @TaskLocal static var function: FoldingFunction?
}
