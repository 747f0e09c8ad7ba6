#if canImport(_FoundationICU)
  import Foundation
  import _FoundationICU

  /// A collator of ICU, the library that Foundation itself takes its orders of text from.
  ///
  /// Nobody changes one once it is made, and ICU then allows its functions to be called from several threads.
  final class Collator: @unchecked Sendable {
    private let collator: OpaquePointer

    /// - Parameters:
    ///   - locale: The identifier of a locale. One without rules of its own has those of the root of all locales.
    ///   - isNumeric: Whether digits are compared by the number that they form.
    ///   - isExact: Whether texts that the rules do not tell apart are told apart by their code points.
    /// - Returns: Nil when ICU lacks its data.
    init?(locale: String, isNumeric: Bool, isExact: Bool) {
      var status = U_ZERO_ERROR
      guard let collator = swift_ucol_open(locale, &status) else { return nil }
      self.collator = collator
      swift_ucol_setAttribute(collator, UCOL_NUMERIC_COLLATION, isNumeric ? UCOL_ON : UCOL_OFF, &status)
      swift_ucol_setAttribute(collator, UCOL_NORMALIZATION_MODE, UCOL_ON, &status)
      swift_ucol_setStrength(collator, isExact ? UCOL_IDENTICAL : UCOL_TERTIARY)
      // Warnings, such as that another locale's rules were taken, are below zero.
      guard status.rawValue <= U_ZERO_ERROR.rawValue else { return nil }
    }

    deinit {
      swift_ucol_close(collator)
    }

    /// The locale whose rules these are: "root" for most languages.
    var origin: String {
      var status = U_ZERO_ERROR
      return swift_ucol_getLocaleByType(collator, ULOC_ACTUAL_LOCALE, &status).map { String(cString: $0) } ?? "unknown"
    }

    /// What keys of the same rules depend on besides: the versions of ICU, and of the rules and their data.
    var version: String {
      var (library, rules) = ([UInt8](repeating: 0, count: 4), [UInt8](repeating: 0, count: 4))
      swift_u_getVersion(&library)
      swift_ucol_getVersion(collator, &rules)
      return (library.prefix(2) + rules).map(String.init).joined(separator: "_")
    }

    /// Writes the key of a text in UTF-16, which ends with the only zero byte in it.
    ///
    /// - Returns: How many bytes the key has. There are no more of it in `key` than have room.
    func write(_ text: UnsafeMutableBufferPointer<UInt16>, to key: UnsafeMutableBufferPointer<UInt8>) -> Int {
      Int(swift_ucol_getSortKey(collator, text.baseAddress, Int32(text.count), key.baseAddress, Int32(key.count)))
    }

    /// Writes a text in UTF-8 as UTF-16, for which there is room for as many units as it has bytes.
    ///
    /// - Returns: How many units there are. Nil when the text is none.
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
  /// There is none: Foundation itself has descriptors there that sort by the rules of a locale.
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
