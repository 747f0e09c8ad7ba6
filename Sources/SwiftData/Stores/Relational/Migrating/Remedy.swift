import Relational

/// What to write where a store cannot be taken up, as code.
enum Remedy {
  /// A stage whose code changes rows before anything else does.
  static let beforehand =
    ".custom(fromVersion: …, toVersion: …, willMigrate: { context in … }, didMigrate: nil)"

  /// A stage that says that models are to go.
  static let removal = ".lightweight(fromVersion: …, toVersion: …)"

  /// A stage that gives models values by those that they had.
  static func mapping(_ entity: String) -> String {
    ".custom(fromVersion: …, toVersion: …, mapping: \(entity).self, to: \(entity).self) { old, new in … }"
  }

  /// A stage that merges models whose values repeat.
  static func merging(_ entity: String) -> String {
    ".custom(fromVersion: …, toVersion: …, mergingDuplicatesOf: \(entity).self) { kept, duplicate in … }"
  }
}

extension TableDefinition.Column {
  /// The property with a default value, as it is declared; nil where a column is not all of a property, or leads to a
  /// model.
  var declarationWithDefault: String? { declaredType.map { "var \(sourceName): \($0) = …" } }

  /// The property without a need for a value, as it is declared; nil where the column is not all of a property.
  var optionalDeclaration: String? {
    (isTarget ? property?.type : declaredType).map { "var \(sourceName): \($0)?" }
  }

  /// What goes after the words that a new property needs a value or none.
  var remedyOfAddition: String {
    let declarations = [declarationWithDefault, optionalDeclaration].compactMap(\.self)
    return declarations.isEmpty ? "" : ": \(declarations.joined(separator: ", or "))"
  }

  private var isTarget: Bool { property?.part == Property.target }

  /// The type, as far as it is a name.
  private var declaredType: String? {
    guard let property, property.part.isEmpty else { return nil }
    let name = property.type.prefix { $0 != "(" }
    return name.isEmpty || name.contains(" ") ? nil : String(name)
  }
}
