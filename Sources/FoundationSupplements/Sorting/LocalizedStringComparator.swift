#if !canImport(Darwin)
  public import Foundation

  /// Compares strings by the rules of the current locale.
  ///
  /// On Apple's platforms `String.Comparator` does this for APIs that take a comparator of any type, as `sorted(using:
  /// .localizedStandard)`. `String.StandardComparator` has values for the same rules.
  public struct LocalizedStringComparator: SortComparator, Codable, Sendable {
    private enum Rules: String, Codable {
      case localizedStandard
      case localized
    }

    private let rules: Rules
    /// The direction: ascending for `.forward`, descending for `.reverse`.
    public var order: SortOrder

    /// The order of file names in lists.
    ///
    /// Digits are compared by the number they form, so `9` comes before `10`. Case and accents count only between
    /// strings that are equal otherwise.
    public static let localizedStandard = LocalizedStringComparator(.localizedStandard)

    /// The order of words in a dictionary of the current locale.
    public static let localized = LocalizedStringComparator(.localized)

    private init(_ rules: Rules) {
      self.rules = rules
      order = .forward
    }

    /// Makes a comparator with the rules of `base` and the direction `order`.
    public init(_ base: LocalizedStringComparator, order: SortOrder = .forward) {
      self = base
      self.order = order
    }

    public func compare(_ lhs: String, _ rhs: String) -> ComparisonResult {
      let result =
        switch rules {
        case .localizedStandard: StandardOrder.compare(lhs, rhs)
        case .localized: SortKeys.localized.compare(lhs, rhs)
        }
      return order == .forward ? result : ComparisonResult(rawValue: -result.rawValue) ?? result
    }

    var isStandard: Bool { rules == .localizedStandard }
  }

  extension SortComparator where Self == LocalizedStringComparator {
    /// The order of file names in lists.
    ///
    /// Digits are compared by the number they form, so `9` comes before `10`. Case and accents count only between
    /// strings that are equal otherwise.
    public static var localizedStandard: LocalizedStringComparator { .init(.localizedStandard) }

    /// The order of words in a dictionary of the current locale.
    public static var localized: LocalizedStringComparator { .init(.localized) }
  }
#endif
