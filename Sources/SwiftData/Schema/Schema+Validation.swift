import Foundation

extension Schema {
  /// Checks everything that follows from the types.
  ///
  /// - Throws: ``SwiftDataError/loadIssueModelContainer`` with every finding in its details.
  func validate() throws {
    var issues = issues
    var names: [String: Entity] = [:]
    for entity in entities {
      if let other = names[entity.name] {
        issues.append(
          .init(
            entity: entity.name,
            message: """
              Two types are called \(entity.name): \(describe(other)) and \(describe(entity)). Names of models must \
              differ within a schema.
              """))
      }
      names[entity.name] = entity
      SchemaCheck(schema: self, entity: entity).run(&issues)
    }
    guard !issues.isEmpty else { return }
    throw SwiftDataError.loadIssueModelContainer.with(
      entity: issues.count == 1 ? issues[0].entity : nil, property: issues.count == 1 ? issues[0].property : nil,
      message: issues.count == 1 ? issues[0].message : "The schema has \(issues.count) issues.",
      hint: "Correct the model types named below.", issues: issues)
  }

  private func describe(_ entity: Entity) -> String {
    entity.modelType.map { String(reflecting: $0) } ?? entity.name
  }
}

/// The checks of one entity.
private struct SchemaCheck {
  let schema: Schema
  let entity: Schema.Entity

  func run(_ issues: inout [SwiftDataError.Issue]) {
    if let superentity = entity.superentity, schema.entitiesByName[superentity.name] == nil {
      issues.append(issue(nil, "It inherits from \(superentity.name), which the schema lacks."))
    }
    checkNames(&issues)
    for property in entity.storedProperties {
      if let attribute = property as? Schema.Attribute { check(attribute, &issues) }
      if let relationship = property as? Schema.Relationship { check(relationship, &issues) }
    }
    for constraint in entity.uniquenessConstraints { checkUniqueness(constraint, &issues) }
    for index in entity.indices { checkIndex(index, &issues) }
  }

  private func issue(_ property: String?, _ message: String) -> SwiftDataError.Issue {
    SwiftDataError.Issue(entity: entity.name, property: property, message: message)
  }

  private func checkNames(_ issues: inout [SwiftDataError.Issue]) {
    var seen = Dictionary(entity.inheritedProperties.map { ($0.name.lowercased(), $0.name) }) { first, _ in first }
    for property in entity.storedProperties {
      if let other = seen[property.name.lowercased()] {
        issues.append(
          issue(
            property.name,
            other == property.name
              ? "There is a property of this name already, here or in a superclass."
              : "\(other) and \(property.name) differ in case only, and names of columns are case-insensitive."))
      }
      seen[property.name.lowercased()] = property.name
    }
  }

  private func check(_ attribute: Schema.Attribute, _ issues: inout [SwiftDataError.Issue]) {
    if attribute.storage.isUnsupported, entity.modelType != nil {
      issues.append(
        issue(
          attribute.name,
          """
          Values of type \(attribute.valueTypeName) cannot be stored. Make the type Codable, give the property a \
          ValueTransformer with @Attribute(.transformable(by:)), or mark it @Transient.
          """))
    }
    if attribute.isUnique, attribute.isExternal {
      issues.append(issue(attribute.name, "A value in external storage cannot be unique."))
    }
    if let transformer = attribute.transformer, transformer.transformer == nil {
      issues.append(
        issue(
          attribute.name,
          """
          No ValueTransformer is registered as "\(transformer.name)". Register it before the container is made.
          """))
    }
  }

  private func check(_ relationship: Schema.Relationship, _ issues: inout [SwiftDataError.Issue]) {
    let minimum = relationship.minimumModelCount ?? 0
    let maximum = relationship.maximumModelCount ?? 0
    if minimum < 0 || maximum < 0 {
      issues.append(issue(relationship.name, "A count of models cannot be negative (was \(min(minimum, maximum)))."))
    }
    if maximum > 0, minimum > maximum {
      issues.append(
        issue(relationship.name, "The minimum count, \(minimum), is above the maximum, \(maximum)."))
    }
    if relationship.isUnique, !relationship.isToOneRelationship {
      issues.append(issue(relationship.name, "Only a to-one relationship can be unique, and this is a to-many."))
    }
    guard let destination = schema.entitiesByName[relationship.destination] else {
      issues.append(issue(relationship.name, "It leads to \(relationship.destination), which the schema lacks."))
      return
    }
    if let inverse = relationship.inverseName, destination.relationship(named: inverse) == nil {
      issues.append(issue(relationship.name, "\(destination.name) has no relationship \(inverse), its inverse."))
    }
  }

  private func checkUniqueness(_ names: [String], _ issues: inout [SwiftDataError.Issue]) {
    for name in names {
      // `.unique` on a relationship has its own message.
      if let relationship = entity.relationship(named: name), !relationship.isToOneRelationship,
        !(names.count == 1 && relationship.isUnique)
      {
        issues.append(issue(name, "A to-many relationship cannot be part of a uniqueness constraint."))
      }
      checkColumn(name, "A uniqueness constraint", &issues)
    }
  }

  private func checkIndex(_ names: [String], _ issues: inout [SwiftDataError.Issue]) {
    for name in names {
      if let relationship = entity.relationship(named: name), !relationship.isToOneRelationship {
        issues.append(issue(name, "A to-many relationship cannot be part of an index."))
      }
      checkColumn(name, "An index", &issues)
    }
  }

  private func checkColumn(_ name: String, _ subject: String, _ issues: inout [SwiftDataError.Issue]) {
    let path = name.split(separator: ".").map(String.init)
    guard let property = entity.property(at: path) else {
      issues.append(issue(name, "\(subject) names it, and \(entity.name) has no such property."))
      return
    }
    // Options such as .ephemeral belong to the property of the model, not to the fields of its value.
    if entity.property(at: path.prefix(1))?.isTransient == true {
      issues.append(issue(name, "\(subject) needs a stored property."))
    }
    guard let attribute = property as? Schema.Attribute else { return }
    if attribute is Schema.CompositeAttribute {
      issues.append(issue(name, "\(subject) needs a field of the composite, as in \(name).field."))
    }
  }
}
