import Foundation

extension FetchDescriptor: CustomDebugStringConvertible {
  /// A description of the fetch, with the names of properties as source code spells them.
  ///
  /// It has the types of captured values, not the values.
  public var debugDescription: String {
    var parts: [String] = []
    if let predicate { parts.append("predicate: \(PredicateDescription.shape(of: predicate.expression))") }
    if !sortBy.isEmpty { parts.append("sortBy: [\(sortBy.map(Self.describe).joined(separator: ", "))]") }
    if let fetchLimit { parts.append("fetchLimit: \(fetchLimit)") }
    if let fetchOffset { parts.append("fetchOffset: \(fetchOffset)") }
    if !includePendingChanges { parts.append("includePendingChanges: false") }
    for (label, keyPaths) in [
      ("propertiesToFetch", propertiesToFetch),
      ("relationshipKeyPathsForPrefetching", relationshipKeyPathsForPrefetching),
    ] where !keyPaths.isEmpty {
      parts.append("\(label): [\(keyPaths.map(PredicateDescription.name).joined(separator: ", "))]")
    }
    return "FetchDescriptor<\(Schema.qualifiedName(of: T.self))>(\(parts.joined(separator: ", ")))"
  }

  private static func describe(_ descriptor: SortDescriptor<T>) -> String {
    let name = descriptor.keyPath.map(PredicateDescription.name) ?? "<unknown>"
    return descriptor.order == .forward ? name : "\(name) descending"
  }
}
