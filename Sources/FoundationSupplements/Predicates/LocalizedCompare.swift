#if !canImport(Darwin)
  public import Foundation

  extension PredicateExpressions {
    /// A node that compares two strings by the rules of the current locale.
    ///
    /// Foundation has this node on Apple's platforms only.
    public struct StringLocalizedCompare<Root: PredicateExpression, Other: PredicateExpression>: PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
      public typealias Output = ComparisonResult

      /// The string on the left.
      public let root: Root
      /// The string on the right.
      public let other: Other

      public init(root: Root, other: Other) {
        self.root = root
        self.other = other
      }

      public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
        LocalizedOrder.compare(String(try root.evaluate(bindings)), String(try other.evaluate(bindings)))
      }
    }

    /// Makes the node for `text.localizedCompare(other)`; `#Predicate` writes this call.
    // The macro knows the name.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static func build_localizedCompare<Root, Other>(
      _ root: Root, _ other: Other
    ) -> StringLocalizedCompare<Root, Other> {
      StringLocalizedCompare(root: root, other: other)
    }
  }

  extension PredicateExpressions.StringLocalizedCompare: CustomStringConvertible {
    public var description: String {
      "StringLocalizedCompare(root: \(root), other: \(other))"
    }
  }

  extension PredicateExpressions.StringLocalizedCompare: StandardPredicateExpression
  where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

  extension PredicateExpressions.StringLocalizedCompare: Codable where Root: Codable, Other: Codable {}

  extension PredicateExpressions.StringLocalizedCompare: Sendable where Root: Sendable, Other: Sendable {}
#endif
