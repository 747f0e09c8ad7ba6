public import Foundation

// The forms of `@Query`, as Apple's, each with the context that is an addition of OpenSwiftData.

/// Shows all models of a class, as they are now.
///
/// ```swift
/// @Query(filter: #Predicate<Book> { $0.isRead }, sort: \.title) var read: [Book]
/// ```
///
/// The macro keeps a ``Query`` beside the property, under its name with an underscore.
@attached(accessor) @attached(peer, names: prefixed(`_`))
public macro Query() = #externalMacro(module: "SwiftDataMacros", type: "QueryMacro")

/// Shows all models of a class of a context, as they are now.
@attached(accessor) @attached(peer, names: prefixed(`_`))
public macro Query(context: ModelContext) = #externalMacro(module: "SwiftDataMacros", type: "QueryMacro")

/// Shows all models of a class, as they are now.
@attached(accessor) @attached(peer, names: prefixed(`_`))
public macro Query(animation: InertAnimation) = #externalMacro(module: "SwiftDataMacros", type: "QueryMacro")

/// Shows all models of a class, as they are now.
@attached(accessor) @attached(peer, names: prefixed(`_`))
public macro Query(transaction: InertTransaction) = #externalMacro(module: "SwiftDataMacros", type: "QueryMacro")

/// Shows what a fetch finds, as it is now.
@attached(accessor) @attached(peer, names: prefixed(`_`))
public macro Query<Value: Comparable, Element: PersistentModel>(
  filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value>, order: SortOrder = .forward,
  animation: InertAnimation, context: ModelContext? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "QueryMacro")

/// Shows what a fetch finds, as it is now.
@attached(accessor) @attached(peer, names: prefixed(`_`))
public macro Query<Value: Comparable, Element: PersistentModel>(
  filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value>, order: SortOrder = .forward,
  transaction: InertTransaction? = nil, context: ModelContext? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "QueryMacro")

/// Shows what a fetch finds, as it is now.
@attached(accessor) @attached(peer, names: prefixed(`_`))
public macro Query<Value: Comparable, Element: PersistentModel>(
  filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value?>, order: SortOrder = .forward,
  animation: InertAnimation, context: ModelContext? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "QueryMacro")

/// Shows what a fetch finds, as it is now.
@attached(accessor) @attached(peer, names: prefixed(`_`))
public macro Query<Value: Comparable, Element: PersistentModel>(
  filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value?>, order: SortOrder = .forward,
  transaction: InertTransaction? = nil, context: ModelContext? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "QueryMacro")

/// Shows what a fetch finds, as it is now.
@attached(accessor) @attached(peer, names: prefixed(`_`))
public macro Query<Element: PersistentModel>(
  filter: Predicate<Element>? = nil, sort descriptors: [SortDescriptor<Element>] = [], animation: InertAnimation,
  context: ModelContext? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "QueryMacro")

/// Shows what a fetch finds, as it is now.
@attached(accessor) @attached(peer, names: prefixed(`_`))
public macro Query<Element: PersistentModel>(
  filter: Predicate<Element>? = nil, sort descriptors: [SortDescriptor<Element>] = [],
  transaction: InertTransaction? = nil, context: ModelContext? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "QueryMacro")

/// Shows what a fetch finds, as it is now.
@attached(accessor) @attached(peer, names: prefixed(`_`))
public macro Query<Element: PersistentModel>(
  _ descriptor: FetchDescriptor<Element>, animation: InertAnimation, context: ModelContext? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "QueryMacro")

/// Shows what a fetch finds, as it is now.
@attached(accessor) @attached(peer, names: prefixed(`_`))
public macro Query<Element: PersistentModel>(
  _ descriptor: FetchDescriptor<Element>, transaction: InertTransaction? = nil, context: ModelContext? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "QueryMacro")

/// Shows what a fetch finds, as it is now, in sections by an attribute.
@attached(accessor) @attached(peer, names: prefixed(`_`))
public macro Query<Value: Comparable, Element: PersistentModel>(
  filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value>, order: SortOrder = .forward,
  animation: InertAnimation, sectionBy sectionKeyPath: KeyPath<Element, String>, context: ModelContext? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "QueryMacro")

/// Shows what a fetch finds, as it is now, in sections by an attribute.
@attached(accessor) @attached(peer, names: prefixed(`_`))
public macro Query<Value: Comparable, Element: PersistentModel>(
  filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value>, order: SortOrder = .forward,
  transaction: InertTransaction? = nil, sectionBy sectionKeyPath: KeyPath<Element, String>, context: ModelContext? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "QueryMacro")

/// Shows what a fetch finds, as it is now, in sections by an attribute.
@attached(accessor) @attached(peer, names: prefixed(`_`))
public macro Query<Value: Comparable, Element: PersistentModel>(
  filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value?>, order: SortOrder = .forward,
  animation: InertAnimation, sectionBy sectionKeyPath: KeyPath<Element, String>, context: ModelContext? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "QueryMacro")

/// Shows what a fetch finds, as it is now, in sections by an attribute.
@attached(accessor) @attached(peer, names: prefixed(`_`))
public macro Query<Value: Comparable, Element: PersistentModel>(
  filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value?>, order: SortOrder = .forward,
  transaction: InertTransaction? = nil, sectionBy sectionKeyPath: KeyPath<Element, String>, context: ModelContext? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "QueryMacro")

/// Shows what a fetch finds, as it is now, in sections by an attribute.
@attached(accessor) @attached(peer, names: prefixed(`_`))
public macro Query<Element: PersistentModel>(
  filter: Predicate<Element>? = nil, sort descriptors: [SortDescriptor<Element>] = [], animation: InertAnimation,
  sectionBy sectionKeyPath: KeyPath<Element, String>, context: ModelContext? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "QueryMacro")

/// Shows what a fetch finds, as it is now, in sections by an attribute.
@attached(accessor) @attached(peer, names: prefixed(`_`))
public macro Query<Element: PersistentModel>(
  filter: Predicate<Element>? = nil, sort descriptors: [SortDescriptor<Element>] = [],
  transaction: InertTransaction? = nil, sectionBy sectionKeyPath: KeyPath<Element, String>, context: ModelContext? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "QueryMacro")

/// Shows what a fetch finds, as it is now, in sections by an attribute.
@attached(accessor) @attached(peer, names: prefixed(`_`))
public macro Query<Element: PersistentModel>(
  _ descriptor: FetchDescriptor<Element>, animation: InertAnimation, sectionBy sectionKeyPath: KeyPath<Element, String>,
  context: ModelContext? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "QueryMacro")

/// Shows what a fetch finds, as it is now, in sections by an attribute.
@attached(accessor) @attached(peer, names: prefixed(`_`))
public macro Query<Element: PersistentModel>(
  _ descriptor: FetchDescriptor<Element>, transaction: InertTransaction? = nil,
  sectionBy sectionKeyPath: KeyPath<Element, String>, context: ModelContext? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "QueryMacro")

/// Shows what a fetch finds, as it is now, in sections by an attribute.
@attached(accessor) @attached(peer, names: prefixed(`_`))
public macro Query<Value: Comparable, Element: PersistentModel>(
  filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value>, order: SortOrder = .forward,
  animation: InertAnimation, sectionBy sectionKeyPath: KeyPath<Element, String?>, context: ModelContext? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "QueryMacro")

/// Shows what a fetch finds, as it is now, in sections by an attribute.
@attached(accessor) @attached(peer, names: prefixed(`_`))
public macro Query<Value: Comparable, Element: PersistentModel>(
  filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value>, order: SortOrder = .forward,
  transaction: InertTransaction? = nil, sectionBy sectionKeyPath: KeyPath<Element, String?>,
  context: ModelContext? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "QueryMacro")

/// Shows what a fetch finds, as it is now, in sections by an attribute.
@attached(accessor) @attached(peer, names: prefixed(`_`))
public macro Query<Value: Comparable, Element: PersistentModel>(
  filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value?>, order: SortOrder = .forward,
  animation: InertAnimation, sectionBy sectionKeyPath: KeyPath<Element, String?>, context: ModelContext? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "QueryMacro")

/// Shows what a fetch finds, as it is now, in sections by an attribute.
@attached(accessor) @attached(peer, names: prefixed(`_`))
public macro Query<Value: Comparable, Element: PersistentModel>(
  filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value?>, order: SortOrder = .forward,
  transaction: InertTransaction? = nil, sectionBy sectionKeyPath: KeyPath<Element, String?>,
  context: ModelContext? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "QueryMacro")

/// Shows what a fetch finds, as it is now, in sections by an attribute.
@attached(accessor) @attached(peer, names: prefixed(`_`))
public macro Query<Element: PersistentModel>(
  filter: Predicate<Element>? = nil, sort descriptors: [SortDescriptor<Element>] = [], animation: InertAnimation,
  sectionBy sectionKeyPath: KeyPath<Element, String?>, context: ModelContext? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "QueryMacro")

/// Shows what a fetch finds, as it is now, in sections by an attribute.
@attached(accessor) @attached(peer, names: prefixed(`_`))
public macro Query<Element: PersistentModel>(
  filter: Predicate<Element>? = nil, sort descriptors: [SortDescriptor<Element>] = [],
  transaction: InertTransaction? = nil, sectionBy sectionKeyPath: KeyPath<Element, String?>,
  context: ModelContext? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "QueryMacro")

/// Shows what a fetch finds, as it is now, in sections by an attribute.
@attached(accessor) @attached(peer, names: prefixed(`_`))
public macro Query<Element: PersistentModel>(
  _ descriptor: FetchDescriptor<Element>, animation: InertAnimation,
  sectionBy sectionKeyPath: KeyPath<Element, String?>, context: ModelContext? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "QueryMacro")

/// Shows what a fetch finds, as it is now, in sections by an attribute.
@attached(accessor) @attached(peer, names: prefixed(`_`))
public macro Query<Element: PersistentModel>(
  _ descriptor: FetchDescriptor<Element>, transaction: InertTransaction? = nil,
  sectionBy sectionKeyPath: KeyPath<Element, String?>, context: ModelContext? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "QueryMacro")
