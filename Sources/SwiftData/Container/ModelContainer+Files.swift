public import Foundation

extension ModelContainer {
  /// Copies the stores while they are in use.
  ///
  /// The copy of a store is what was committed at one moment, with the files of attributes with external storage. Other
  /// contexts, containers and processes can read and save meanwhile. Unsaved changes are not in it. A
  /// ``ModelConfiguration`` with the URL of the copy opens it, and its models have the same identifiers as those of the
  /// original. A store in memory can be copied to a file too; its contexts wait meanwhile.
  ///
  /// When the container has several configurations, `url` becomes a folder, in which each has a file with its name and the
  /// extension `store`. Each copy is whole in itself; a save may come between two of them.
  ///
  /// A copy is made in a hidden folder beside `url`, and moved when it is whole. When several backups to one URL are made at
  /// the same time, one of them succeeds. A program that ends in the middle leaves nothing at `url`, but may leave that of
  /// the copy's large values, and the hidden folder, which the next backup to a file of the same folder removes.
  ///
  /// An addition of OpenSwiftData.
  ///
  /// - Parameter url: The file, or the folder for several configurations. Nothing may be there, nor in the places of the
  ///   files that belong to a store, such as `-wal`. The folder around it must exist.
  /// - Throws: ``SwiftDataError/storeFailure`` with the reason `targetExists` when something is there, `diskFull` when the disk
  ///   is full, `cannotOpen` when `url` is not that of a file or its folder is missing, `busy` inside a
  ///   ``ModelContext/transaction(block:)`` of this container, and other reasons; ``DataStoreError/unsupportedFeature`` when
  ///   one of the stores is a custom one. Nothing is left at `url` then.
  /// - Complexity: Proportional to the size of the stores. The copy is synced to the disk.
  public func backup(to url: URL) throws {
    try core.backUp(to: url)
  }

  /// Closes the stores.
  ///
  /// Waits for the fetches and saves that are under way, empties the write-ahead logs into the stores' files, as far as
  /// other containers and processes are not reading, and lets go of the files. After that they can be moved, copied or
  /// removed.
  ///
  /// The container, its contexts and their models stay, and never trap. What needs the stores throws
  /// ``SwiftDataError/storeFailure`` with the reason `closed`. The values of models that are in memory can still be read. What
  /// would have to be read from the store is a default value, and the error goes to the log. Unsaved changes stay in their
  /// contexts, and can never be saved; save before you close. Nothing happens when the container is closed already, and a call
  /// on another thread waits until it is. A custom store is not notified, and receives no further requests.
  ///
  /// A container that goes away closes its stores too. Call this method to know when. An addition of OpenSwiftData.
  ///
  /// - Throws: ``SwiftDataError/storeFailure``: with the reason `busy` when it is called inside a
  ///   ``ModelContext/transaction(block:)``, a fetch or a save, and then the store stays open. The other stores are closed all
  ///   the same.
  public func close() throws {
    try core.close()
  }
}
