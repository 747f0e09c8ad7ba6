import SwiftSyntax
import SwiftSyntaxMacros

/// Gives a persisted property its storage slot and the accessors over it.
struct PersistedPropertyMacro {}

extension PersistedPropertyMacro: AccessorMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    guard let variable = declaration.as(VariableDeclSyntax.self),
      let property = StoredProperty.properties(in: variable).first, !property.isConstant
    else { return [] }
    return accessors(of: property)
  }

  static func accessors(of property: StoredProperty) -> [AccessorDeclSyntax] {
    let storage = property.storageName
    let keyPath = "\\.\(property.identifier.text)"
    let index = "_$Slot.\(property.identifier.text)"
    return [
      """
      @storageRestrictions(initializes: \(raw: storage))
      init(initialValue) {
        \(raw: storage) = .init(initialValue)
      }
      """,
      """
      get {
        if _$state.isObserved {
          _$state.access(self, \(raw: keyPath))
        }
        if let value = \(raw: storage).held {
          return value
        }
        if \(raw: storage).isLoaded {
          return \(raw: storage).value
        }
        return SwiftData._fault(self, \(raw: index), \(raw: storage).value)
      }
      """,
      """
      set {
        if _$state.isUntracked && !\(raw: storage).isRelationship {
          \(raw: storage) = .init(newValue)
        } else if let slot = SwiftData._willSet(self, \(raw: keyPath), \(raw: index), \(raw: storage), to: newValue) {
          \(raw: storage) = slot
          SwiftData._didSet(self, \(raw: keyPath), \(raw: index), slot)
        }
      }
      """,
    ] + (property.isArray ? [modify(property)] : [])
  }
}

extension PersistedPropertyMacro {
  /// Changes a value in place. It does what `get` and `set` do and calls neither: a subclass may override them.
  private static func modify(_ property: StoredProperty) -> AccessorDeclSyntax {
    let storage = property.storageName
    let keyPath = "\\.\(property.identifier.text)"
    let index = "_$Slot.\(property.identifier.text)"
    return """
      _modify {
        if _$state.isObserved {
          _$state.access(self, \(raw: keyPath))
        }
        let edit = if let value = \(raw: storage).held {
          SwiftData._beginEdit(\(raw: storage), value)
        } else if \(raw: storage).isLoaded {
          SwiftData._beginEdit(\(raw: storage), \(raw: storage).value)
        } else {
          SwiftData._beginEdit(\(raw: storage), SwiftData._fault(self, \(raw: index), \(raw: storage).value))
        }
        defer {
          if SwiftData._endEdit(edit, of: self, \(raw: keyPath), \(raw: index), \(raw: storage)) {
          } else if _$state.isUntracked && !\(raw: storage).isRelationship {
            \(raw: storage) = .init(edit.value)
          } else if let slot = SwiftData._willSet(self, \(raw: keyPath), \(raw: index), \(raw: storage), to: edit.value) {
            \(raw: storage) = slot
            SwiftData._didSet(self, \(raw: keyPath), \(raw: index), slot)
          }
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
    // The generated members are isolated to nothing, whatever the class is isolated to.
    let isIsolated = context.lexicalContext.first?.as(ClassDeclSyntax.self)?.attributes.globalActor != nil
    // Unchecked, because the accessors hand on a copy of the slot and put another in its place when the call is over.
    let variable = "@exclusivity(unchecked) private \(isIsolated ? "nonisolated " : "")var \(property.storageName)"
    if let type = property.storedTypeDescription {
      return "\(raw: variable) = SwiftData.\(raw: function)(of: (\(raw: type)).self)"
    }
    let value = property.initialValue?.description ?? "()"
    return "\(raw: variable) = SwiftData.\(raw: function)(inferring: \(raw: value))"
  }
}

/// The form of `PersistedPropertyMacro` for a value that a `ValueTransformer` turns into data: its type may be any.
struct TransformablePersistedPropertyMacro: AccessorMacro, PeerMacro {
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
