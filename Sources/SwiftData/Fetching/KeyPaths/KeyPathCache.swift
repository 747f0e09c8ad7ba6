import Support

/// A cache of facts about the key paths of types, for the life of the process.
final class KeyPathCache<Found>: Sendable {
  /// Key paths are values that never change, though their type does not say so.
  private struct Entry: @unchecked Sendable {
    let found: Found
  }

  private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

  func found(for key: ObjectIdentifier, orMake make: () -> Found) -> Found {
    if let entry = entries.withLock({ $0[key] }) { return entry.found }
    let entry = Entry(found: make())
    entries.withLock { $0[key] = entry }
    return entry.found
  }
}
