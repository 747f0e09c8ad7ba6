import Support

/// The permanent identifiers of models whose temporary identifiers the program has read before the save.
enum PermanentIdentifiers {
  /// The maximum number of entries. At least the latest half of them, by save or look-up, is kept.
  private static let capacity = 200_000

  private static let known = Mutex(RecentValues<Int64, PersistentIdentifier>(capacity: capacity))

  static func record(_ identifier: PersistentIdentifier, forTemporary key: Int64) {
    known.withLock { $0[key] = identifier }
  }

  fileprivate static func identifier(forTemporary key: Int64) -> PersistentIdentifier? {
    known.withLock { $0[key] }
  }
}

extension PersistentIdentifier {
  /// The permanent identifier, if this is a temporary one whose model was saved since; otherwise `self`.
  var current: PersistentIdentifier {
    guard id.key < 0, id.parts == nil,
      let permanent = PermanentIdentifiers.identifier(forTemporary: id.key)
    else { return self }
    return permanent
  }
}
