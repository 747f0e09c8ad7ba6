#if !canImport(Darwin)
  import Foundation
  import Support

  /// A text in the order of names in lists; what a descriptor compares that sorts by it.
  package struct LocalizedStandardText: Comparable {
    fileprivate let text: String

    package static func == (left: LocalizedStandardText, right: LocalizedStandardText) -> Bool {
      StandardOrder.compare(left.text, right.text) == .orderedSame
    }

    package static func < (left: LocalizedStandardText, right: LocalizedStandardText) -> Bool {
      StandardOrder.compare(left.text, right.text) == .orderedAscending
    }
  }

  /// A text in the order of words in a dictionary; what a descriptor compares that sorts by it.
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
  /// Foundation's descriptors cannot have such rules, but compare whatever is comparable: here, a wrapped text.
  package enum LocalizedKeyPath {
    /// Key paths are values that never change, though their type does not say so.
    private struct Origin: @unchecked Sendable {
      let keyPath: AnyKeyPath
      let isStandard: Bool
    }

    /// A key path like those of an `Origin`, to look one up by.
    private struct Key: Hashable, @unchecked Sendable {
      let keyPath: AnyKeyPath
    }

    /// Those that were made last: one with a subscript in it may be another each time. A descriptor whose key path is
    /// forgotten sorts in memory.
    private static let origins = Mutex(RecentValues<Key, Origin>(capacity: 8192))

    /// The key path to the text itself, and by which of the two orders the descriptor goes; nil for other key paths.
    package static func origin(of keyPath: AnyKeyPath) -> (keyPath: AnyKeyPath, isStandard: Bool)? {
      switch type(of: keyPath).valueType {
      case is LocalizedStandardText.Type, is LocalizedStandardText?.Type, is LocalizedText.Type,
        is LocalizedText?.Type:
        origins.withLock { $0[Key(keyPath: keyPath)] }.map { ($0.keyPath, $0.isStandard) }
      default:
        nil
      }
    }

    static func standard<Root>(
      _ keyPath: KeyPath<Root, String>
    ) -> any KeyPath<Root, LocalizedStandardText> & Sendable {
      note(keyPath.appending(path: \.localizedStandardText), keyPath, isStandard: true)
    }

    static func standard<Root>(
      _ keyPath: KeyPath<Root, String?>
    ) -> any KeyPath<Root, LocalizedStandardText?> & Sendable {
      note(keyPath.appending(path: \.localizedStandardText), keyPath, isStandard: true)
    }

    static func plain<Root>(
      _ keyPath: KeyPath<Root, String>
    ) -> any KeyPath<Root, LocalizedText> & Sendable {
      note(keyPath.appending(path: \.localizedText), keyPath, isStandard: false)
    }

    static func plain<Root>(
      _ keyPath: KeyPath<Root, String?>
    ) -> any KeyPath<Root, LocalizedText?> & Sendable {
      note(keyPath.appending(path: \.localizedText), keyPath, isStandard: false)
    }

    private static func note<Root, Value>(
      _ wrapping: KeyPath<Root, Value>, _ keyPath: AnyKeyPath, isStandard: Bool
    ) -> any KeyPath<Root, Value> & Sendable {
      origins.withLock {
        $0[Key(keyPath: wrapping)] = Origin(keyPath: keyPath, isStandard: isStandard)
      }
      // The descriptors hand over key paths that are Sendable, and appending one that captures nothing gives another.
      // `Sendable` has no witnesses: with it and without it the type is one reference.
      return unsafeBitCast(wrapping, to: (any KeyPath<Root, Value> & Sendable).self)
    }
  }
#endif
