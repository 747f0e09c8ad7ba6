/// Gives names within one table, none of them twice: SQL does not tell capital letters from small ones.
struct ColumnNames {
  private var taken: Set<String> = []

  /// - Parameter parts: What the name is followed by in further ones, which are given along with it.
  mutating func claim(_ name: String, _ parts: [String] = []) -> String {
    var candidate = name
    var number = 2
    func names() -> [String] { ([candidate] + parts.map { "\(candidate)_\($0)" }).map { $0.lowercased() } }
    while !taken.isDisjoint(with: names()) {
      candidate = "\(name)_\(number)"
      number += 1
    }
    taken.formUnion(names())
    return candidate
  }
}

/// The names that this layout uses for what a model has no name for.
enum LayoutNames {
  static let primaryKey = "_id"
  static let type = "_type"
  static let metadata = "swiftdata_metadata"
  static let sequences = "swiftdata_sequences"
  static let history = "swiftdata_history"
  /// The prefix of the names of tables that have the values of removed properties.
  static let archive = "swiftdata_kept"
  /// The prefix of the names of indexes for searches.
  static let search = "swiftdata_search"
  /// What a database may add to the name of such an index for the tables that it keeps it in.
  static let searchParts = ["data", "idx", "config", "content", "docsize"]

  static func toOne(_ property: String) -> String { "\(property)_id" }
  static func position(_ property: String) -> String { "\(property)_position" }

  static func reference(to entity: String) -> String {
    "\(entity.prefix(1).lowercased())\(entity.dropFirst())_id"
  }
}
