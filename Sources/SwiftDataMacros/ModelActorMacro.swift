import SwiftSyntax
import SwiftSyntaxMacros

/// `@ModelActor`: gives an actor a model context on an executor of its own.
struct PersistentModelActorMacro {}

extension PersistentModelActorMacro: MemberMacro {
  static var formatMode: FormatMode { .disabled }

  static func expansion(
    of node: AttributeSyntax,
    providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let syntax = declaration.as(ActorDeclSyntax.self) else {
      ModelActorDiagnostics.reportNoActor(declaration, in: context)
      return []
    }
    let modifiers = Set(syntax.modifiers.map(\.name.text))
    let access = modifiers.contains("public") ? "public " : modifiers.contains("package") ? "package " : ""
    var members = [
      "\(access)nonisolated let modelExecutor: any SwiftData.ModelExecutor",
      "\(access)nonisolated let modelContainer: SwiftData.ModelContainer",
    ]
    if !writesInitializer(syntax) {
      members.append(
        """
        \(access)init(modelContainer: SwiftData.ModelContainer) {
          let modelContext = SwiftData.ModelContext(modelContainer)
          self.modelExecutor = SwiftData.DefaultSerialModelExecutor(modelContext: modelContext)
          self.modelContainer = modelContainer
        }
        """)
    }
    return members.map(DeclSyntax.init(verbatim:))
  }

  /// Whether the actor has an initializer that replaces the generated one: with the same name, or because the generated one
  /// could not initialize each property.
  private static func writesInitializer(_ actor: ActorDeclSyntax) -> Bool {
    let members = actor.memberBlock.members
    let initializers = members.compactMap { $0.decl.as(InitializerDeclSyntax.self) }
    let needsValue = members.compactMap { $0.decl.as(VariableDeclSyntax.self) }
      .flatMap(StoredProperty.properties(in:)).contains { $0.initialValue == nil && !$0.hasImplicitDefault }
    return initializers.contains { initializer in
      initializer.signature.parameterClause.parameters.map(\.firstName.text) == ["modelContainer"] || needsValue
    }
  }
}

extension PersistentModelActorMacro: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard declaration.is(ActorDeclSyntax.self), !protocols.isEmpty else { return [] }
    return [ExtensionDeclSyntax(verbatim: "extension \(type.trimmedDescription): SwiftData.ModelActor {}")]
  }
}
