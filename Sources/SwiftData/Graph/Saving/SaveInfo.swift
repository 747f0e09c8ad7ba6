/// The user info of a save's notification. A context reuses one: hashing a key of type `AnyHashable` takes longer than
/// writing a row, and so does copying six of them. An observer that retains a notification retains a copy.
struct SaveInfo {
  typealias Keys = ModelContext.NotificationKey
  typealias Indices = [Dictionary<AnyHashable, Any>.Index]

  private(set) var values = empty
  /// The tokens of the last save, reused for their keys.
  private var tokens: [String: any HistoryToken] = [:]

  mutating func set(_ identifiers: [PersistentIdentifier], at indices: Indices) {
    for index in indices { values.values[index] = identifiers }
  }

  mutating func setTokens(of notice: ChangeNotice) {
    let new = notice.historyTokens
    if new.count == 1, tokens.count == 1, tokens[tokens.startIndex].key == new[0].store {
      tokens.values[tokens.startIndex] = new[0].token
    } else {
      tokens = notice.tokensByStore
    }
    for index in Self.historyTokens { values.values[index] = tokens }
  }

  /// Removes the tokens of the last save.
  mutating func removeTokens() {
    for index in Self.historyTokens { values.values[index] = [String: any HistoryToken]() }
  }

  /// The user info for models that were invalidated.
  static func invalidation(of identifiers: [PersistentIdentifier]) -> [AnyHashable: Any] {
    var userInfo = empty
    userInfo[Keys.invalidatedAllIdentifiers] = identifiers
    userInfo[Keys.invalidatedAllIdentifiers.rawValue] = identifiers
    return userInfo
  }

  // The types are not Sendable, but the values are immutable and have Sendable parts. A copy of a dictionary keeps the
  // indices of its keys as long as no key is added or removed.

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

  nonisolated(unsafe) static let inserted = indices(of: .insertedIdentifiers)
  nonisolated(unsafe) static let updated = indices(of: .updatedIdentifiers)
  nonisolated(unsafe) static let deleted = indices(of: .deletedIdentifiers)

  nonisolated(unsafe) private static let historyTokens = indices(of: .historyTokens)

  private static func indices(of key: Keys) -> Indices {
    [AnyHashable(key), AnyHashable(key.rawValue)].compactMap { empty.index(forKey: $0) }
  }
}
