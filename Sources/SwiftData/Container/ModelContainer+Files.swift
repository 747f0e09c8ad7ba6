public import Foundation

extension ModelContainer {
  /// Copies the stores while they are in use.
  ///
  /// The copy of a store has one committed state, with the files of attributes with external storage, and without unsaved
  /// changes. Other contexts, containers and processes can read and save meanwhile. A ``ModelConfiguration`` with the URL of
  /// the copy opens it, and its models have the same identifiers as those of the original. A store in memory can be copied
  /// to a file too; its contexts wait meanwhile.
  ///
  /// When the container has several configurations, `url` becomes a folder, in which each has a file with its name and the
  /// extension `store`. Each copy is consistent in itself, but a save may come between two copies.
  ///
  /// A copy is made in a hidden folder beside `url`, and moved when it is complete. When several backups to one URL are made
  /// at the same time, one of them succeeds. A process that ends during a backup leaves nothing at `url`, but may leave the
  /// folder of the copy's external values, and the hidden folder, which the next backup to a file of the same folder removes.
  ///
  /// An addition of OpenSwiftData.
  ///
  /// - Parameter url: The URL of the file, or of the folder for several configurations. No file may exist there, nor at the
  ///   paths of the files that belong to a store, such as `-wal`. The folder that contains it must exist.
  /// - Throws: ``SwiftDataError/storeFailure`` with the reason `targetExists` when a file exists, `diskFull` when the disk is
  ///   full, `cannotOpen` when `url` is not a file URL or its folder is missing, `busy` inside a
  ///   ``ModelContext/transaction(block:)`` of this container, and other reasons; ``DataStoreError/unsupportedFeature`` when
  ///   one of the stores is a custom store. Nothing is left at `url` then.
  /// - Complexity: Proportional to the size of the stores. The copy is synced to the disk.
  public func backup(to url: URL) throws {
    try core.backUp(to: url)
  }

  /// Closes the stores.
  ///
  /// Waits for the current fetches and saves, moves the content of the write-ahead logs to the stores' files, as far as
  /// other containers and processes are not reading, and releases the files. After that they can be moved, copied or
  /// removed.
  ///
  /// The container, its contexts and their models stay usable and never trap. Operations that need the stores throw
  /// ``SwiftDataError/storeFailure`` with the reason `closed`. The values of models that are in memory can still be read. A
  /// value that is not in memory is a default value, and the error goes to the log. Unsaved changes stay in their contexts,
  /// and can never be saved; save before you close. A second call does nothing, and a call on another thread waits until the
  /// container is closed. A custom store is not notified, and receives no further requests.
  ///
  /// A container that is released closes its stores too. Call this method to determine the time. An addition of OpenSwiftData.
  ///
  /// - Throws: ``SwiftDataError/storeFailure``: with the reason `busy` when it is called inside a
  ///   ``ModelContext/transaction(block:)``, a fetch or a save of a store. That store stays open, and the other stores are
  ///   closed.
  public func close() throws {
    try core.close()
  }
}
