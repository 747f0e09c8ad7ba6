#if !canImport(Darwin)
  public import Foundation

  extension PredicateExpressions {
    /// A node for a predicate that another predicate captures.
    ///
    /// Foundation's own node for captured values can be part of a predicate only when its value can be encoded, and on
    /// this platform a predicate cannot be. Encoding or decoding this node throws.
    public struct CapturedPredicate<each Input>: StandardPredicateExpression, CustomStringConvertible {
      public typealias Output = Predicate<repeat each Input>

      /// The captured predicate.
      public let predicate: Predicate<repeat each Input>

      public init(_ predicate: Predicate<repeat each Input>) {
        self.predicate = predicate
      }

      public var description: String { "\(predicate)" }

      public func evaluate(_ bindings: PredicateBindings) -> Predicate<repeat each Input> {
        predicate
      }

      public init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(
          .init(codingPath: decoder.codingPath, debugDescription: "A captured predicate cannot be decoded."))
      }

      public func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(
          self, .init(codingPath: encoder.codingPath, debugDescription: "A captured predicate cannot be encoded."))
      }
    }

    /// Makes the node for `predicate.evaluate(input)` when the predicate is captured, as `build_Arg(predicate)`.
    // The name is that of the node's other builder.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static func build_evaluate<each Input>(
      _ predicate: Value<Predicate<repeat (each Input).Output>>, _ input: repeat each Input
    ) -> PredicateEvaluate<CapturedPredicate<repeat (each Input).Output>, repeat each Input> {
      PredicateEvaluate(predicate: CapturedPredicate(predicate.value), input: repeat each input)
    }
  }
#endif
