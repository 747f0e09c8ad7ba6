import SwiftData

/// A difference between the library and the reference.
struct Mismatch: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// A short description of an identifier.
func brief(_ identifier: PersistentIdentifier) -> String {
  String(identifier.debugDescription.dropFirst("PersistentIdentifier(".count).dropLast())
}

func brief(_ model: any PersistentModel) -> String {
  brief(model.persistentModelID)
}
