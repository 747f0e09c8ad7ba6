import Support

/// A cache of facts about the key paths of types, for the life of the process.
final class KeyPathCache<Found>: Sendable {
  /// Unchecked: key paths are immutable, though their type is not `Sendable`.
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
