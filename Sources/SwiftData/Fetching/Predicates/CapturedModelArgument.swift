public import Foundation

extension PredicateExpressions {
  /// Makes the compiler explain why a predicate cannot capture a model. The function is unavailable to programs.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  @available(
    *, unavailable,
    message:
      "a predicate cannot capture a model; capture its persistentModelID before the closure and compare that: 'let id = trip.persistentModelID', then '$0.trip?.persistentModelID == id'"
  )
  public static func build_Arg<Model: PersistentModel>(_ model: Model) -> _CapturedModelArgument<Model> {
    _CapturedModelArgument()
  }

  /// The same for an optional model.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  @available(
    *, unavailable,
    message:
      "a predicate cannot capture a model; capture its persistentModelID before the closure and compare that: 'let id = trip?.persistentModelID', then '$0.trip?.persistentModelID == id'"
  )
  public static func build_Arg<Model: PersistentModel>(_ model: Model?) -> _CapturedModelArgument<Model?> {
    _CapturedModelArgument()
  }
}

/// The result of the unavailable functions above. A program cannot make one.
public struct _CapturedModelArgument<Output>: StandardPredicateExpression {
  init() {}

  public init(from decoder: any Decoder) throws {
    throw SwiftDataError.unsupportedPredicate
  }

  public func evaluate(_ bindings: PredicateBindings) throws -> Output {
    throw SwiftDataError.unsupportedPredicate
  }

  public func encode(to encoder: any Encoder) throws {
    throw SwiftDataError.unsupportedPredicate
  }
}
