import Foundation

/// The changes of several stores that are committed together, recorded before the first store changes.
///
/// The record is written beside each working copy, last beside the first one, which commits it. From then on, a process
/// that opens one of the stores for writing finishes the commit of a program that has ended. A record is only trusted for
/// a store if it is beside that store's copy as well, where only users with write access to the store can put it. The
/// writer checks that it will be trusted.
struct CommitRecord: Codable, Equatable {
  struct Member: Codable, Equatable {
    /// The path of the store. The file has only its name if all stores are in one folder, which may be moved.
    var store: String
    /// The name of the copy's folder.
    var copy: String
    /// The digest of the copied contents.
    var digest: UInt64
    /// The `StoreMetadata.layoutIdentifier` of the copy, which no other store has.
    var layoutIdentifier: String
  }

  let members: [Member]

  // A larger file is no record.
  private static let maximumSize: Int64 = 1 << 20

  /// The copies, in the order of the members.
  var copies: [WorkingCopy] {
    members.map { WorkingCopy(of: URL(fileURLWithPath: $0.store, isDirectory: false), named: $0.copy) }
  }

  // MARK: Reading

  /// Reads the record beside a copy, and completes the paths of its stores.
  ///
  /// - Returns: Nil if there is no valid and trusted record.
  /// - Throws: An error if the record cannot be read.
  init?(beside copy: WorkingCopy) throws {
    let url = Self.url(beside: copy)
    var status = stat()
    guard lstat(url.path, &status) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    // A process that finishes the commit removes the record.
    func isGone() -> Bool { lstat(url.path, &status) != 0 }
    func reject(_ reason: String) {
      if isGone() { return }
      Log.store.error("The record of a migration at \(url.path) is ignored: \(reason).")
    }
    guard copy.isPrivate(url) else {
      reject("other users may have written it")
      return nil
    }
    guard status.st_mode & S_IFMT == S_IFREG, Int64(status.st_size) <= Self.maximumSize else {
      reject("it is no regular file of at most 1 MiB")
      return nil
    }
    let data: Data
    do {
      data = try Data(contentsOf: url)
    } catch {
      if isGone() { return nil }
      throw error
    }
    guard let found = try? JSONDecoder().decode(Self.self, from: data) else {
      reject("it cannot be read")
      return nil
    }
    let folder = copy.store.deletingLastPathComponent()
    members = found.members.map { member in
      var member = member
      if !member.store.hasPrefix("/") {
        member.store = folder.appendingPathComponent(member.store, isDirectory: false).path
      }
      return member
    }
    guard isSound, members.contains(where: { $0.store == copy.store.path && $0.copy == copy.name }) else {
      reject("it is not of this store")
      return nil
    }
  }

  private var isSound: Bool {
    members.count > 1 && Set(members.map(\.store)).count == members.count
      && members.allSatisfy { UUID(uuidString: $0.copy) != nil }
  }

  /// The record beside a copy, if it is committed.
  ///
  /// - Throws: An error if it cannot be read, or not be finished: one of the stores may be on a missing disk.
  static func committed(beside copy: WorkingCopy) throws -> CommitRecord? {
    guard let record = try CommitRecord(beside: copy) else { return nil }
    let copies = record.copies
    if let lost = copies.first(where: \.isLost) {
      throw SwiftDataError.loadIssueModelContainer.with(
        message: """
          A migration of \(copy.store.path) together with \(lost.store.path) was interrupted. Both the latter store and its \
          copy are missing.
          """,
        hint: """
          Restore it at its path, with the folder \(lost.parent.lastPathComponent) beside it. Or remove the folder \
          \(copy.parent.path), to continue without the rest of the migration.
          """)
    }
    guard let first = copies.first, try CommitRecord(beside: first) == record else { return nil }
    return record
  }

  /// Whether a copy may still have to replace its store.
  static func isCommitted(beside copy: WorkingCopy) -> Bool {
    do {
      return try committed(beside: copy) != nil
    } catch {
      Log.store.warning("A copy of \(copy.store.path) is not removed: \(error)")
      return true
    }
  }

  private static func url(beside copy: WorkingCopy) -> URL {
    copy.folder.appendingPathComponent("commit.json", isDirectory: false)
  }

  // MARK: Writing

  /// - Parameter members: The members, with the full paths of the stores.
  init(_ members: [Member]) {
    self.members = members
  }

  /// Writes the record beside its copies. The contents of the copies and the record are synced to disk.
  ///
  /// - Parameter copies: The copies of all members, in their order.
  /// - Throws: An error if it cannot be written, or would not be trusted. It is not committed then.
  func write(beside copies: [WorkingCopy]) throws {
    let folders = Set(copies.map { $0.store.deletingLastPathComponent().path })
    let written = CommitRecord(
      members.map { member in
        var member = member
        if folders.count == 1 { member.store = URL(fileURLWithPath: member.store).lastPathComponent }
        return member
      })
    let data = try JSONEncoder().encode(written)
    for copy in copies { try copy.synchronize() }
    for copy in copies.reversed() {
      let url = Self.url(beside: copy)
      let draft = url.appendingPathExtension("draft")
      try data.write(to: draft)
      let file = try FileHandle(forWritingTo: draft)
      defer { try? file.close() }
      try file.synchronize()
      try POSIXError.check(rename(draft.path, url.path))
      guard try CommitRecord(beside: copy) != nil else {
        throw SwiftDataError.loadIssueModelContainer.with(
          message:
            "The record of a migration of several stores in \(copy.parent.path) would be writable for other users.",
          hint: "Give write access to that folder only to users who may write to the store. No store was changed.")
      }
      try ExternalFiles.synchronize(copy.folder)
    }
  }

  /// Removes the record of a finished commit.
  static func remove(beside copy: WorkingCopy) throws {
    guard unlink(url(beside: copy).path) != 0, errno != ENOENT else { return }
    try POSIXError.check(-1)
  }
}
