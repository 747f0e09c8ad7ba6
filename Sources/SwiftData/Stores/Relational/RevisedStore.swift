import Relational

/// A store whose copy is about to take its place.
struct RevisedStore {
  let store: UnopenedStore
  let copy: WorkingCopy
  let revision: any Revision
}

extension [RevisedStore] {
  /// Puts the copies in the place of the stores.
  ///
  /// What can go wrong with one of them does so before any is committed, as far as it can be known: others were faster, or
  /// the disk is full. Nothing has changed then.
  ///
  /// - Parameter prepare: Called when nothing but the commits is left to be done.
  func takePlace(_ prepare: () throws -> Void = {}) throws {
    for revised in self {
      try revised.store.describingFailures { try revised.revision.write(contentsOf: revised.copy.url.path) }
    }
    try prepare()
    for revised in self { try revised.store.describingFailures { try revised.revision.commit() } }
  }
}
