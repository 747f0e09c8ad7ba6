#if !canImport(Darwin)
  public import Foundation

  extension PredicateExpressions {
    /// A node for an expression that a predicate captures.
    ///
    /// Foundation's own node for captured values can be part of a predicate only when its value can be encoded, and on
    /// this platform an expression cannot be. Encoding or decoding this node throws.
    public struct CapturedExpression<each Input, Result>: StandardPredicateExpression, CustomStringConvertible {
      public typealias Output = Expression<repeat each Input, Result>

      /// The captured expression.
      public let expression: Expression<repeat each Input, Result>

      public init(_ expression: Expression<repeat each Input, Result>) {
        self.expression = expression
      }

      public var description: String { "\(expression)" }

      public func evaluate(_ bindings: PredicateBindings) -> Expression<repeat each Input, Result> {
        expression
      }

      public init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(
          .init(codingPath: decoder.codingPath, debugDescription: "A captured expression cannot be decoded."))
      }

      public func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(
          self, .init(codingPath: encoder.codingPath, debugDescription: "A captured expression cannot be encoded."))
      }
    }

    /// Makes the node for `expression.evaluate(input)` when the expression is captured, as `build_Arg(expression)`.
    // The name is that of the node's other builder.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static func build_evaluate<each Input, Result>(
      _ expression: Value<Expression<repeat (each Input).Output, Result>>, _ input: repeat each Input
    ) -> ExpressionEvaluate<CapturedExpression<repeat (each Input).Output, Result>, repeat each Input, Result> {
      ExpressionEvaluate(expression: CapturedExpression(expression.value), input: repeat each input)
    }
  }
#endif
