import SwiftData

/// Library and reference differ.
struct Mismatch: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// An identifier in few words.
func brief(_ identifier: PersistentIdentifier) -> String {
  String(identifier.debugDescription.dropFirst("PersistentIdentifier(".count).dropLast())
}

func brief(_ model: any PersistentModel) -> String {
  brief(model.persistentModelID)
}
