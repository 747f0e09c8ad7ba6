#if !canImport(Darwin)
  public import Foundation

  /// Compares texts by the rules of the current locale.
  ///
  /// On Apple's platforms `String.StandardComparator` does. Foundation's has no such rules elsewhere and cannot be taught
  /// any, so that this type stands in for it under the names of its static properties.
  public struct LocalizedStringComparator: SortComparator, Codable, Sendable {
    private enum Rules: String, Codable {
      case localizedStandard
      case localized
    }

    private let rules: Rules
    /// Whether the order is turned round.
    public var order: SortOrder

    /// The order of file names in lists: numbers by their value, case and accents only where nothing else differs.
    public static let localizedStandard = LocalizedStringComparator(.localizedStandard)

    /// The order of words in a dictionary.
    public static let localized = LocalizedStringComparator(.localized)

    private init(_ rules: Rules) {
      self.rules = rules
      order = .forward
    }

    /// The same rules in an order of choice.
    public init(_ base: LocalizedStringComparator, order: SortOrder = .forward) {
      self = base
      self.order = order
    }

    public func compare(_ lhs: String, _ rhs: String) -> ComparisonResult {
      let result =
        switch rules {
        case .localizedStandard: StandardOrder.compare(lhs, rhs)
        case .localized: lhs.localizedCompare(rhs)
        }
      return order == .forward ? result : ComparisonResult(rawValue: -result.rawValue) ?? result
    }

    var isStandard: Bool { rules == .localizedStandard }
  }

  extension String.StandardComparator {
    /// The order of file names in lists: numbers by their value, case and accents only where nothing else differs.
    public static var localizedStandard: LocalizedStringComparator { .localizedStandard }

    /// The order of words in a dictionary.
    public static var localized: LocalizedStringComparator { .localized }
  }

  extension SortComparator where Self == LocalizedStringComparator {
    /// The order of file names in lists: numbers by their value, case and accents only where nothing else differs.
    public static var localizedStandard: LocalizedStringComparator { .init(.localizedStandard) }

    /// The order of words in a dictionary.
    public static var localized: LocalizedStringComparator { .init(.localized) }
  }
#endif
