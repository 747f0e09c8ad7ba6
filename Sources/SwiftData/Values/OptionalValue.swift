/// Access to optionals at run time.
protocol OptionalValue {
  static var wrappedType: any Any.Type { get }
  static var none: Self { get }
  var wrapped: Any? { get }
  /// The non-nil elements of optionals, as an array, and whether one of them is nil.
  static func present(in optionals: [Self]) -> (elements: any Collection, hasNil: Bool)
}

extension Optional: OptionalValue {
  static var wrappedType: any Any.Type { Wrapped.self }
  var wrapped: Any? { self }

  static func present(in optionals: [Wrapped?]) -> (elements: any Collection, hasNil: Bool) {
    let present = optionals.compactMap { $0 }
    return (present, present.count < optionals.count)
  }
}

/// A value without any layers of `Optional` around it.
func flattened(_ value: Any) -> Any? {
  guard let optional = value as? any OptionalValue else { return value }
  return optional.wrapped.flatMap(flattened)
}

/// The type inside one layer of `Optional`, or the type itself.
func unwrappedType(_ type: Any.Type) -> Any.Type {
  (type as? any OptionalValue.Type)?.wrappedType ?? type
}
