#if !canImport(Darwin)
  public import Foundation

  extension PredicateExpressions {
    /// A node that tests whether a string contains another one, without regard to case and accents.
    ///
    /// Foundation has this node on Apple's platforms only.
    public struct StringLocalizedStandardContains<Root: PredicateExpression, Other: PredicateExpression>:
      PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
      public typealias Output = Bool

      /// The string to search.
      public let root: Root
      /// The string to look for in ``root``.
      public let other: Other

      public init(root: Root, other: Other) {
        self.root = root
        self.other = other
      }

      public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
        let text = try root.evaluate(bindings)
        return LocalizedSearch(for: String(try other.evaluate(bindings))).isFound(in: text)
      }
    }

    /// Makes the node for `text.localizedStandardContains(other)`; `#Predicate` writes this call.
    // The macro knows the name.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static func build_localizedStandardContains<Root, Other>(
      _ root: Root, _ other: Other
    ) -> StringLocalizedStandardContains<Root, Other> {
      StringLocalizedStandardContains(root: root, other: other)
    }
  }

  extension PredicateExpressions.StringLocalizedStandardContains: CustomStringConvertible {
    public var description: String {
      "StringLocalizedStandardContains(root: \(root), other: \(other))"
    }
  }

  extension PredicateExpressions.StringLocalizedStandardContains: StandardPredicateExpression
  where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

  extension PredicateExpressions.StringLocalizedStandardContains: Codable where Root: Codable, Other: Codable {}

  extension PredicateExpressions.StringLocalizedStandardContains: Sendable where Root: Sendable, Other: Sendable {}
#endif
