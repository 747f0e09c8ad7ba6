import Foundation
import Relational

/// What the layout of a store depends on beside its schema.
struct LayoutRules {
  /// The sort keys of indexes.
  var sorting: TextSorting
  /// Whether texts can have search indexes.
  var hasSearches = true
  /// The functions of the store that the dialect has expressions for; nil where the database can call all of them.
  var nativeFunctions: Set<String>?
  /// The longest name of a table, column or index in bytes; nil where there is no limit.
  var longestName: Int?

  /// The rules of a store in a file or in memory.
  static let local = LayoutRules(sorting: .current)

  /// The rules of a store on a database server, which orders texts by rules of its own.
  fileprivate static func server(_ dialect: any Dialect) -> LayoutRules {
    let sorting = TextSorting.onServer(.current)
    return LayoutRules(
      sorting: sorting, hasSearches: dialect.searches != nil,
      nativeFunctions: dialect.nativeFunctions?.union(sorting.functions.map(\.name)), longestName: dialect.longestName)
  }
}

extension ModelConfiguration {
  /// The rules are known before the database is opened.
  var layoutRules: LayoutRules {
    var rules = server.map { LayoutRules.server($0.dialect) } ?? .local
    if let sorting = TextSortingInterception.sorting { rules.sorting = sorting }
    return rules
  }
}
