import Relational

extension FetchExplanation.Step {
  init(_ step: QueryStep) {
    let kind: Kind =
      switch step.kind {
      case .scan: .scan
      case .search: .search
      case .sort: .sort
      case .other: .other
      }
    self.init(kind, index: step.index, depth: step.depth, description: step.text)
  }
}

extension RelationalQuery {
  /// The parts that the context evaluates in memory, with reasons.
  var inMemory: [FetchExplanation.InMemoryPart] {
    func reason(_ cause: Untranslatable?) -> String {
      guard let cause else { return "the statement would be more than the database takes" }
      return [cause.reason, cause.part.isEmpty ? cause.keyPath ?? "" : cause.part].filter { !$0.isEmpty }
        .joined(separator: ": ")
    }
    var parts: [FetchExplanation.InMemoryPart] = []
    if residue.filters { parts.append(.init(.predicate, reason: reason(unfiltered))) }
    if residue.sorts { parts.append(.init(.sortOrder, reason: reason(unsorted))) }
    return parts
  }
}
