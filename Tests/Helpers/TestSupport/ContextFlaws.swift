@testable import SwiftData

extension ModelContext {
  /// What is wrong inside the context, and where the two sides of a relationship disagree.
  var flaws: [String] {
    graph.brokenInvariants() + graph.disagreements
  }
}
