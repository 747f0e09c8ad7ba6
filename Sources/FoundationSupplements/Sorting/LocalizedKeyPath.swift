#if !canImport(Darwin)
  import Foundation
  import Support

  /// A text in the order of names in lists; a descriptor's key path ends in it.
  package struct LocalizedStandardText: Comparable {
    fileprivate let text: String

    package static func == (left: LocalizedStandardText, right: LocalizedStandardText) -> Bool {
      StandardOrder.compare(left.text, right.text) == .orderedSame
    }

    package static func < (left: LocalizedStandardText, right: LocalizedStandardText) -> Bool {
      StandardOrder.compare(left.text, right.text) == .orderedAscending
    }
  }

  /// A text in the order of words in a dictionary; a descriptor's key path ends in it.
  package struct LocalizedText: Comparable {
    fileprivate let text: String

    package static func == (left: LocalizedText, right: LocalizedText) -> Bool {
      SortKeys.localized.compare(left.text, right.text) == .orderedSame
    }

    package static func < (left: LocalizedText, right: LocalizedText) -> Bool {
      SortKeys.localized.compare(left.text, right.text) == .orderedAscending
    }
  }

  extension String {
    fileprivate var localizedStandardText: LocalizedStandardText {
      LocalizedStandardText(text: self)
    }
    fileprivate var localizedText: LocalizedText { LocalizedText(text: self) }
  }

  extension String? {
    fileprivate var localizedStandardText: LocalizedStandardText? {
      map { LocalizedStandardText(text: $0) }
    }
    fileprivate var localizedText: LocalizedText? { map { LocalizedText(text: $0) } }
  }

  /// The key paths of descriptors that sort text by the rules of a locale.
  ///
  /// Foundation's descriptors cannot have such rules, but can compare any comparable value: here, a wrapped text.
  package enum LocalizedKeyPath {
    /// A key path to a text, and the wrapping key path that was made from it. Both are retained, so that their addresses stay
    /// unique. Key paths are immutable, though their type does not say so.
    private struct Pair: @unchecked Sendable {
      let text: AnyKeyPath
      let wrapping: AnyKeyPath
      let isStandard: Bool
    }

    /// A key path to a text, and the order of the wrapping key path.
    private struct WrappingKey: Hashable {
      let text: ObjectIdentifier
      let isStandard: Bool
    }

    /// The most recently used pairs: generic code, and code with a subscript in a key path, has another key path each time. A
    /// descriptor whose key path is evicted sorts in memory.
    ///
    /// They are identified by their addresses, which takes less time than comparing them.
    private struct Pairs {
      private var byText = RecentValues<WrappingKey, Pair>(capacity: 8192)
      private var byWrapping = RecentValues<ObjectIdentifier, Pair>(capacity: 8192)

      mutating func pair(of key: WrappingKey) -> Pair? {
        guard let pair = byText[key] else { return nil }
        // Looking up either key path keeps both from being evicted.
        return byWrapping[ObjectIdentifier(pair.wrapping)] == nil ? nil : pair
      }

      mutating func pair(ofWrapping wrapping: ObjectIdentifier) -> Pair? {
        byWrapping[wrapping]
      }

      mutating func insert(_ pair: Pair, at key: WrappingKey) {
        byText[key] = pair
        byWrapping[ObjectIdentifier(pair.wrapping)] = pair
      }
    }

    private static let pairs = Mutex(Pairs())

    private static func pair(ofWrapping keyPath: AnyKeyPath) -> Pair? {
      let address = ObjectIdentifier(keyPath)
      return pairs.withLock { $0.pair(ofWrapping: address) }
    }

    /// The key path to the text itself, and the order of the descriptor; nil for other key paths.
    package static func origin(of keyPath: AnyKeyPath) -> (keyPath: AnyKeyPath, isStandard: Bool)? {
      switch type(of: keyPath).valueType {
      case is LocalizedStandardText.Type, is LocalizedStandardText?.Type, is LocalizedText.Type,
        is LocalizedText?.Type:
        pair(ofWrapping: keyPath).map { ($0.text, $0.isStandard) }
      default:
        nil
      }
    }

    static func standard<Root>(
      _ keyPath: KeyPath<Root, String>
    ) -> any KeyPath<Root, LocalizedStandardText> & Sendable {
      wrapping(keyPath, isStandard: true) { keyPath.appending(path: \.localizedStandardText) }
    }

    static func standard<Root>(
      _ keyPath: KeyPath<Root, String?>
    ) -> any KeyPath<Root, LocalizedStandardText?> & Sendable {
      wrapping(keyPath, isStandard: true) { keyPath.appending(path: \.localizedStandardText) }
    }

    static func plain<Root>(
      _ keyPath: KeyPath<Root, String>
    ) -> any KeyPath<Root, LocalizedText> & Sendable {
      wrapping(keyPath, isStandard: false) { keyPath.appending(path: \.localizedText) }
    }

    static func plain<Root>(
      _ keyPath: KeyPath<Root, String?>
    ) -> any KeyPath<Root, LocalizedText?> & Sendable {
      wrapping(keyPath, isStandard: false) { keyPath.appending(path: \.localizedText) }
    }

    private static func wrapping<Root, Value>(
      _ keyPath: AnyKeyPath, isStandard: Bool, _ append: () -> KeyPath<Root, Value>
    ) -> any KeyPath<Root, Value> & Sendable {
      let key = WrappingKey(text: ObjectIdentifier(keyPath), isStandard: isStandard)
      let wrapping: KeyPath<Root, Value>
      if let known = pairs.withLock({ $0.pair(of: key) }) {
        // A key path has one type, which determines the type of the appended one.
        wrapping = unsafeDowncast(known.wrapping, to: KeyPath<Root, Value>.self)
      } else {
        wrapping = append()
        let pair = Pair(text: keyPath, wrapping: wrapping, isStandard: isStandard)
        pairs.withLock { $0.insert(pair, at: key) }
      }
      // The descriptors pass key paths that are Sendable, and appending one that captures nothing results in a Sendable key
      // path. `Sendable` has no witnesses: with it and without it the type is one reference.
      return unsafeBitCast(wrapping, to: (any KeyPath<Root, Value> & Sendable).self)
    }
  }
#endif
