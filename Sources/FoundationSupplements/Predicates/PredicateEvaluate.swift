#if !canImport(Darwin)
  public import Foundation

  extension PredicateExpressions {
    /// The answer of another predicate, for values of this one.
    ///
    /// Foundation has this node on Apple's platforms only. `#Predicate` does not know it elsewhere, so that it has to be
    /// written by hand.
    public struct PredicateEvaluate<Condition: PredicateExpression, each Input: PredicateExpression>:
      PredicateExpression
    where Condition.Output == Predicate<repeat (each Input).Output> {
      public typealias Output = Bool

      /// The other predicate.
      public let predicate: Condition
      /// What it is asked about.
      public let input: (repeat each Input)

      public init(predicate: Condition, input: repeat each Input) {
        self.predicate = predicate
        self.input = (repeat each input)
      }

      public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
        try predicate.evaluate(bindings).evaluate(repeat (each input).evaluate(bindings))
      }
    }

    /// What `#Predicate` makes of `predicate.evaluate(input)` on Apple's platforms.
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
