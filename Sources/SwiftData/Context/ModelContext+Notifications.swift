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

  func postDidSave(_ notice: ChangeNotice) {
    let changes = [
      (SaveInfo.inserted, notice.inserted), (SaveInfo.updated, notice.updated), (SaveInfo.deleted, notice.deleted),
    ]
    // An observer that saves finds none, and makes its own.
    var info = saveInfo.take() ?? SaveInfo()
    for (places, keys) in changes where !keys.isEmpty { info.set(identifiers(of: keys), at: places) }
    NotificationCenter.default.post(name: Self.didSave, object: self, userInfo: info.values)
    for (places, keys) in changes where !keys.isEmpty { info.set([], at: places) }
    saveInfo = info
  }

  private func identifiers(of changes: KeysByEntity) -> [PersistentIdentifier] {
    var identifiers: [PersistentIdentifier] = []
    changes.visit { entity, keys in
      let (store, name) = (bindingsByOrdinal[entity].store, bindingsByOrdinal[entity].runtime.entityName)
      identifiers.reserveCapacity(identifiers.count + keys.count)
      for key in keys { identifiers.append(PersistentIdentifier(store: store, entity: name, key: key)) }
    }
    return identifiers
  }
}

/// The user info of a save. A context keeps one and gets it back empty: keys of type `AnyHashable` take longer to hash
/// than a row to write, and copying six of them as long. Who keeps a notification keeps its own copy.
struct SaveInfo {
  typealias Keys = ModelContext.NotificationKey
  typealias Places = [Dictionary<AnyHashable, Any>.Index]

  private(set) var values = empty

  mutating func set(_ identifiers: [PersistentIdentifier], at places: Places) {
    for place in places { values.values[place] = identifiers }
  }

  nonisolated(unsafe) private static let empty: [AnyHashable: Any] = {
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

  private static func places(of key: Keys) -> Places {
    [AnyHashable(key), AnyHashable(key.rawValue)].compactMap { empty.index(forKey: $0) }
  }
}
