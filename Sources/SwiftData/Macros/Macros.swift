/// Makes a class a persistent model: its stored properties are kept by a ``ModelContainer``.
@attached(
  member, conformances: Observable, PersistentModel, Sendable,
  names: named(_$state), named(_$statePointer), named(persistentBackingData), named(schemaMetadata), named(init),
  named(_$Slot), named(_$properties), named(_$load),
  named(_$store), named(_$isEqual), named(access), named(withMutation)
)
@attached(memberAttribute)
@attached(extension, conformances: Observable, PersistentModel, Sendable)
public macro Model() = #externalMacro(module: "SwiftDataMacros", type: "PersistentModelMacro")

/// Gives an actor a ``ModelContext`` of its own, on an executor of its own.
@attached(member, names: named(modelExecutor), named(modelContainer), named(init))
@attached(extension, conformances: ModelActor)
public macro ModelActor() = #externalMacro(module: "SwiftDataMacros", type: "PersistentModelActorMacro")

/// Says how a property's value is stored.
@attached(peer)
public macro Attribute(
  _ options: Schema.Attribute.Option..., originalName: String? = nil, hashModifier: String? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "AttributePropertyMacro")

/// Says how a property relates to other models, and what happens to them when its owner is deleted.
@attached(peer)
public macro Relationship(
  _ options: Schema.Relationship.Option..., deleteRule: Schema.Relationship.DeleteRule = .nullify,
  minimumModelCount: Int? = 0, maximumModelCount: Int? = 0, originalName: String? = nil, inverse: AnyKeyPath? = nil,
  hashModifier: String? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "RelationshipPropertyMacro")

/// Leaves a property out of the store. It needs a default value, or an optional type.
@attached(peer)
public macro Transient() = #externalMacro(module: "SwiftDataMacros", type: "TransientPropertyMacro")

/// Makes each given combination of properties unique: a save that would repeat one updates the row that has it.
@freestanding(declaration)
public macro Unique<T>(_ constraints: [PartialKeyPath<T>]...) =
  #externalMacro(module: "SwiftDataMacros", type: "UniqueConstraintsMacro") where T: PersistentModel

/// Adds an index over each given combination of properties.
@freestanding(declaration)
public macro Index<T>(_ indices: [PartialKeyPath<T>]...) =
  #externalMacro(module: "SwiftDataMacros", type: "IndexMacro") where T: PersistentModel

/// Adds an index of the given kind over each given combination of properties.
@freestanding(declaration)
public macro Index<T>(_ indices: Schema.Index<T>.Types<T>...) =
  #externalMacro(module: "SwiftDataMacros", type: "IndexMacro") where T: PersistentModel

/// The accessors and the storage of one persisted property. `@Model` adds it; source code does not write it.
@attached(accessor, names: named(init), named(get), named(set))
@attached(peer, names: prefixed(`_`))
public macro _PersistedProperty() = #externalMacro(module: "SwiftDataMacros", type: "PersistedPropertyMacro")

/// The accessors and the storage of one transformable property. `@Model` adds it; source code does not write it.
@attached(accessor, names: named(init), named(get), named(set))
@attached(peer, names: prefixed(`_`))
public macro _TransformablePersistedProperty() =
  #externalMacro(module: "SwiftDataMacros", type: "TransformablePersistedPropertyMacro")
