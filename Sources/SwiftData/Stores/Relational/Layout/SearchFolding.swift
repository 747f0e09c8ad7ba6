import FoundationSupplements
import Relational

extension FoldingFunction {
  /// The function of search indexes: it folds all texts that any search treats as equal to one.
  static let current = FoldingFunction(name: "swiftdata_folded_\(FoldedText.rules)") { FoldedText.withFolded($0, $1) }
}

/// Lets tests open stores as a release with other rules does.
enum FoldingInterception {
  @TaskLocal static var function: FoldingFunction?
}
