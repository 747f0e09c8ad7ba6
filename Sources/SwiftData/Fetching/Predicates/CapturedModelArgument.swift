public import Foundation

extension PredicateExpressions {
  /// Gives the compiler's error about a model that a predicate captures its words. Nobody can call it.
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

/// What the compiler takes a captured model for, so that it says what is wrong. There is none in a program.
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
