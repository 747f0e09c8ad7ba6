@testable import SwiftData

extension ModelContext {
  /// What is wrong inside the context, and where the two sides of a relationship disagree.
  var flaws: [String] {
    graph.brokenInvariants() + graph.disagreements
  }

  func throwFlaws() throws {
    let flaws = flaws
    if !flaws.isEmpty { throw Mismatch("inside: \(flaws.prefix(5).joined(separator: "\n    "))") }
  }
}
