/// Gives names within one table, none of them twice: SQL does not tell capital letters from small ones.
struct ColumnNames {
  private var taken: Set<String> = []

  mutating func claim(_ name: String) -> String {
    var candidate = name
    var number = 2
    while !taken.insert(candidate.lowercased()).inserted {
      candidate = "\(name)_\(number)"
      number += 1
    }
    return candidate
  }
}

/// The names that this layout uses for what a model has no name for.
enum LayoutNames {
  static let primaryKey = "_id"
  static let type = "_type"
  static let metadata = "swiftdata_metadata"
  static let sequences = "swiftdata_sequences"
  /// The prefix of the names of tables that have the values of removed properties.
  static let kept = "swiftdata_kept"

  static func toOne(_ property: String) -> String { "\(property)_id" }
  static func position(_ property: String) -> String { "\(property)_position" }

  static func reference(to entity: String) -> String {
    "\(entity.prefix(1).lowercased())\(entity.dropFirst())_id"
  }
}
