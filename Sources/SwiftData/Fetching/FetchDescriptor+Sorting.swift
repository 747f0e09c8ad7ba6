import Foundation

extension FetchDescriptor {
  /// The types of the models, other than those fetched, that the order may depend on. Nil when unsure.
  var typesVisitedBySorting: [any PersistentModel.Type]? {
    let runtime = ModelRuntime.of(T.self)
    var visited: [any PersistentModel.Type] = []
    for descriptor in sortBy {
      guard let keyPath = descriptor.keyPath else { return nil }
      if KeyPathResolution.isIdentifier(keyPath) { continue }
      let origin = TextOrder.origin(of: keyPath)?.keyPath ?? keyPath
      guard let path = KeyPathResolution.path(origin, runtime) ?? KeyPathResolution.casePath(origin, runtime)?.path
      else { return nil }
      visited += path.properties.compactMap { $0.relationship?.destinationType }
    }
    return visited
  }
}
