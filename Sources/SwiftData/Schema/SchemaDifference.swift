/// Describes the differences between the shapes of two schemas, as ``Schema/versionHash`` includes them.
enum SchemaDifference {
  /// - Parameters:
  ///   - found: The entities of the store.
  ///   - schema: The schema that the store should have.
  static func issues(of found: [Schema.Entity], beside schema: Schema) -> [SwiftDataError.Issue] {
    let known = Dictionary(found.map { ($0.name, $0) }) { first, _ in first }
    let missing = schema.entities.filter { known[$0.name] == nil }.map {
      SwiftDataError.Issue(entity: $0.name, message: "The store has no such model.")
    }
    return missing
      + found.flatMap { entity -> [SwiftDataError.Issue] in
        guard let other = schema.entitiesByName[entity.name] else {
          return [.init(entity: entity.name, message: "The store has it, and the version lacks it.")]
        }
        return issues(of: entity, beside: other)
      }
  }

  private static func issues(of found: Schema.Entity, beside wanted: Schema.Entity) -> [SwiftDataError.Issue] {
    if found.versionHash == wanted.versionHash { return [] }
    var issues: [SwiftDataError.Issue] = []
    func add(_ property: String?, _ message: String) {
      issues.append(.init(entity: found.name, property: property, message: message))
    }
    if found.superentityName != wanted.superentityName {
      let names = [found.superentityName, wanted.superentityName].map { $0 ?? "nothing" }
      add(nil, "It inherits from \(names[0]) in the store, and from \(names[1]) in the version.")
    }
    let names = Set(found.storedPropertiesByName.keys).union(wanted.storedPropertiesByName.keys)
    for name in names.sorted() {
      switch (found.storedPropertiesByName[name], wanted.storedPropertiesByName[name]) {
      case (let found?, let wanted?):
        if found.shape == wanted.shape { continue }
        let (old, new) = (found.shapeDescription, wanted.shapeDescription)
        add(
          name,
          old == new ? "Its hashModifier differs." : "It is \(old) in the store, and \(new) in the version.")
      case (let found?, nil): add(name, "The store has it, as \(found.shapeDescription), and the version lacks it.")
      case (nil, let wanted?): add(name, "The store lacks it; it is \(wanted.shapeDescription) in the version.")
      case (nil, nil): continue
      }
    }
    let (old, new) = (Set(found.uniquenessConstraints), Set(wanted.uniquenessConstraints))
    for constraint in old.subtracting(new) {
      add(nil, "\(constraint.joined(separator: ", ")) is unique in the store, and not in the version.")
    }
    for constraint in new.subtracting(old) {
      add(nil, "\(constraint.joined(separator: ", ")) is unique in the version, and not in the store.")
    }
    return issues
  }
}

extension SchemaProperty {
  /// The type as source code spells it, and the inverse of a relationship.
  fileprivate var shapeDescription: String {
    switch self {
    case let attribute as Schema.Attribute:
      attribute.isOptional && attribute.valueTypeName.hasPrefix("Optional<")
        ? "\(attribute.valueTypeName.dropFirst("Optional<".count).dropLast())?" : attribute.valueTypeName
    case let relationship as Schema.Relationship:
      (relationship.isToOneRelationship
        ? "\(relationship.destination)\(relationship.isOptional ? "?" : "")" : "[\(relationship.destination)]")
        + (relationship.inverseName.map { ", the inverse of \($0)" } ?? "")
    default: name
    }
  }
}
