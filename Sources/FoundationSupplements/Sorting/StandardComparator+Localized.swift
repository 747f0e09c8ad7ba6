#if !canImport(Darwin)
  public import Foundation

  extension String.StandardComparator {
    /// The order of file names in lists.
    ///
    /// Digits are compared by the number they form, so `9` comes before `10`. Case and accents count only between
    /// strings that are equal otherwise.
    ///
    /// Foundation does not support these rules on Linux. Sort descriptors, key path comparators and `sorted(using:)` and
    /// `sort(using:)` of strings still follow them. Code that is generic over comparators, and `compare` itself, use
    /// Foundation's order: digits by their number, and everything else by code points. Such a comparator can be encoded, but
    /// Foundation refuses to decode it.
    public static let localizedStandard = LocalizedRules.comparator(options: .numeric)

    /// The order of words in a dictionary of the current locale.
    ///
    /// See ``localizedStandard`` for the limits on Linux; Foundation's own order is that of code points.
    public static let localized = LocalizedRules.comparator(options: [])
  }

  extension String.StandardComparator {
    /// A comparator with the same rules; nil for rules that Foundation supports.
    package var localizedComparator: LocalizedStringComparator? {
      var rules = self
      rules.order = .forward
      switch rules {
      case .lexical: return nil
      case .localizedStandard: return LocalizedStringComparator(.localizedStandard, order: order)
      case .localized: return LocalizedStringComparator(.localized, order: order)
      default: return nil
      }
    }
  }

  /// Makes comparators that Foundation's type can represent, but does not name outside Apple's systems.
  private enum LocalizedRules {
    /// The stored properties of a comparator.
    private struct Content {
      var options: String.CompareOptions
      var isLocalized: Bool
      var order: SortOrder
    }

    // On Linux, Foundation traps on options other than `numeric`.

    /// Whether Foundation's type has the layout of `Content`. Types without library evolution have the same layout when their
    /// stored properties have the same types in the same order.
    private static let isKnown: Bool = {
      let known = Mirror(reflecting: Content(options: [], isLocalized: false, order: .forward)).children
      let found = Mirror(reflecting: String.StandardComparator.lexical).children
      return known.elementsEqual(found) { $0.label == $1.label && type(of: $0.value) == type(of: $1.value) }
        && MemoryLayout<Content>.size == MemoryLayout<String.StandardComparator>.size
        && MemoryLayout<Content>.alignment == MemoryLayout<String.StandardComparator>.alignment
    }()

    /// The lexical comparator if Foundation's type has another layout.
    static func comparator(options: String.CompareOptions) -> String.StandardComparator {
      guard isKnown else { return .lexical }
      return unsafeBitCast(
        Content(options: options, isLocalized: true, order: .forward), to: String.StandardComparator.self)
    }
  }
#endif
