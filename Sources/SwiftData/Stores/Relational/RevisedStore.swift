import Relational

/// A store with a copy that is about to replace it.
struct RevisedStore {
  let store: UnopenedStore
  let copy: any StoreCopy
  let revision: any Revision
}

extension [RevisedStore] {
  /// Replaces the stores by their copies.
  ///
  /// Foreseeable failures, such as a concurrent save or a full disk, occur before any store is committed. All stores are
  /// unchanged then.
  ///
  /// - Parameter prepare: Called when only the commits remain.
  func takePlace(_ prepare: () throws -> Void = {}) throws {
    for revised in self {
      try revised.store.describingFailures { try revised.revision.write(contentsOf: revised.copy.path) }
    }
    try prepare()
    for revised in self { try revised.store.describingFailures { try revised.revision.commit() } }
  }
}
