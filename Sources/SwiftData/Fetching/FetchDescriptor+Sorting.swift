import Foundation

extension FetchDescriptor {
  /// Whether the order depends on other models than those fetched, or may do so.
  var sortsByRelationship: Bool {
    let runtime = ModelRuntime.of(T.self)
    return sortBy.contains { descriptor in
      guard let keyPath = descriptor.keyPath else { return true }
      if KeyPathResolution.isIdentifier(keyPath) { return false }
      let origin = TextCollations.origin(of: keyPath)?.keyPath ?? keyPath
      guard let path = KeyPathResolution.path(origin, runtime) else { return true }
      return path.properties.contains { $0 is any RelationshipProperty }
    }
  }
}
