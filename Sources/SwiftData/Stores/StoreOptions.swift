public import Foundation

extension ModelConfiguration {
  /// Settings of an SQLite store that Apple's framework does not have.
  ///
  /// They apply to the connections of a container with the configuration, and are not stored in the file. They have no effect
  /// on a custom store.
  public struct StoreOptions: Hashable, Sendable {
    /// The saved changes that survive when the machine loses power.
    public var durability: Durability
    /// The maximum time that a save or a transaction waits for other writers of the store, in this process or another.
    ///
    /// Then it throws ``SwiftDataError/storeFailure`` with the reason `busy`, and all changes stay unsaved. Reads of a store in
    /// memory wait as well. After a second, or half of a shorter time, the logger `swiftdata.store` logs that a save waits.
    /// Zero or less means not to wait.
    ///
    /// Choose less for a program that saves on the main actor, and more for one that shares a store with long imports.
    public var busyTimeout: Duration
    /// The maximum size of the write-ahead log in bytes after its content was moved to the store's file.
    ///
    /// SQLite moves the content about every 4 MB, unless a read needs it. The log can be larger for the duration of one save
    /// or one read. ``ModelContainer/close()`` empties it. Zero or less means that the file is emptied each time.
    public var logByteLimit: Int
    /// The history of saves that the store keeps: see ``ModelContext/fetchHistory(_:)``. By default, it keeps transactions of
    /// 30 days, and at most a million.
    ///
    /// All programs that write to a store should use the same setting. A program without a history deletes the history when it
    /// opens the store, because its own saves are not recorded.
    public var history: HistoryRetention
    /// The folder into which the store is copied before a migration plan changes it; `nil`, the default, for no copy.
    ///
    /// The folder is created if it is missing. The name of a copy has the name of the configuration, the version of the store
    /// and the time. The copy is like one of ``ModelContainer/backup(to:)``, and is removed if a stage fails. Copies of
    /// successful migrations stay until you remove them. When the copy cannot be made, making the container throws, and the
    /// store is unchanged.
    public var migrationBackupFolder: URL?

    /// Makes settings.
    ///
    /// - Parameters:
    ///   - durability: The saved changes that survive when the machine loses power.
    ///   - busyTimeout: The maximum time that a save waits for other writers; zero or less for no wait.
    ///   - logByteLimit: The maximum size of the write-ahead log in bytes; zero or less to empty it each time.
    ///   - history: The history that the store keeps.
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
