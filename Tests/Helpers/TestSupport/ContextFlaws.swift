@testable import SwiftData

extension ModelContext {
  /// Inconsistencies of the context, and relationships whose two sides disagree.
  var flaws: [String] {
    graph.brokenInvariants() + graph.disagreements
  }
}
