/// Makes a class a persistent model, whose stored properties are kept in a store of a ``ModelContainer``.
@attached(
  member, conformances: Observable, PersistentModel, Sendable,
  names: named(_$state), named(_$statePointer), named(persistentBackingData), named(schemaMetadata), named(init),
  named(_$Slot), named(_$load), named(_$store), named(_$isEqual), named(access), named(withMutation)
)
@attached(memberAttribute)
@attached(extension, conformances: Observable, PersistentModel, Sendable)
public macro Model() = #externalMacro(module: "SwiftDataMacros", type: "PersistentModelMacro")

/// Gives an actor a ``ModelContext`` of its own, and an executor on which that context is used.
///
/// The macro adds the initializer `init(modelContainer:)`, unless the actor declares it. The macro also leaves it out
/// when the actor has another initializer and stored properties without an initial value.
@attached(member, names: named(modelExecutor), named(modelContainer), named(init))
@attached(extension, conformances: ModelActor)
public macro ModelActor() = #externalMacro(module: "SwiftDataMacros", type: "PersistentModelActorMacro")

/// Sets how the value of a property is stored.
///
/// - Parameters:
///   - options: How the value is stored.
///   - originalName: The previous name of a renamed property.
///   - hashModifier: Text that makes the version hash of the schema differ.
@attached(peer)
public macro Attribute(
  _ options: Schema.Attribute.Option..., originalName: String? = nil, hashModifier: String? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "AttributePropertyMacro")

/// Sets how a property relates to other models, and what happens to them when its owner is deleted.
///
/// - Parameters:
///   - options: Options of the relationship.
///   - deleteRule: What happens to the related models when the owner is deleted.
///   - minimumModelCount: The least number of members of a to-many; zero or nil for no limit.
///   - maximumModelCount: The greatest number of members of a to-many; zero or nil for no limit.
///   - originalName: The previous name of a renamed property.
///   - inverse: The property of the related model that leads back. When the argument is omitted, the inverse is looked
///     for. When `nil` is written, the relationship has no inverse.
///   - hashModifier: Text that makes the version hash of the schema differ.
@attached(peer)
public macro Relationship(
  _ options: Schema.Relationship.Option..., deleteRule: Schema.Relationship.DeleteRule = .nullify,
  minimumModelCount: Int? = 0, maximumModelCount: Int? = 0, originalName: String? = nil, inverse: AnyKeyPath? = nil,
  hashModifier: String? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "RelationshipPropertyMacro")

/// Leaves a property out of the store.
///
/// The property needs a default value or an optional type.
@attached(peer)
public macro Transient() = #externalMacro(module: "SwiftDataMacros", type: "TransientPropertyMacro")

/// Makes each of the given combinations of properties unique.
///
/// When an inserted model has the same values as a row in one of the combinations, the save updates that row instead of
/// adding another one. When a saved model is given values that another row keeps, the save throws. `nil` is equal to
/// nothing here.
@freestanding(declaration)
public macro Unique<T>(_ constraints: [PartialKeyPath<T>]...) =
  #externalMacro(module: "SwiftDataMacros", type: "UniqueConstraintsMacro") where T: PersistentModel

/// Adds an index over each of the given combinations of properties.
@freestanding(declaration)
public macro Index<T>(_ indices: [PartialKeyPath<T>]...) =
  #externalMacro(module: "SwiftDataMacros", type: "IndexMacro") where T: PersistentModel

/// Adds indexes of the given kinds, each over a combination of properties.
///
/// Both kinds are kept as ordinary indexes; there is no separate spatial index.
@freestanding(declaration)
public macro Index<T>(_ indices: Schema.Index<T>.Types<T>...) =
  #externalMacro(module: "SwiftDataMacros", type: "IndexMacro") where T: PersistentModel

/// The accessors and the storage of one persisted property. `@Model` adds it; source code does not write it.
@attached(accessor, names: named(init), named(get), named(set))
@attached(peer, names: prefixed(`_`))
public macro _PersistedProperty(_ index: Int = 0) =
  #externalMacro(module: "SwiftDataMacros", type: "PersistedPropertyMacro")

/// The accessors and the storage of one transformable property. `@Model` adds it; source code does not write it.
@attached(accessor, names: named(init), named(get), named(set))
@attached(peer, names: prefixed(`_`))
public macro _TransformablePersistedProperty(_ index: Int = 0) =
  #externalMacro(module: "SwiftDataMacros", type: "TransformablePersistedPropertyMacro")
