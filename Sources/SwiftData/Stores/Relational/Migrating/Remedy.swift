import Relational

/// Code to suggest in an error about a store that cannot be migrated.
enum Remedy {
  /// A stage whose code changes rows before anything else does.
  static let beforehand =
    ".custom(fromVersion: …, toVersion: …, willMigrate: { context in … }, didMigrate: nil)"

  /// A stage that allows the removal of models.
  static let removal = ".lightweight(fromVersion: …, toVersion: …)"

  /// A stage that computes values of models from their previous ones.
  static func mapping(_ entity: String) -> String {
    ".mapModels(fromVersion: …, toVersion: …, of: \(entity).self, to: \(entity).self) { old, new in … }"
  }

  /// A stage that merges models whose values repeat.
  static func merging(_ entity: String) -> String {
    ".mergeDuplicates(fromVersion: …, toVersion: …, of: \(entity).self) { kept, duplicate in … }"
  }
}

extension TableDefinition.Column {
  /// The declaration of the property with a default value; nil where the column is only a part of the property, or refers to
  /// a model.
  var declarationWithDefault: String? { declaredType.map { "var \(sourceName): \($0) = …" } }

  /// The declaration of the property as optional; nil where the column is only a part of the property.
  var optionalDeclaration: String? {
    (isTarget ? property?.type : declaredType).map { "var \(sourceName): \($0)?" }
  }

  /// The end of a message that a new property needs a default value or an optional type.
  var remedyOfAddition: String {
    let declarations = [declarationWithDefault, optionalDeclaration].compactMap(\.self)
    return declarations.isEmpty ? "" : ": \(declarations.joined(separator: ", or "))"
  }

  private var isTarget: Bool { property?.part == Property.target }

  /// The name of the type; nil where it has none.
  private var declaredType: String? {
    guard let property, property.part.isEmpty else { return nil }
    let name = property.type.prefix { $0 != "(" }
    return name.isEmpty || name.contains(" ") ? nil : String(name)
  }
}
