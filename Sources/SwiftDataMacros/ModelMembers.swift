import SwiftSyntax
import SwiftSyntaxBuilder

/// The members that `@Model` adds to a class.
struct ModelMembers {
  let model: ModelDeclaration
  /// The superclass when it is itself a model.
  let superclass: TypeSyntax?

  private var name: String { model.name }
  private var properties: [StoredProperty] { model.persistedProperties }
  private var constants: [StoredProperty] { properties.filter(\.isConstant) }
  private var required: String { model.isFinal && superclass == nil ? "" : "required " }
  private var override: String { superclass == nil ? "" : "override " }
  private var typeMember: String { model.isFinal ? "static" : "class" }
  private var access: String { model.access }

  var declarations: [DeclSyntax] {
    var declarations: [DeclSyntax] = []
    if superclass == nil {
      declarations += [state, stateAccess, backingData]
      if model.hasOwnEquality, !model.restatesEquatable { declarations.append(equality) }
    }
    declarations += [schemaMetadata, slotIndices, propertyList]
    if !inheritsInitializers {
      declarations += [backingDataInitializer, rowInitializer]
    }
    if needsPlainInitializer {
      declarations.append("init() {}")
    }
    declarations += [load, store, observationAccess, observationMutation]
    return declarations
  }

  /// A subclass that declares no designated initializer inherits all of them, but only if none is generated for it.
  private var inheritsInitializers: Bool {
    superclass != nil && !model.hasDesignatedInitializer && constants.isEmpty
  }

  /// The compiler makes no `init()` for a class with generated initializers. With an inheritance clause it could be one
  /// that overrides, which syntax does not tell.
  private var needsPlainInitializer: Bool {
    model.syntax.inheritanceClause == nil && !model.hasInitializer
      && !model.properties.contains(where: \.needsInitializer)
  }

  /// Keeps the compiler from warning of deprecated properties in generated members.
  private var deprecation: String {
    properties.contains(where: \.isDeprecated) ? "@available(*, deprecated)\n" : ""
  }

  // Exclusivity is unchecked because what the state is told comes back to no state; see `_$withState`. As a stored
  // property of a class it has one address for as long as the object is there. It is unsafe because a class that is
  // `Sendable`, by a word that may stand in another file, can have no variable that is just `nonisolated`.

  private var state: DeclSyntax {
    """
    @exclusivity(unchecked) \(raw: access)nonisolated(unsafe) final var _$state = SwiftData._ModelState()
    """
  }

  private var stateAccess: DeclSyntax {
    """
    \(raw: access)nonisolated final var _$statePointer: UnsafeMutablePointer<SwiftData._ModelState> {
      withUnsafeMutablePointer(to: &_$state) { $0 }
    }
    """
  }

  private var backingData: DeclSyntax {
    """
    \(raw: access)nonisolated var persistentBackingData: any SwiftData.BackingData<\(raw: name)> {
      get {
        SwiftData._backingData(of: self)
      }
      set {
        SwiftData._adopt(newValue, by: self)
      }
    }
    """
  }

  /// The way from `Equatable` to the class's own operator. Without it the compiler finds that twice, because the
  /// conformance comes from a macro, and refuses the class.
  private var equality: DeclSyntax {
    """
    @_implements(Equatable, ==(_:_:))
    \(raw: access)nonisolated static func _$isEqual(_ lhs: \(raw: name), _ rhs: \(raw: name)) -> Bool {
      lhs == rhs
    }
    """
  }

  private var schemaMetadata: DeclSyntax {
    let entries = properties.map { property in
      """
      SwiftData.Schema.PropertyMetadata(name: "\(property.name)", keypath: \\\(name).\(property.identifier.text), \
      defaultValue: \(property.typedInitialValue ?? "nil"), metadata: \(metadata(of: property)))
      """
    }
    let constraints =
      model.indexArguments.map { constraint("Index", $0) } + model.uniqueArguments.map { constraint("Unique", $0) }
    let list = (entries + constraints).map { "    \($0),\n" }.joined()
    return """
      \(raw: deprecation)\(raw: model.isFinal ? access : model.overridableAccess)nonisolated \(raw: override)\(raw: typeMember) var schemaMetadata: [SwiftData.Schema.PropertyMetadata] {
        [
      \(raw: list)  ]
      }
      """
  }

  private func metadata(of property: StoredProperty) -> String {
    for (attribute, type) in [("Attribute", "Attribute"), ("Relationship", "Relationship")] {
      guard let syntax = property.attribute(named: attribute) else { continue }
      guard case .argumentList(let arguments)? = syntax.arguments else { return "SwiftData.Schema.\(type)()" }
      return "SwiftData.Schema.\(type)(\(arguments.trimmedDescription))"
    }
    return "nil"
  }

  private func constraint(_ kind: String, _ arguments: LabeledExprListSyntax) -> String {
    """
    SwiftData.Schema.PropertyMetadata(name: "SwiftData.Schema.\(kind)", keypath: \\SwiftData.Schema.encodingVersion, \
    defaultValue: nil, metadata: SwiftData.Schema.\(kind)<\(name)>(\(arguments.trimmedDescription)))
    """
  }

  /// Positions in the row of the whole inheritance chain; a constant for a class that inherits from no model.
  private var slotIndices: DeclSyntax {
    let first = superclass.map { "SwiftData._propertyCount(of: \($0).self) + " } ?? ""
    let cases = properties.enumerated().map { index, property in
      "  static let \(property.identifier.text) = \(first)\(index)\n"
    }
    return """
      private nonisolated enum _$Slot {
      \(raw: cases.joined())}
      """
  }

  private var propertyList: DeclSyntax {
    let entries = properties.map { property in
      let keyPath = "\\\(name).\(property.identifier.text)"
      if property.isConstant {
        return "SwiftData._constantProperty(\(keyPath))"
      }
      let function = property.isTransformable ? "_transformableProperty" : "_property"
      let storage = property.storageName
      return "SwiftData.\(function)(\(keyPath), { $0.\(storage) }, { $0.\(storage) = $1 })"
    }
    let list = entries.map { "    \($0),\n" }.joined()
    return """
      \(raw: deprecation)\(raw: model.isFinal ? access : model.overridableAccess)nonisolated \(raw: override)\(raw: typeMember) var _$properties: [SwiftData._ModelProperty] {
        [
      \(raw: list)  ]
      }
      """
  }

  private var backingDataInitializer: DeclSyntax {
    let constants = constants.map(\.identifier.text)
      .map { "  self.\($0) = backingData.getValue(forKey: \\.\($0))\n" }
    if let superclass {
      let own = self.constants.map {
        "  self.\($0.identifier.text) = SwiftData._constant(\\\(name).\($0.identifier.text), of: backingData)\n"
      }
      return """
        \(raw: access)nonisolated required init(backingData: any SwiftData.BackingData<\(superclass).Root>) {
        \(raw: own.joined())  super.init(backingData: backingData)
        }
        """
    }
    return """
      \(raw: access)nonisolated \(raw: required)init(backingData: any SwiftData.BackingData<\(raw: name)>) {
      \(raw: constants.joined())  SwiftData._adopt(backingData, by: self)
      }
      """
  }

  private var rowInitializer: DeclSyntax {
    let constants = constants.map(\.identifier.text)
      .map { "  self.\($0) = SwiftData._constant(row, _$Slot.\($0))\n" }
    let delegation =
      superclass == nil ? "  _$load(row)\n  _$state.begin(origin)\n" : "  super.init(_$origin: origin, row: row)\n"
    return """
      \(raw: access)nonisolated \(raw: required)init(_$origin origin: SwiftData._ModelOrigin, row: borrowing SwiftData._RowReader) {
      \(raw: constants.joined())\(raw: delegation)}
      """
  }

  private var load: DeclSyntax {
    let reads = properties.filter { !$0.isConstant }.map { property in
      "  \(property.storageName).\(property.isTransformable ? "readTransformable" : "read")(row, _$Slot.\(property.identifier.text))\n"
    }
    let inherited = superclass == nil ? "" : "  super._$load(row)\n"
    // Part of the initializer where it can be: nothing that a new object has must be given up for what is read.
    let inlining = model.isFinal && superclass == nil ? "@inline(__always)\n" : ""
    return """
      \(raw: inlining)\(raw: model.overridableAccess)nonisolated \(raw: override)func _$load(_ row: SwiftData._RowReader) {
      \(raw: inherited)\(raw: reads.joined())}
      """
  }

  private var store: DeclSyntax {
    let writes = properties.map { property in
      let index = "_$Slot.\(property.identifier.text)"
      if property.isConstant {
        return "  SwiftData._writeConstant(self.\(property.identifier.text), row, \(index))\n"
      }
      return "  \(property.storageName).\(property.isTransformable ? "writeTransformable" : "write")(row, \(index))\n"
    }
    let inherited = superclass == nil ? "" : "  super._$store(row)\n"
    return """
      \(raw: model.overridableAccess)nonisolated \(raw: override)func _$store(_ row: SwiftData._RowWriter) {
      \(raw: inherited)\(raw: writes.joined())}
      """
  }

  private var observationAccess: DeclSyntax {
    """
    internal nonisolated func access<_$Value>(keyPath: KeyPath<\(raw: name), _$Value>) {
      _$state.access(self, keyPath)
    }
    """
  }

  private var observationMutation: DeclSyntax {
    """
    internal nonisolated func withMutation<_$Value, _$Result>(keyPath: KeyPath<\(raw: name), _$Value>, _ mutation: () throws -> _$Result) rethrows -> _$Result {
      try SwiftData._withMutation(of: self, keyPath: keyPath, mutation)
    }
    """
  }
}
