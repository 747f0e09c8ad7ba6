import SwiftSyntax

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
    var declarations: [String] = []
    if superclass == nil {
      declarations += [state, stateAccess, backingData]
      if model.hasOwnEquality, !model.restatesEquatable { declarations.append(equality) }
    }
    declarations.append(schemaMetadata)
    if inherits { declarations.append(firstSlot) }
    if !inheritsInitializers {
      declarations += [backingDataInitializer, rowInitializer]
    }
    if needsPlainInitializer {
      declarations.append("init() {}")
    }
    declarations += [load, store, observationAccess, observationMutation]
    return declarations.map(DeclSyntax.init(verbatim:))
  }

  /// A subclass that declares no designated initializer inherits all of them, unless an initializer is generated for it.
  private var inheritsInitializers: Bool {
    superclass != nil && !model.hasDesignatedInitializer && constants.isEmpty
  }

  /// The compiler generates no `init()` for a class with generated initializers. With an inheritance clause it might have to be
  /// an override, which the syntax does not show.
  private var needsPlainInitializer: Bool {
    model.syntax.inheritanceClause == nil && !model.hasInitializer
      && !model.properties.contains(where: \.needsInitializer)
  }

  /// Suppresses warnings for deprecated properties in generated members.
  private var deprecation: String {
    properties.contains(where: \.isDeprecated) ? "@available(*, deprecated)\n" : ""
  }

  // Exclusivity is unchecked because calls to the state do not re-enter it; see `_$withState`. As a stored property of a class
  // it has a stable address for the lifetime of the object. It is `nonisolated(unsafe)` because a `Sendable` class, which
  // another file may declare, cannot have a variable that is only `nonisolated`.

  private var state: String {
    """
    @exclusivity(unchecked) \(access)nonisolated(unsafe) final var _$state = SwiftData._ModelState()
    """
  }

  private var stateAccess: String {
    """
    \(access)nonisolated final var _$statePointer: UnsafeMutablePointer<SwiftData._ModelState> {
      withUnsafeMutablePointer(to: &_$state) { $0 }
    }
    """
  }

  private var backingData: String {
    """
    \(access)nonisolated var persistentBackingData: any SwiftData.BackingData<\(name)> {
      get {
        SwiftData._backingData(of: self)
      }
      set {
        SwiftData._adopt(newValue, by: self)
      }
    }
    """
  }

  /// Forwards `Equatable` to the class's own operator. Without it the compiler finds the operator twice, because the
  /// conformance comes from a macro, and rejects the class.
  private var equality: String {
    """
    @_implements(Equatable, ==(_:_:))
    \(access)nonisolated static func _$isEqual(_ lhs: \(name), _ rhs: \(name)) -> Bool {
      lhs == rhs
    }
    """
  }

  // Called once for a class, and its longest member, so optimizing it would take more time than it saves.
  private var schemaMetadata: String {
    let entries = properties.map { property in
      """
      SwiftData.Schema.PropertyMetadata(name: "\(property.name)", keypath: \\\(name).\(property.identifier.text), \
      defaultValue: \(property.typedInitialValue ?? "nil"), metadata: \(metadata(of: property)))
      """
    }
    let constraints =
      model.indexArguments.map { constraint("Index", $0) } + model.uniqueArguments.map { constraint("Unique", $0) }
    let list = (entries + constraints).map { "      \($0),\n" }.joined()
    return """
      \(deprecation)\(model.isFinal ? access : model.overridableAccess)nonisolated \(override)\(typeMember) var schemaMetadata: [SwiftData.Schema.PropertyMetadata] {
        @_optimize(none) get {
          [
      \(list)    ]
        }
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

  private var inherits: Bool { model.syntax.inheritanceClause != nil }

  /// The first position of the class's own properties in the row of the whole inheritance chain.
  ///
  /// In a class with an inheritance clause, the accessor macro cannot know whether the superclass is a model.
  private var firstSlot: String {
    """
    private nonisolated enum _$Slot {
      static let first = \(superclass.map { "SwiftData._propertyCount(of: \($0).self)" } ?? "0")
    }
    """
  }

  /// The position of one of the class's own properties in the row.
  static func index(_ own: String, inherits: Bool) -> String {
    inherits ? "_$Slot.first + \(own)" : own
  }

  /// The properties with their positions in the row.
  private var indexed: [(property: StoredProperty, index: String)] {
    properties.enumerated().map { ($1, Self.index("\($0)", inherits: inherits)) }
  }

  private var backingDataInitializer: String {
    let constants = constants.map(\.identifier.text)
      .map { "  self.\($0) = backingData.getValue(forKey: \\.\($0))\n" }
    if let superclass {
      let own = self.constants.map {
        "  self.\($0.identifier.text) = SwiftData._constant(\\\(name).\($0.identifier.text), of: backingData)\n"
      }
      return """
        \(access)nonisolated required init(backingData: any SwiftData.BackingData<\(superclass).Root>) {
        \(own.joined())  super.init(backingData: backingData)
        }
        """
    }
    return """
      \(access)nonisolated \(required)init(backingData: any SwiftData.BackingData<\(name)>) {
      \(constants.joined())  SwiftData._adopt(backingData, by: self)
      }
      """
  }

  private var rowInitializer: String {
    let constants = indexed.filter(\.property.isConstant)
      .map { "  self.\($0.property.identifier.text) = SwiftData._constant(row, \($0.index))\n" }
    let delegation =
      superclass == nil ? "  _$load(row)\n  _$state.begin(origin)\n" : "  super.init(_$origin: origin, row: row)\n"
    return """
      \(access)nonisolated \(required)init(_$origin origin: SwiftData._ModelOrigin, row: borrowing SwiftData._RowReader) {
      \(constants.joined())\(delegation)}
      """
  }

  private var load: String {
    let reads = indexed.filter { !$0.property.isConstant }.map { property, index in
      "  \(property.storageName).\(property.isTransformable ? "readTransformable" : "read")(row, \(index))\n"
    }
    let inherited = superclass == nil ? "" : "  super._$load(row)\n"
    return """
      \(model.overridableAccess)nonisolated \(override)func _$load(_ row: SwiftData._RowReader) {
      \(inherited)\(reads.joined())}
      """
  }

  private var store: String {
    let writes = indexed.map { property, index in
      if property.isConstant {
        return "  SwiftData._writeConstant(self.\(property.identifier.text), row, \(index))\n"
      }
      return "  \(property.storageName).\(property.isTransformable ? "writeTransformable" : "write")(row, \(index))\n"
    }
    let inherited = superclass == nil ? "" : "  super._$store(row)\n"
    return """
      \(model.overridableAccess)nonisolated \(override)func _$store(_ row: SwiftData._RowWriter) {
      \(inherited)\(writes.joined())}
      """
  }

  private var observationAccess: String {
    """
    internal nonisolated func access<_$Value>(keyPath: KeyPath<\(name), _$Value>) {
      _$state.access(self, keyPath)
    }
    """
  }

  private var observationMutation: String {
    """
    internal nonisolated func withMutation<_$Value, _$Result>(keyPath: KeyPath<\(name), _$Value>, _ mutation: () throws -> _$Result) rethrows -> _$Result {
      try SwiftData._withMutation(of: self, keyPath: keyPath, mutation)
    }
    """
  }
}
