import Foundation
import Relational

extension ModelTerm {
  /// The term for a key path of one step, as Foundation uses in predicates.
  func property(_ keyPath: AnyKeyPath, _ context: TranslationContext) throws -> Term {
    if let property = KeyPathResolution.property(keyPath, layout.runtime) {
      return try self.property(property, keyPath, context)
    }
    if KeyPathResolution.isIdentifier(keyPath) { return .identifier(self) }
    throw Untranslatable("\(layout.entity.name) has no persisted property behind the key path")
  }

  /// The term for a key path of any number of steps; nil where a step is nil.
  func end(of keyPath: AnyKeyPath, _ context: TranslationContext) throws -> Term {
    guard let path = KeyPathResolution.path(keyPath, layout.runtime) else {
      guard let (path, cases) = KeyPathResolution.casePath(keyPath, layout.runtime),
        case .scalar(let scalar) = try end(of: path, keyPath, context)
      else { return try property(keyPath, context) }
      return try CaseValues.term(cases, scalar, context)
    }
    return try end(of: path, keyPath, context)
  }

  private func end(
    of path: KeyPathResolution.Path, _ keyPath: AnyKeyPath, _ context: TranslationContext
  ) throws -> Term {
    var term = Term.model(self)
    for property in path.properties {
      guard case .model(let model) = term else { throw Untranslatable("a step of the key path is no model") }
      term = try model.property(property, keyPath, context)
    }
    if path.isOfIdentifier {
      guard case .model(let model) = term else { throw Untranslatable("a step of the key path is no model") }
      return .identifier(model)
    }
    for field in path.fields {
      guard case .composite(let composite) = term else { throw Untranslatable("\(field) is no stored field") }
      term = try composite.field(field, context)
    }
    return term
  }

  private func property(
    _ property: _ModelProperty, _ keyPath: AnyKeyPath, _ context: TranslationContext
  ) throws -> Term {
    guard layout.properties.indices.contains(property.index) else { throw unknown(keyPath) }
    let found = layout.properties[property.index]
    switch found.storage {
    case .attribute(let coding, let columns, let isExternal):
      if case .composite(let hasPresence, let fields) = coding {
        return .composite(
          CompositeTerm(
            model: self, columns: columns[...], hasPresence: hasPresence, fields: fields,
            isOptional: found.isOptional))
      }
      guard let column = columns.first else { throw unknown(keyPath) }
      let kind = ScalarKind(coding, valueType: type(of: property.keyPath).valueType, isExternal: isExternal)
      return .scalar(self.column(column, kind, isOptional: found.isOptional, context))
    case .ephemeral:
      throw Untranslatable("\(layout.entity.name).\(found.name) is not stored")
    case .reference(let column, _):
      return .model(try target(of: found, column, keyPath, context))
    case .inverseReference(let table, let column):
      let destination = try destination(of: found, keyPath, context)
      let alias = context.makeAlias()
      var select = Select(
        columns: [.column(table: alias, name: LayoutNames.primaryKey)], from: .init(table: table, alias: alias),
        condition: .binary(.equal, .column(table: alias, name: column), key.expression))
      select.limit = 1
      return .model(ModelTerm(destination, key: ScalarTerm(.scalar(select), .int, isOptional: true)))
    case .referencedMembers, .joinedMembers:
      return .collection(
        CollectionTerm(
          members: .relationship(owner: key, found.storage, try destination(of: found, keyPath, context))))
    }
  }

  private func target(
    of property: PropertyLayout, _ column: String, _ keyPath: AnyKeyPath, _ context: TranslationContext
  ) throws -> ModelTerm {
    let destination = try destination(of: property, keyPath, context)
    let key = self.column(column, .int, isOptional: property.isOptional, context)
    let inverse = layout.entity.relationship(named: property.name)?.inverseName
      .flatMap { destination.entity.relationship(named: $0) }
    guard inverse?.deleteRule == .noAction else { return ModelTerm(destination, key: key) }
    // The key may be a dangling reference, which counts as nil.
    let target = ModelTerm(destination, key: key)
      .column(LayoutNames.primaryKey, .int, isOptional: property.isOptional, context)
    return ModelTerm(destination, key: target)
  }

  private func destination(
    of property: PropertyLayout, _ keyPath: AnyKeyPath, _ context: TranslationContext
  ) throws -> EntityLayout {
    guard let destination = property.destination.flatMap(context.layout.layout(named:)) else {
      throw unknown(keyPath)
    }
    return destination
  }

  private func unknown(_ keyPath: AnyKeyPath) -> SwiftDataError {
    let name = PredicateDescription.name(of: keyPath)
    return SwiftDataError.unsupportedPredicate.with(
      entity: layout.entity.name, property: name,
      message: "The predicate uses \(name), whose destination is not in the schema of the store.",
      hint: "Add all model types that the predicate uses to the schema of one configuration.")
  }
}
