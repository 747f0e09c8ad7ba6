import Foundation
import FoundationSupplements
package import Relational

/// The orders of text in SQL beside the order of bytes: by sort keys, which indexes can have.
package struct TextSorting: Sendable {
  /// The order of names in lists, which is the default of descriptors.
  let localizedStandard: SortKeyFunction
  /// The order of words in a dictionary.
  let localized: SortKeyFunction

  /// The orders that models are sorted by in memory.
  package static let current = TextSorting(.localizedStandard, .localized)

  init(_ localizedStandard: SortKeys, _ localized: SortKeys) {
    self.localizedStandard = Self.function("swiftdata_standard_key", localizedStandard)
    self.localized = Self.function("swiftdata_localized_key", localized)
  }

  init(_ locale: Locale) {
    self.init(SortKeys(.localizedStandard, locale), SortKeys(.localized, locale))
  }

  /// The orders of a database server, which has collations of these names: their names do not depend on the release of the
  /// rules in this program, and nothing calls the functions.
  static func onServer(_ locale: Locale) -> TextSorting {
    func function(_ name: String) -> SortKeyFunction {
      let suffix = locale.identifier.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0.lowercased() : "_" }.joined()
      return SortKeyFunction(name: "\(name)_\(suffix)") { _, _ throws(SortKeyFunction.Failure) in }
    }
    return TextSorting(localizedStandard: function("swiftdata_standard"), localized: function("swiftdata_localized"))
  }

  private init(localizedStandard: SortKeyFunction, localized: SortKeyFunction) {
    self.localizedStandard = localizedStandard
    self.localized = localized
  }

  package var functions: [SortKeyFunction] { [localizedStandard, localized] }

  private static func function(_ name: String, _ keys: SortKeys) -> SortKeyFunction {
    SortKeyFunction(name: "\(name)_\(keys.name)") { text, body throws(SortKeyFunction.Failure) in
      do throws(TextFailure) {
        try keys.withKey(of: text, body)
      } catch {
        switch error {
        case .tooLong: throw .tooLong
        case .noMemory: throw .noMemory
        }
      }
    }
  }
}

extension [TableDefinition] {
  /// The tables without missing indexes of sort keys. A tool without the functions of these has to drop them in order to
  /// write.
  func withoutDroppedKeys(_ connection: any Connection) throws -> Self {
    guard contains(where: { $0.indexes.contains { $0.functions != nil } }) else { return self }
    let names = try connection.indexNames()
    return map { table in
      var table = table
      table.indexes.removeAll { $0.functions != nil && !names.contains($0.name) }
      return table
    }
  }
}

/// Lets tests open stores like a program with another locale.
enum TextSortingInterception {
  @TaskLocal static var sorting: TextSorting?
}
