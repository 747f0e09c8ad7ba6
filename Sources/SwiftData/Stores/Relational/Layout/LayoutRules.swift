import Foundation

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
  static let server: LayoutRules = {
    let sorting = TextSorting.onServer(.current)
    let native = [
      "swiftdata_normalized", "swiftdata_sum_integer", "swiftdata_average_integer", "swiftdata_sum_decimal",
    ]
    return LayoutRules(
      sorting: sorting, hasSearches: false, nativeFunctions: Set(native + sorting.functions.map(\.name)),
      longestName: 63)
  }()
}

extension ModelConfiguration {
  var layoutRules: LayoutRules {
    var rules = server == nil ? LayoutRules.local : .server
    if let sorting = TextSortingInterception.sorting { rules.sorting = sorting }
    return rules
  }
}
