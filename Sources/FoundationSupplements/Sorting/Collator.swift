#if canImport(_FoundationICU)
  import Foundation
  import _FoundationICU

  /// A collator of ICU, which Foundation itself uses for localized comparison.
  ///
  /// A collator is never changed after its creation, and ICU then allows concurrent calls.
  final class Collator: @unchecked Sendable {
    private let collator: OpaquePointer

    /// - Parameters:
    ///   - locale: The identifier of a locale. A locale without rules of its own uses the root locale's.
    ///   - isNumeric: Whether digits are compared by the number that they form.
    ///   - isExact: Whether texts that are equal by the rules are compared by their code points.
    /// - Returns: Nil when ICU lacks its data.
    init?(locale: String, isNumeric: Bool, isExact: Bool) {
      var status = U_ZERO_ERROR
      guard let collator = swift_ucol_open(locale, &status) else { return nil }
      self.collator = collator
      swift_ucol_setAttribute(collator, UCOL_NUMERIC_COLLATION, isNumeric ? UCOL_ON : UCOL_OFF, &status)
      swift_ucol_setAttribute(collator, UCOL_NORMALIZATION_MODE, UCOL_ON, &status)
      swift_ucol_setStrength(collator, isExact ? UCOL_IDENTICAL : UCOL_TERTIARY)
      // Warnings, such as that another locale's rules are used, are below zero.
      guard status.rawValue <= U_ZERO_ERROR.rawValue else { return nil }
    }

    deinit {
      swift_ucol_close(collator)
    }

    /// The locale that has the rules: "root" for most languages.
    var origin: String {
      var status = U_ZERO_ERROR
      return swift_ucol_getLocaleByType(collator, ULOC_ACTUAL_LOCALE, &status).map { String(cString: $0) } ?? "unknown"
    }

    /// The versions of ICU, the rules and their data, on which keys also depend.
    var version: String {
      var (library, rules) = ([UInt8](repeating: 0, count: 4), [UInt8](repeating: 0, count: 4))
      swift_u_getVersion(&library)
      swift_ucol_getVersion(collator, &rules)
      return (library.prefix(2) + rules).map(String.init).joined(separator: "_")
    }

    /// Writes the key of a text in UTF-16, which ends with its only zero byte.
    ///
    /// - Returns: The size of the key. Bytes beyond the size of `key` are not written.
    func write(_ text: UnsafeMutableBufferPointer<UInt16>, to key: UnsafeMutableBufferPointer<UInt8>) -> Int {
      Int(swift_ucol_getSortKey(collator, text.baseAddress, Int32(text.count), key.baseAddress, Int32(key.count)))
    }

    /// Converts a text from UTF-8 to UTF-16. `units` must be at least as large as the number of bytes.
    ///
    /// - Returns: The number of units. Nil when the text is invalid.
    static func decode(_ text: UnsafeRawBufferPointer, to units: UnsafeMutableBufferPointer<UInt16>) -> Int? {
      var status = U_ZERO_ERROR
      var count: Int32 = 0
      text.withMemoryRebound(to: CChar.self) { text in
        _ = swift_u_strFromUTF8(
          units.baseAddress, Int32(units.count), &count, text.baseAddress, Int32(text.count), &status)
      }
      return status.rawValue <= U_ZERO_ERROR.rawValue ? Int(count) : nil
    }
  }
#else
  /// Not available: Foundation itself has descriptors there that sort by the rules of a locale.
  final class Collator: Sendable {
    let origin = ""
    let version = ""

    init?(locale: String, isNumeric: Bool, isExact: Bool) {
      return nil
    }

    func write(_ text: UnsafeMutableBufferPointer<UInt16>, to key: UnsafeMutableBufferPointer<UInt8>) -> Int { 0 }

    static func decode(_ text: UnsafeRawBufferPointer, to units: UnsafeMutableBufferPointer<UInt16>) -> Int? { nil }
  }
#endif
