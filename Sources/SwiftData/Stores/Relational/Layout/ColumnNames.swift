import Relational

/// Assigns unique names within one table. SQL names are not case-sensitive.
struct ColumnNames {
  private var taken: Set<String> = []
  /// The longest name in bytes; nil where there is no limit.
  private let longest: Int?

  init(longest: Int? = nil) {
    self.longest = longest
  }

  /// - Parameter parts: Suffixes of further names, which are reserved with the name.
  mutating func claim(_ name: String, _ parts: [String] = []) -> String {
    let name = longest.map { ShortName.of(name, longest: $0 - 4) } ?? name
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

/// The names in the layout for parts without a name in the model.
enum LayoutNames {
  static let primaryKey = "_id"
  static let type = "_type"
  static let metadata = "swiftdata_metadata"
  static let sequences = "swiftdata_sequences"
  static let history = "swiftdata_history"
  /// The prefix of the names of tables with archived values. It is older than that term, and stays, because stores have it.
  static let archive = "swiftdata_kept"
  /// The prefix of the names of search indexes.
  static let search = "swiftdata_search"
  /// The suffixes that a database may add to the name of a search index for its tables.
  static let searchParts = ["data", "idx", "config", "content", "docsize"]

  static func toOne(_ property: String) -> String { "\(property)_id" }
  static func position(_ property: String) -> String { "\(property)_position" }

  static func reference(to entity: String) -> String {
    "\(entity.prefix(1).lowercased())\(entity.dropFirst())_id"
  }
}
