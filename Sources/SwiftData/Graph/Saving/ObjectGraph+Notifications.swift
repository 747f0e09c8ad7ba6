import Foundation

extension ObjectGraph {
  func postWillSave(_ context: ModelContext) {
    post { NotificationCenter.default.post(name: ModelContext.willSave, object: context) }
  }

  func postDidSave(_ notice: ChangeNotice) {
    let changes = [
      (SaveInfo.inserted, notice.inserted), (SaveInfo.updated, notice.updated), (SaveInfo.deleted, notice.deleted),
    ]
    // An observer that saves finds none, and makes its own.
    var info = saving.takeInfo()
    for (places, keys) in changes where !keys.isEmpty { info.set(identifiers(of: keys), at: places) }
    if !notice.historyTokens.isEmpty { info.setTokens(of: notice) }
    NotificationCenter.default.post(name: ModelContext.didSave, object: context, userInfo: info.values)
    for (places, keys) in changes where !keys.isEmpty { info.set([], at: places) }
    if !notice.historyTokens.isEmpty { info.removeTokens() }
    saving.giveBack(info)
  }

  /// Tells that all rows of some models may have changed, which the context has taken in.
  func postInvalidation(of identifiers: [PersistentIdentifier]) {
    let context = context
    post {
      NotificationCenter.default.post(
        name: ModelContext.didSave, object: context, userInfo: SaveInfo.invalidation(of: identifiers))
    }
  }

  private func identifiers(of changes: KeysByEntity) -> [PersistentIdentifier] {
    var identifiers: [PersistentIdentifier] = []
    changes.visit { entry in
      let binding = bindingsByOrdinal[entry.entity]
      identifiers.reserveCapacity(identifiers.count + entry.keys.count)
      for key in entry.keys { identifiers.append(binding.identifier(of: key)) }
    }
    return identifiers
  }
}
