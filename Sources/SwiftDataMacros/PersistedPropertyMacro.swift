import SwiftSyntax
import SwiftSyntaxMacros

/// Generates the storage slot of a persisted property and its accessors.
///
/// The compiler type-checks the expansion once for each property of a program, so it is minimal: one or two calls of methods of
/// the slot, which have no overloads.
struct PersistedPropertyMacro {}

extension PersistedPropertyMacro: AccessorMacro {
  static var formatMode: FormatMode { .disabled }

  static func expansion(
    of node: AttributeSyntax,
    providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    guard let variable = declaration.as(VariableDeclSyntax.self),
      let property = StoredProperty.properties(in: variable).first, !property.isConstant
    else { return [] }
    return accessors(of: property, at: index(node, in: context))
  }

  /// The position in the row, which `@Model` counted: relative to the class's own properties, where the class may inherit
  /// others.
  private static func index(_ node: AttributeSyntax, in context: some MacroExpansionContext) -> String {
    let own = node.firstArgument?.description ?? "0"
    let inherits = context.lexicalContext.first?.as(ClassDeclSyntax.self)?.inheritanceClause != nil
    return ModelMembers.index(own, inherits: inherits)
  }

  private static func accessors(of property: StoredProperty, at index: String) -> [AccessorDeclSyntax] {
    let storage = property.storageName
    let accessors = [
      """
      @storageRestrictions(initializes: \(storage))
      init(initialValue) {
        \(storage) = .init(initialValue)
      }
      """,
      """
      get {
        \(storage).get(self, \(index), _$state.isObserved)
      }
      """,
      """
      @inline(never) set {
        \(storage).set(&\(storage), newValue, self, \(index), _$state.isUntracked)
      }
      """,
    ]
    return (accessors + (property.isArray ? [modify(storage, at: index)] : [])).map(AccessorDeclSyntax.init(verbatim:))
  }

  /// Changes a value in place. It does the same as `get` and `set` without calling them, because a subclass may override them.
  private static func modify(_ storage: String, at index: String) -> String {
    """
    _modify {
      let edit = \(storage).beginEdit(self, \(index), _$state.isObserved)
      defer {
        \(storage).endEdit(edit, &\(storage), self, \(index), _$state.isUntracked)
      }
      yield &edit.value
    }
    """
  }
}

extension PersistedPropertyMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let variable = declaration.as(VariableDeclSyntax.self),
      let property = StoredProperty.properties(in: variable).first, !property.isConstant
    else { return [] }
    return [storage(of: property, function: "_slot", in: context)]
  }

  static func storage(
    of property: StoredProperty, function: String, in context: some MacroExpansionContext
  ) -> DeclSyntax {
    // The generated members are nonisolated, whatever the isolation of the class.
    let isIsolated = context.lexicalContext.first?.as(ClassDeclSyntax.self)?.attributes.globalActor != nil
    // Unchecked, because other code may read the slot while its setting method has its address.
    let variable = "@exclusivity(unchecked) private \(isIsolated ? "nonisolated " : "")var \(property.storageName)"
    if let type = property.storedTypeDescription {
      return DeclSyntax(verbatim: "\(variable) = SwiftData.\(function)(of: (\(type)).self)")
    }
    let value = property.initialValue?.description ?? "()"
    return DeclSyntax(verbatim: "\(variable) = SwiftData.\(function)(inferring: \(value))")
  }
}

/// The variant of `PersistedPropertyMacro` for a value that a `ValueTransformer` converts to data: its type may be any.
struct TransformablePersistedPropertyMacro: AccessorMacro, PeerMacro {
  static var formatMode: FormatMode { .disabled }

  static func expansion(
    of node: AttributeSyntax,
    providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    try PersistedPropertyMacro.expansion(of: node, providingAccessorsOf: declaration, in: context)
  }

  static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let variable = declaration.as(VariableDeclSyntax.self),
      let property = StoredProperty.properties(in: variable).first, !property.isConstant
    else { return [] }
    return [PersistedPropertyMacro.storage(of: property, function: "_transformableSlot", in: context)]
  }
}
