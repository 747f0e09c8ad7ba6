public import Foundation

extension ModelContext {
  /// Posted with the context as its object when a save begins.
  public static let willSave = Notification.Name("SwiftData.ModelContext.willSave")
  /// Posted with the context as its object when a save is done; its user info has the identifiers that changed.
  public static let didSave = Notification.Name("SwiftData.ModelContext.didSave")

  /// The keys of a notification's user info.
  ///
  /// Apple does not document whether the user info is keyed by the case or by its raw value, and programs are seen to do
  /// either, so each value is there under both. The identifiers are an array.
  public enum NotificationKey: String {
    case queryGeneration
    case invalidatedAllIdentifiers
    case insertedIdentifiers = "inserted"
    case updatedIdentifiers = "updated"
    case deletedIdentifiers = "deleted"
    case historyTokens
  }

  func userInfo(of notice: ChangeNotice) -> [AnyHashable: Any] {
    var userInfo = UserInfo.empty
    for (places, changes) in [
      (UserInfo.inserted, notice.inserted), (UserInfo.updated, notice.updated), (UserInfo.deleted, notice.deleted),
    ] where !changes.isEmpty {
      var identifiers: [PersistentIdentifier] = []
      changes.visit { entity, keys in
        let (store, name) = (bindingsByOrdinal[entity].store, bindingsByOrdinal[entity].runtime.entityName)
        identifiers.reserveCapacity(identifiers.count + keys.count)
        for key in keys { identifiers.append(PersistentIdentifier(store: store, entity: name, key: key)) }
      }
      for place in places { userInfo.values[place] = identifiers }
    }
    return userInfo
  }
}

/// The user info of a save that changed nothing, and where each array has its places in it: keys of type `AnyHashable`
/// take longer to hash than a row to write. None of it changes.
private enum UserInfo {
  typealias Keys = ModelContext.NotificationKey

  nonisolated(unsafe) static let empty: [AnyHashable: Any] = {
    var userInfo: [AnyHashable: Any] = [:]
    for key in [Keys.insertedIdentifiers, .updatedIdentifiers, .deletedIdentifiers] {
      userInfo[key] = [PersistentIdentifier]()
      userInfo[key.rawValue] = [PersistentIdentifier]()
    }
    return userInfo
  }()

  nonisolated(unsafe) static let inserted = places(of: .insertedIdentifiers)
  nonisolated(unsafe) static let updated = places(of: .updatedIdentifiers)
  nonisolated(unsafe) static let deleted = places(of: .deletedIdentifiers)

  private static func places(of key: Keys) -> [Dictionary<AnyHashable, Any>.Index] {
    [AnyHashable(key), AnyHashable(key.rawValue)].compactMap { empty.index(forKey: $0) }
  }
}
