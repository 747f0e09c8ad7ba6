public import Foundation

// Apple's initializers, for each way to specify the fetch and the order, with and without sections. Apple's pairs with an
// animation or a transaction are one initializer here: these have no effect without SwiftUI. The last parameter of each is
// an addition of OpenSwiftData: the context, if it is not that of the container of `withModelContainer`.

extension Query where Result == [Element] {
  /// Shows what a fetch finds.
  ///
  /// - Parameters:
  ///   - filter: The condition on the models; all models of the class when nil.
  ///   - keyPath: The property that orders the models.
  ///   - order: The direction: `.forward` puts the smallest value first, `.reverse` the largest.
  ///   - animation: Has no effect.
  ///   - transaction: Has no effect.
  ///   - context: The context that fetches; nil for the one of the container of ``withModelContainer(_:_:)``.
  public init<Value: Comparable>(
    filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value>, order: SortOrder = .forward,
    animation: InertAnimation? = nil, transaction: InertTransaction? = nil, context: ModelContext? = nil
  ) {
    self.init(Self.descriptor(filter, keyPath, order), nil, context, \.models)
  }

  /// Shows what a fetch finds.
  ///
  /// - Parameters:
  ///   - filter: The condition on the models; all models of the class when nil.
  ///   - keyPath: The property that orders the models.
  ///   - order: The direction: `.forward` puts the smallest value first, `.reverse` the largest.
  ///   - animation: Has no effect.
  ///   - transaction: Has no effect.
  ///   - context: The context that fetches; nil for the one of the container of ``withModelContainer(_:_:)``.
  public init<Value: Comparable>(
    filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value?>, order: SortOrder = .forward,
    animation: InertAnimation? = nil, transaction: InertTransaction? = nil, context: ModelContext? = nil
  ) {
    self.init(Self.descriptor(filter, keyPath, order), nil, context, \.models)
  }

  /// Shows what a fetch finds.
  ///
  /// - Parameters:
  ///   - filter: The condition on the models; all models of the class when nil.
  ///   - descriptors: The order of the models; no particular one when empty.
  ///   - animation: Has no effect.
  ///   - transaction: Has no effect.
  ///   - context: The context that fetches; nil for the one of the container of ``withModelContainer(_:_:)``.
  public init(
    filter: Predicate<Element>? = nil, sort descriptors: [SortDescriptor<Element>] = [],
    animation: InertAnimation? = nil, transaction: InertTransaction? = nil, context: ModelContext? = nil
  ) {
    self.init(FetchDescriptor(predicate: filter, sortBy: descriptors), nil, context, \.models)
  }

  /// Shows what a fetch finds.
  ///
  /// - Parameters:
  ///   - descriptor: Selects the models and their order.
  ///   - animation: Has no effect.
  ///   - transaction: Has no effect.
  ///   - context: The context that fetches; nil for the one of the container of ``withModelContainer(_:_:)``.
  public init(
    _ descriptor: FetchDescriptor<Element>, animation: InertAnimation? = nil, transaction: InertTransaction? = nil,
    context: ModelContext? = nil
  ) {
    self.init(descriptor, nil, context, \.models)
  }
}

extension Query where Result == SectionedResults<Element, String> {
  /// Shows what a fetch finds, in sections by an attribute.
  ///
  /// - Parameters:
  ///   - filter: The condition on the models; all models of the class when nil.
  ///   - keyPath: The property that orders the models.
  ///   - order: The direction: `.forward` puts the smallest value first, `.reverse` the largest.
  ///   - animation: Has no effect.
  ///   - transaction: Has no effect.
  ///   - section: The key path of an attribute, whose values are the titles of the sections.
  ///   - context: The context that fetches; nil for the one of the container of ``withModelContainer(_:_:)``.
  public init<Value: Comparable>(
    filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value>, order: SortOrder = .forward,
    animation: InertAnimation? = nil, transaction: InertTransaction? = nil,
    sectionBy section: KeyPath<Element, String>, context: ModelContext? = nil
  ) {
    self.init(Self.descriptor(filter, keyPath, order), ResultsSectioning(section), context, \.sections)
  }

  /// Shows what a fetch finds, in sections by an attribute.
  ///
  /// - Parameters:
  ///   - filter: The condition on the models; all models of the class when nil.
  ///   - keyPath: The property that orders the models.
  ///   - order: The direction: `.forward` puts the smallest value first, `.reverse` the largest.
  ///   - animation: Has no effect.
  ///   - transaction: Has no effect.
  ///   - section: The key path of an attribute, whose values are the titles of the sections.
  ///   - context: The context that fetches; nil for the one of the container of ``withModelContainer(_:_:)``.
  public init<Value: Comparable>(
    filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value?>, order: SortOrder = .forward,
    animation: InertAnimation? = nil, transaction: InertTransaction? = nil,
    sectionBy section: KeyPath<Element, String>, context: ModelContext? = nil
  ) {
    self.init(Self.descriptor(filter, keyPath, order), ResultsSectioning(section), context, \.sections)
  }

  /// Shows what a fetch finds, in sections by an attribute.
  ///
  /// - Parameters:
  ///   - filter: The condition on the models; all models of the class when nil.
  ///   - descriptors: The order of the models; no particular one when empty.
  ///   - animation: Has no effect.
  ///   - transaction: Has no effect.
  ///   - section: The key path of an attribute, whose values are the titles of the sections.
  ///   - context: The context that fetches; nil for the one of the container of ``withModelContainer(_:_:)``.
  public init(
    filter: Predicate<Element>? = nil, sort descriptors: [SortDescriptor<Element>] = [],
    animation: InertAnimation? = nil, transaction: InertTransaction? = nil,
    sectionBy section: KeyPath<Element, String>, context: ModelContext? = nil
  ) {
    self.init(FetchDescriptor(predicate: filter, sortBy: descriptors), ResultsSectioning(section), context, \.sections)
  }

  /// Shows what a fetch finds, in sections by an attribute.
  ///
  /// - Parameters:
  ///   - descriptor: Selects the models and their order.
  ///   - animation: Has no effect.
  ///   - transaction: Has no effect.
  ///   - section: The key path of an attribute, whose values are the titles of the sections.
  ///   - context: The context that fetches; nil for the one of the container of ``withModelContainer(_:_:)``.
  public init(
    _ descriptor: FetchDescriptor<Element>, animation: InertAnimation? = nil, transaction: InertTransaction? = nil,
    sectionBy section: KeyPath<Element, String>, context: ModelContext? = nil
  ) {
    self.init(descriptor, ResultsSectioning(section), context, \.sections)
  }

  /// Shows what a fetch finds, in sections by an attribute; models without one are in the section "".
  ///
  /// - Parameters:
  ///   - filter: The condition on the models; all models of the class when nil.
  ///   - keyPath: The property that orders the models.
  ///   - order: The direction: `.forward` puts the smallest value first, `.reverse` the largest.
  ///   - animation: Has no effect.
  ///   - transaction: Has no effect.
  ///   - section: The key path of an attribute, whose values are the titles of the sections.
  ///   - context: The context that fetches; nil for the one of the container of ``withModelContainer(_:_:)``.
  public init<Value: Comparable>(
    filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value>, order: SortOrder = .forward,
    animation: InertAnimation? = nil, transaction: InertTransaction? = nil,
    sectionBy section: KeyPath<Element, String?>, context: ModelContext? = nil
  ) {
    self.init(Self.descriptor(filter, keyPath, order), ResultsSectioning(section), context, \.sections)
  }

  /// Shows what a fetch finds, in sections by an attribute; models without one are in the section "".
  ///
  /// - Parameters:
  ///   - filter: The condition on the models; all models of the class when nil.
  ///   - keyPath: The property that orders the models.
  ///   - order: The direction: `.forward` puts the smallest value first, `.reverse` the largest.
  ///   - animation: Has no effect.
  ///   - transaction: Has no effect.
  ///   - section: The key path of an attribute, whose values are the titles of the sections.
  ///   - context: The context that fetches; nil for the one of the container of ``withModelContainer(_:_:)``.
  public init<Value: Comparable>(
    filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value?>, order: SortOrder = .forward,
    animation: InertAnimation? = nil, transaction: InertTransaction? = nil,
    sectionBy section: KeyPath<Element, String?>, context: ModelContext? = nil
  ) {
    self.init(Self.descriptor(filter, keyPath, order), ResultsSectioning(section), context, \.sections)
  }

  /// Shows what a fetch finds, in sections by an attribute; models without one are in the section "".
  ///
  /// - Parameters:
  ///   - filter: The condition on the models; all models of the class when nil.
  ///   - descriptors: The order of the models; no particular one when empty.
  ///   - animation: Has no effect.
  ///   - transaction: Has no effect.
  ///   - section: The key path of an attribute, whose values are the titles of the sections.
  ///   - context: The context that fetches; nil for the one of the container of ``withModelContainer(_:_:)``.
  public init(
    filter: Predicate<Element>? = nil, sort descriptors: [SortDescriptor<Element>] = [],
    animation: InertAnimation? = nil, transaction: InertTransaction? = nil,
    sectionBy section: KeyPath<Element, String?>, context: ModelContext? = nil
  ) {
    self.init(FetchDescriptor(predicate: filter, sortBy: descriptors), ResultsSectioning(section), context, \.sections)
  }

  /// Shows what a fetch finds, in sections by an attribute; models without one are in the section "".
  ///
  /// - Parameters:
  ///   - descriptor: Selects the models and their order.
  ///   - animation: Has no effect.
  ///   - transaction: Has no effect.
  ///   - section: The key path of an attribute, whose values are the titles of the sections.
  ///   - context: The context that fetches; nil for the one of the container of ``withModelContainer(_:_:)``.
  public init(
    _ descriptor: FetchDescriptor<Element>, animation: InertAnimation? = nil, transaction: InertTransaction? = nil,
    sectionBy section: KeyPath<Element, String?>, context: ModelContext? = nil
  ) {
    self.init(descriptor, ResultsSectioning(section), context, \.sections)
  }
}

// The form `@Query(sort: \.date, sectionBy: \.list) var items: [Item]`, with the sections in `_items.sections`.
extension Query where Result == [Element] {
  /// Shows what a fetch finds, in sections by an attribute.
  ///
  /// - Parameters:
  ///   - filter: The condition on the models; all models of the class when nil.
  ///   - keyPath: The property that orders the models.
  ///   - order: The direction: `.forward` puts the smallest value first, `.reverse` the largest.
  ///   - animation: Has no effect.
  ///   - transaction: Has no effect.
  ///   - section: The key path of an attribute, whose values are the titles of the sections.
  ///   - context: The context that fetches; nil for the one of the container of ``withModelContainer(_:_:)``.
  @_disfavoredOverload
  public init<Value: Comparable>(
    filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value>, order: SortOrder = .forward,
    animation: InertAnimation? = nil, transaction: InertTransaction? = nil,
    sectionBy section: KeyPath<Element, String>, context: ModelContext? = nil
  ) {
    self.init(Self.descriptor(filter, keyPath, order), ResultsSectioning(section), context, \.models)
  }

  /// Shows what a fetch finds, in sections by an attribute.
  ///
  /// - Parameters:
  ///   - filter: The condition on the models; all models of the class when nil.
  ///   - keyPath: The property that orders the models.
  ///   - order: The direction: `.forward` puts the smallest value first, `.reverse` the largest.
  ///   - animation: Has no effect.
  ///   - transaction: Has no effect.
  ///   - section: The key path of an attribute, whose values are the titles of the sections.
  ///   - context: The context that fetches; nil for the one of the container of ``withModelContainer(_:_:)``.
  @_disfavoredOverload
  public init<Value: Comparable>(
    filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value?>, order: SortOrder = .forward,
    animation: InertAnimation? = nil, transaction: InertTransaction? = nil,
    sectionBy section: KeyPath<Element, String>, context: ModelContext? = nil
  ) {
    self.init(Self.descriptor(filter, keyPath, order), ResultsSectioning(section), context, \.models)
  }

  /// Shows what a fetch finds, in sections by an attribute.
  ///
  /// - Parameters:
  ///   - filter: The condition on the models; all models of the class when nil.
  ///   - descriptors: The order of the models; no particular one when empty.
  ///   - animation: Has no effect.
  ///   - transaction: Has no effect.
  ///   - section: The key path of an attribute, whose values are the titles of the sections.
  ///   - context: The context that fetches; nil for the one of the container of ``withModelContainer(_:_:)``.
  @_disfavoredOverload
  public init(
    filter: Predicate<Element>? = nil, sort descriptors: [SortDescriptor<Element>] = [],
    animation: InertAnimation? = nil, transaction: InertTransaction? = nil,
    sectionBy section: KeyPath<Element, String>, context: ModelContext? = nil
  ) {
    self.init(FetchDescriptor(predicate: filter, sortBy: descriptors), ResultsSectioning(section), context, \.models)
  }

  /// Shows what a fetch finds, in sections by an attribute.
  ///
  /// - Parameters:
  ///   - descriptor: Selects the models and their order.
  ///   - animation: Has no effect.
  ///   - transaction: Has no effect.
  ///   - section: The key path of an attribute, whose values are the titles of the sections.
  ///   - context: The context that fetches; nil for the one of the container of ``withModelContainer(_:_:)``.
  @_disfavoredOverload
  public init(
    _ descriptor: FetchDescriptor<Element>, animation: InertAnimation? = nil, transaction: InertTransaction? = nil,
    sectionBy section: KeyPath<Element, String>, context: ModelContext? = nil
  ) {
    self.init(descriptor, ResultsSectioning(section), context, \.models)
  }

  /// Shows what a fetch finds, in sections by an attribute; models without one are in the section "".
  ///
  /// - Parameters:
  ///   - filter: The condition on the models; all models of the class when nil.
  ///   - keyPath: The property that orders the models.
  ///   - order: The direction: `.forward` puts the smallest value first, `.reverse` the largest.
  ///   - animation: Has no effect.
  ///   - transaction: Has no effect.
  ///   - section: The key path of an attribute, whose values are the titles of the sections.
  ///   - context: The context that fetches; nil for the one of the container of ``withModelContainer(_:_:)``.
  @_disfavoredOverload
  public init<Value: Comparable>(
    filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value>, order: SortOrder = .forward,
    animation: InertAnimation? = nil, transaction: InertTransaction? = nil,
    sectionBy section: KeyPath<Element, String?>, context: ModelContext? = nil
  ) {
    self.init(Self.descriptor(filter, keyPath, order), ResultsSectioning(section), context, \.models)
  }

  /// Shows what a fetch finds, in sections by an attribute; models without one are in the section "".
  ///
  /// - Parameters:
  ///   - filter: The condition on the models; all models of the class when nil.
  ///   - keyPath: The property that orders the models.
  ///   - order: The direction: `.forward` puts the smallest value first, `.reverse` the largest.
  ///   - animation: Has no effect.
  ///   - transaction: Has no effect.
  ///   - section: The key path of an attribute, whose values are the titles of the sections.
  ///   - context: The context that fetches; nil for the one of the container of ``withModelContainer(_:_:)``.
  @_disfavoredOverload
  public init<Value: Comparable>(
    filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value?>, order: SortOrder = .forward,
    animation: InertAnimation? = nil, transaction: InertTransaction? = nil,
    sectionBy section: KeyPath<Element, String?>, context: ModelContext? = nil
  ) {
    self.init(Self.descriptor(filter, keyPath, order), ResultsSectioning(section), context, \.models)
  }

  /// Shows what a fetch finds, in sections by an attribute; models without one are in the section "".
  ///
  /// - Parameters:
  ///   - filter: The condition on the models; all models of the class when nil.
  ///   - descriptors: The order of the models; no particular one when empty.
  ///   - animation: Has no effect.
  ///   - transaction: Has no effect.
  ///   - section: The key path of an attribute, whose values are the titles of the sections.
  ///   - context: The context that fetches; nil for the one of the container of ``withModelContainer(_:_:)``.
  @_disfavoredOverload
  public init(
    filter: Predicate<Element>? = nil, sort descriptors: [SortDescriptor<Element>] = [],
    animation: InertAnimation? = nil, transaction: InertTransaction? = nil,
    sectionBy section: KeyPath<Element, String?>, context: ModelContext? = nil
  ) {
    self.init(FetchDescriptor(predicate: filter, sortBy: descriptors), ResultsSectioning(section), context, \.models)
  }

  /// Shows what a fetch finds, in sections by an attribute; models without one are in the section "".
  ///
  /// - Parameters:
  ///   - descriptor: Selects the models and their order.
  ///   - animation: Has no effect.
  ///   - transaction: Has no effect.
  ///   - section: The key path of an attribute, whose values are the titles of the sections.
  ///   - context: The context that fetches; nil for the one of the container of ``withModelContainer(_:_:)``.
  @_disfavoredOverload
  public init(
    _ descriptor: FetchDescriptor<Element>, animation: InertAnimation? = nil, transaction: InertTransaction? = nil,
    sectionBy section: KeyPath<Element, String?>, context: ModelContext? = nil
  ) {
    self.init(descriptor, ResultsSectioning(section), context, \.models)
  }
}

extension Query {
  private static func descriptor<Value: Comparable>(
    _ filter: Predicate<Element>?, _ keyPath: KeyPath<Element, Value>, _ order: SortOrder
  ) -> FetchDescriptor<Element> {
    // A key path of a model's property captures nothing.
    let keyPath = unsafeBitCast(keyPath, to: (any KeyPath<Element, Value> & Sendable).self)
    return FetchDescriptor(predicate: filter, sortBy: [SortDescriptor(keyPath, order: order)])
  }

  private static func descriptor<Value: Comparable>(
    _ filter: Predicate<Element>?, _ keyPath: KeyPath<Element, Value?>, _ order: SortOrder
  ) -> FetchDescriptor<Element> {
    let keyPath = unsafeBitCast(keyPath, to: (any KeyPath<Element, Value?> & Sendable).self)
    return FetchDescriptor(predicate: filter, sortBy: [SortDescriptor(keyPath, order: order)])
  }
}
