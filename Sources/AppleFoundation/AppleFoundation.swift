#if !canImport(Darwin)
  @_exported public import Foundation
  @_exported public import FoundationNetworking

  extension String {
    /// The text itself: Linux has no translation tables.
    ///
    /// - Parameters:
    ///   - key: The text, in the language of the development.
    ///   - table: Not used.
    ///   - bundle: Not used.
    ///   - locale: Not used.
    ///   - comment: For translators.
    @_disfavoredOverload
    public init(
      localized key: String.LocalizationValue, table: String? = nil, bundle: Bundle? = nil, locale: Locale = .current,
      comment: StaticString? = nil
    ) {
      self = key.text
    }

    /// A text with values in it.
    public struct LocalizationValue: ExpressibleByStringInterpolation, Sendable, Hashable {
      let text: String

      public init(stringLiteral value: String) {
        text = value
      }

      public init(stringInterpolation: DefaultStringInterpolation) {
        text = String(stringInterpolation: stringInterpolation)
      }

      public init(_ value: String) {
        text = value
      }
    }
  }

  /// The seconds since the beginning of 2001, for measuring times. The clock may be set meanwhile.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  @_disfavoredOverload
  public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime {
    Date().timeIntervalSinceReferenceDate
  }

  public typealias CFAbsoluteTime = Double

  extension FileManager {
    /// A folder that the programs of one user share: the group's name, in the folder for files that programs keep for
    /// themselves. It is made where it is missing.
    ///
    /// - Returns: nil for a name that no folder can have, and where the folder cannot be made.
    @_disfavoredOverload
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
      guard !groupIdentifier.isEmpty, !groupIdentifier.contains("/"), ![".", ".."].contains(groupIdentifier),
        let folder = urls(for: .applicationSupportDirectory, in: .userDomainMask).first
      else { return nil }
      let container = folder.appending(path: groupIdentifier, directoryHint: .isDirectory)
      do {
        try createDirectory(at: container, withIntermediateDirectories: true)
      } catch {
        return nil
      }
      return container
    }
  }
#endif
