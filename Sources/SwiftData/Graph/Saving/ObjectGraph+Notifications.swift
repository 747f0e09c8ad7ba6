import Foundation

extension ObjectGraph {
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
