import SwiftSyntax
import SwiftSyntaxMacros

/// `@Model`: makes a class a persistent model.
struct PersistentModelMacro {}

extension PersistentModelMacro: MemberMacro {
  static var formatMode: FormatMode { .disabled }

  static func expansion(
    of node: AttributeSyntax,
    providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let syntax = declaration.as(ClassDeclSyntax.self) else {
      ModelDiagnostics.reportNoClass(declaration, in: context)
      return []
    }
    let model = ModelDeclaration(syntax)
    let isSubclass = isModelSubclass(model, missing: protocols)
    guard ModelDiagnostics.report(model, attribute: node, isSubclass: isSubclass, in: context) else { return [] }
    return ModelMembers(model: model, superclass: isSubclass ? model.firstInheritedType : nil).declarations
  }

  /// The compiler passes the conformances that the class lacks: a subclass of a model lacks none.
  private static func isModelSubclass(_ model: ModelDeclaration, missing protocols: [TypeSyntax]) -> Bool {
    guard model.firstInheritedType != nil, !model.restatesPersistentModel else { return false }
    return !protocols.contains { $0.trimmedDescription.hasSuffix("PersistentModel") }
  }
}

extension PersistentModelMacro: MemberAttributeMacro {
  static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingAttributesFor member: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AttributeSyntax] {
    guard let syntax = declaration.as(ClassDeclSyntax.self), let variable = member.as(VariableDeclSyntax.self),
      let property = StoredProperty.properties(in: variable).first, property.isPersisted, !property.isConstant,
      !syntax.isGeneric(in: context)
    else { return [] }
    guard let index = syntax.memberBlock.indexOfPersistedProperty(named: property.name) else {
      ModelDiagnostics.reportConditional(variable, in: context)
      return []
    }
    let macro = property.isTransformable ? "_TransformablePersistedProperty" : "_PersistedProperty"
    return [AttributeSyntax(verbatim: "\(macro)(\(index))")]
  }
}

extension PersistentModelMacro: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard let syntax = declaration.as(ClassDeclSyntax.self), !syntax.isGeneric(in: context)
    else { return [] }
    let availability = syntax.attributes.availability.map { "\($0.trimmedDescription)\n" }.joined()
    let missing = Set(protocols.map { $0.trimmedDescription.split(separator: ".").last.map(String.init) ?? "" })
    var extensions: [String] = []
    if missing.contains("PersistentModel") {
      extensions.append("\(availability)extension \(type.trimmedDescription): nonisolated SwiftData.PersistentModel {}")
    }
    if missing.contains("Observable") {
      extensions.append("\(availability)extension \(type.trimmedDescription): nonisolated Observation.Observable {}")
    }
    // Unavailable: the conformance exists only so that the compiler can reject its use with a message.
    if missing.contains("Sendable") {
      extensions.append(
        """
        @available(*, unavailable, message: "PersistentModels are not Sendable, consider utilizing a ModelActor or use \(type.trimmedDescription)'s persistentModelID instead.")
        \(availability)extension \(type.trimmedDescription): @unchecked Sendable {}
        """)
    }
    return extensions.map(ExtensionDeclSyntax.init(verbatim:))
  }
}
