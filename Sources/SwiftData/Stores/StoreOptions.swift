public import Foundation

extension ModelConfiguration {
  /// Settings of an SQLite store that Apple's framework does not have.
  ///
  /// They apply to the connections of a container with the configuration, and are not stored in the file. A custom store has
  /// none of them.
  public struct StoreOptions: Hashable, Sendable {
    /// Which saved changes survive when the machine loses power.
    public var durability: Durability
    /// How long a save or a transaction waits for other writers of the store, in this process or another.
    ///
    /// Then it throws ``SwiftDataError/storeFailure`` with the reason `busy`, and all changes stay pending. A store in memory
    /// makes reads wait as well. After a second, or half of a shorter time, the logger `swiftdata.store` logs that a save
    /// waits. Zero or less means not to wait.
    ///
    /// Choose less for a program whose main actor saves, and more for one that shares a store with long imports.
    public var busyTimeout: Duration
    /// The maximum size of the write-ahead log in bytes after its content was moved to the store's file.
    ///
    /// SQLite moves the content about every 4 MB, unless a read needs it. The log can be larger in between: for as long as
    /// one save, or one read, takes. ``ModelContainer/close()`` empties it. Zero or less means that the file is emptied
    /// each time.
    public var logByteLimit: Int
    /// Whether the store records what each save changes, and how long it keeps the records: see
    /// ``ModelContext/fetchHistory(_:)``. By default, 30 days and a million transactions.
    ///
    /// All programs that write to a store should use the same setting. One without a history deletes the records of others
    /// when it opens the store, because its own saves are missing there.
    public var history: HistoryRetention
    /// The folder into which the store is copied before a migration plan changes it; `nil`, the default, for no copy.
    ///
    /// It is created if it is missing. A copy has the name of the configuration, the version of the store and the time in its
    /// name, is a store like one that ``ModelContainer/backup(to:)`` writes, and is removed if a stage fails.
    /// Copies of migrations that succeeded stay until you remove them. When the copy cannot be made, the container is not
    /// made, and the store not changed.
    public var migrationBackupFolder: URL?

    /// Makes settings.
    ///
    /// - Parameters:
    ///   - durability: Which saved changes survive when the machine loses power.
    ///   - busyTimeout: How long a save waits for other writers; zero or less for not at all.
    ///   - logByteLimit: How many bytes the file of the write-ahead log may keep; zero or less for none.
    ///   - history: Which part of the history the store keeps.
    public init(
      durability: Durability = .normal, busyTimeout: Duration = .seconds(10), logByteLimit: Int = 16 << 20,
      history: HistoryRetention = .limited(age: .seconds(30 * 86400), count: 1_000_000)
    ) {
      self.durability = durability
      self.busyTimeout = busyTimeout
      self.logByteLimit = logByteLimit
      self.history = history
    }
  }
}
