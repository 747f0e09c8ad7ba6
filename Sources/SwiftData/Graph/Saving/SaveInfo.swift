/// The user info of a save. A context keeps one and gets it back empty: keys of type `AnyHashable` take longer to hash
/// than a row to write, and copying six of them as long. Who keeps a notification keeps its own copy.
struct SaveInfo {
  typealias Keys = ModelContext.NotificationKey
  typealias Places = [Dictionary<AnyHashable, Any>.Index]

  private(set) var values = empty
  /// Those of the last save, kept for their keys.
  private var tokens: [String: any HistoryToken] = [:]

  mutating func set(_ identifiers: [PersistentIdentifier], at places: Places) {
    for place in places { values.values[place] = identifiers }
  }

  mutating func setTokens(of notice: ChangeNotice) {
    let new = notice.historyTokens
    if new.count == 1, tokens.count == 1, tokens[tokens.startIndex].key == new[0].store {
      tokens.values[tokens.startIndex] = new[0].token
    } else {
      tokens = notice.tokensByStore
    }
    for place in Self.historyTokens { values.values[place] = tokens }
  }

  /// Has nobody find the tokens of the last save.
  mutating func removeTokens() {
    for place in Self.historyTokens { values.values[place] = [String: any HistoryToken]() }
  }

  /// The user info for models that were invalidated.
  static func invalidation(of identifiers: [PersistentIdentifier]) -> [AnyHashable: Any] {
    var userInfo = empty
    userInfo[Keys.invalidatedAllIdentifiers] = identifiers
    userInfo[Keys.invalidatedAllIdentifiers.rawValue] = identifiers
    return userInfo
  }

  // The types do not say so, but these are values of Sendable parts that are made once. A copy of a dictionary keeps
  // the places of its keys for as long as none comes or goes.

  nonisolated(unsafe) private static let empty: [AnyHashable: Any] = {
    var userInfo: [AnyHashable: Any] = [:]
    for key in [Keys.insertedIdentifiers, .updatedIdentifiers, .deletedIdentifiers] {
      userInfo[key] = [PersistentIdentifier]()
      userInfo[key.rawValue] = [PersistentIdentifier]()
    }
    for key in [AnyHashable(Keys.historyTokens), AnyHashable(Keys.historyTokens.rawValue)] {
      userInfo[key] = [String: any HistoryToken]()
    }
    return userInfo
  }()

  nonisolated(unsafe) static let inserted = places(of: .insertedIdentifiers)
  nonisolated(unsafe) static let updated = places(of: .updatedIdentifiers)
  nonisolated(unsafe) static let deleted = places(of: .deletedIdentifiers)

  nonisolated(unsafe) private static let historyTokens = places(of: .historyTokens)

  private static func places(of key: Keys) -> Places {
    [AnyHashable(key), AnyHashable(key.rawValue)].compactMap { empty.index(forKey: $0) }
  }
}
