import Support

/// What became of temporary identifiers that the program has asked for, once their models are saved.
enum PermanentIdentifiers {
  /// How many are known at least, of those that were saved or looked for last.
  static let capacity = 200_000

  private static let known = Mutex(RecentValues<Int64, PersistentIdentifier>(capacity: capacity))

  static func note(_ identifier: PersistentIdentifier, forTemporary key: Int64) {
    known.withLock { $0[key] = identifier }
  }

  fileprivate static func identifier(forTemporary key: Int64) -> PersistentIdentifier? {
    known.withLock { $0[key] }
  }
}

extension PersistentIdentifier {
  /// The permanent identifier, if this is a temporary one whose model was saved since; otherwise the same.
  var current: PersistentIdentifier {
    guard id.key < 0, id.words == nil,
      let permanent = PermanentIdentifiers.identifier(forTemporary: id.key)
    else { return self }
    return permanent
  }
}
