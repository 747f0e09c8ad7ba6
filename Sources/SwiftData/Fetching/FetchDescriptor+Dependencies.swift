import Foundation

extension FetchDescriptor {
  /// The types of the models, other than the fetched ones, that the order may depend on. Nil when unsure.
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

  /// The properties of the fetched models that determine the selection and the order, as bits like `_ModelState.dirty`; all
  /// when unsure.
  var ownProperties: UInt64 {
    let runtime = ModelRuntime.of(T.self)
    var others = false
    guard let tested = predicate.map({ PredicateInspection.keyPaths($0, others: &others) }) ?? [] else { return .max }
    var properties: UInt64 = 0
    for keyPath in tested + sortBy.map(\.keyPath) {
      guard let keyPath else { return .max }
      let origin = TextOrder.origin(of: keyPath)?.keyPath ?? keyPath
      if KeyPathResolution.isIdentifier(origin) { continue }
      guard let type = Swift.type(of: origin).rootType as? any PersistentModel.Type else { return .max }
      let root = ModelRuntime.of(type)
      // Properties of models of unrelated classes do not count.
      guard root.isKind(of: runtime) || runtime.isKind(of: root) else { continue }
      guard let path = KeyPathResolution.path(origin, root) ?? KeyPathResolution.casePath(origin, root)?.path,
        let property = path.properties.first
      else { return .max }
      properties |= _ModelState.bit(property.index)
    }
    return properties
  }
}
