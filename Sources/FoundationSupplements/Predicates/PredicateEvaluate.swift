#if !canImport(Darwin)
  public import Foundation

  extension PredicateExpressions {
    /// A node that evaluates another predicate inside a predicate.
    ///
    /// Foundation has this node on Apple's platforms only. Elsewhere `#Predicate` does not accept
    /// `predicate.evaluate(input)`, so the predicate has to be built by hand with `build_evaluate`. Encoding or
    /// decoding this node throws.
    public struct PredicateEvaluate<Condition: PredicateExpression, each Input: PredicateExpression>:
      PredicateExpression
    where Condition.Output == Predicate<repeat (each Input).Output> {
      public typealias Output = Bool

      /// The predicate to evaluate.
      public let predicate: Condition
      /// The inputs that ``predicate`` is evaluated with.
      public let input: (repeat each Input)

      public init(predicate: Condition, input: repeat each Input) {
        self.predicate = predicate
        self.input = (repeat each input)
      }

      public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
        try predicate.evaluate(bindings).evaluate(repeat (each input).evaluate(bindings))
      }
    }

    /// Makes the node for `predicate.evaluate(input)`; on Apple's platforms `#Predicate` writes this call.
    // The macro knows the name.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static func build_evaluate<Condition, each Input>(
      _ predicate: Condition, _ input: repeat each Input
    ) -> PredicateEvaluate<Condition, repeat each Input> {
      PredicateEvaluate(predicate: predicate, input: repeat each input)
    }
  }

  extension PredicateExpressions.PredicateEvaluate: CustomStringConvertible {
    public var description: String {
      "PredicateEvaluate(predicate: \(predicate), input: \(input))"
    }
  }

  extension PredicateExpressions.PredicateEvaluate: StandardPredicateExpression
  where Condition: StandardPredicateExpression, repeat each Input: StandardPredicateExpression {}

  extension PredicateExpressions.PredicateEvaluate: Codable where Condition: Codable, repeat each Input: Codable {
    public init(from decoder: any Decoder) throws {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "An evaluated predicate cannot be decoded."))
    }

    public func encode(to encoder: any Encoder) throws {
      throw EncodingError.invalidValue(
        self, .init(codingPath: encoder.codingPath, debugDescription: "An evaluated predicate cannot be encoded."))
    }
  }

  extension PredicateExpressions.PredicateEvaluate: Sendable where Condition: Sendable, repeat each Input: Sendable {}
#endif
