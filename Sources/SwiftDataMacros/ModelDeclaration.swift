import SwiftSyntax
import SwiftSyntaxMacros

/// What `@Model` knows of its class: the syntax, without the types.
struct ModelDeclaration {
  let syntax: ClassDeclSyntax
  let name: String
  let isFinal: Bool
  /// The access modifier of generated members that witness `PersistentModel` requirements.
  let access: String
  /// The access modifier of generated members that a subclass in another module overrides.
  let overridableAccess: String
  let properties: [StoredProperty]
  let indexArguments: [LabeledExprListSyntax]
  let uniqueArguments: [LabeledExprListSyntax]

  init(_ syntax: ClassDeclSyntax) {
    self.syntax = syntax
    name = syntax.name.trimmed.text
    let modifiers = Set(syntax.modifiers.filter { $0.detail == nil }.map(\.name.text))
    isFinal = modifiers.contains("final")
    switch true {
    case modifiers.contains("open"):
      access = "public "
      overridableAccess = isFinal ? "public " : "open "
    case modifiers.contains("public"):
      access = "public "
      overridableAccess = "public "
    case modifiers.contains("package"):
      access = "package "
      overridableAccess = "package "
    default:
      // A witness in a private or fileprivate class need not be more visible than the class.
      access = ""
      overridableAccess = ""
    }
    let members = syntax.memberBlock.members.map(\.decl)
    properties = members.compactMap { $0.as(VariableDeclSyntax.self) }
      .flatMap(StoredProperty.properties(in:))
    indexArguments = Self.arguments(ofMacro: "Index", in: members)
    uniqueArguments = Self.arguments(ofMacro: "Unique", in: members)
  }

  /// The first inherited type, which is the superclass when there is one.
  var firstInheritedType: TypeSyntax? {
    syntax.inheritanceClause?.inheritedTypes.first?.type.trimmed
  }

  var persistedProperties: [StoredProperty] {
    properties.filter(\.isPersisted)
  }

  var hasInitializer: Bool {
    !initializers.isEmpty
  }

  var hasDesignatedInitializer: Bool {
    initializers.contains { initializer in
      !initializer.modifiers.contains { $0.name.tokenKind == .keyword(.convenience) }
    }
  }

  /// The names of the members in the class's body.
  var memberNames: Set<String> {
    let members = syntax.memberBlock.members
    return (Array(members) + members.conditional).reduce(into: []) { names, member in
      if let function = member.decl.as(FunctionDeclSyntax.self) { names.insert(function.name.nameWithoutBackticks) }
      for binding in member.decl.as(VariableDeclSyntax.self)?.bindings ?? [] {
        guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else { continue }
        names.insert(pattern.identifier.nameWithoutBackticks)
      }
    }
  }

  /// The names of properties that override a base class's.
  var overriddenNames: Set<String> {
    let variables = syntax.memberBlock.members.compactMap { $0.decl.as(VariableDeclSyntax.self) }
    let overrides = variables.filter { $0.modifiers.contains { $0.name.tokenKind == .keyword(.override) } }
    return Set(
      overrides.flatMap(\.bindings).compactMap {
        $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.nameWithoutBackticks
      })
  }

  /// An initializer inside `#if` counts: if its clause is not active, the compiler reports what is missing.
  private var initializers: [InitializerDeclSyntax] {
    let members = syntax.memberBlock.members
    return (Array(members) + members.conditional).compactMap { $0.decl.as(InitializerDeclSyntax.self) }
  }

  /// Whether the class states the conformance itself, which hides from the macro whether it is inherited.
  var restatesPersistentModel: Bool {
    restates("PersistentModel", "SwiftData.PersistentModel")
  }

  var restatesEquatable: Bool {
    restates("Equatable", "Hashable", "Comparable", "Swift.Equatable", "Swift.Hashable", "Swift.Comparable")
  }

  /// Whether the class declares an operator `==` for two of its objects.
  var hasOwnEquality: Bool {
    syntax.memberBlock.members.contains { member in
      guard let function = member.decl.as(FunctionDeclSyntax.self), function.name.text == "==",
        function.genericParameterClause == nil
      else { return false }
      let types = function.signature.parameterClause.parameters.map(\.type.trimmedDescription)
      return types.count == 2 && types.allSatisfy { $0 == name || $0 == "Self" || $0.hasSuffix(".\(name)") }
    }
  }

  private func restates(_ names: String...) -> Bool {
    syntax.inheritanceClause?.inheritedTypes.contains { names.contains($0.type.trimmedDescription) } ?? false
  }

  private static func arguments(
    ofMacro macroName: String, in members: [DeclSyntax]
  ) -> [LabeledExprListSyntax] {
    members.compactMap { member in
      guard let expansion = member.as(MacroExpansionDeclSyntax.self),
        expansion.macroName.text == macroName
      else { return nil }
      return expansion.arguments
    }
  }
}

extension ClassDeclSyntax {
  /// Whether the class or a type around it has type parameters.
  func isGeneric(in context: some MacroExpansionContext) -> Bool {
    genericParameterClause != nil
      || context.lexicalContext.contains { enclosing in
        enclosing.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil
      }
  }
}

extension MemberBlockSyntax {
  /// The number of persisted properties before the one with the name; nil when there is no such property.
  func indexOfPersistedProperty(named name: String) -> Int? {
    var index = 0
    for member in members {
      guard let variable = member.decl.as(VariableDeclSyntax.self) else { continue }
      for property in StoredProperty.properties(in: variable) {
        if property.name == name { return index }
        if property.isPersisted { index += 1 }
      }
    }
    return nil
  }
}
