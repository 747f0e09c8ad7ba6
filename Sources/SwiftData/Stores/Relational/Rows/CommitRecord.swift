import Foundation

/// What several stores become together, written down before the first of them does.
///
/// It lies beside each of their working copies, and beside the first one last. From then on it counts: whoever opens one
/// of the stores for writing finishes what an ended program has begun. What it says is believed of a store only if it
/// lies beside that store's copy as well, where nobody can put it but those who may write to the store. Who writes it
/// looks whether it will be.
struct CommitRecord: Codable, Equatable {
  struct Member: Codable, Equatable {
    /// The path of the store. It is written down as a name where all stores lie in one folder, which may be moved.
    var store: String
    /// The name of the folder of its copy.
    var copy: String
    /// That of the contents that were copied.
    var digest: UInt64
    /// What the copy has for `StoreMetadata.layoutIdentifier`, and nothing else.
    var layoutIdentifier: String
  }

  let members: [Member]

  /// A longer one would be of more stores than anybody has.
  private static let maximumSize: Int64 = 1 << 20

  /// The copies, in their order.
  var copies: [WorkingCopy] {
    members.map { WorkingCopy(of: URL(fileURLWithPath: $0.store, isDirectory: false), named: $0.copy) }
  }

  // MARK: Reading

  /// The record that lies beside a copy, with the paths of all stores.
  ///
  /// - Returns: Nil where there is none that can be understood and believed.
  /// - Throws: Why it cannot be told.
  init?(beside copy: WorkingCopy) throws {
    let url = Self.url(beside: copy)
    var status = stat()
    guard lstat(url.path, &status) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    // Who has finished removes it meanwhile.
    func isGone() -> Bool { lstat(url.path, &status) != 0 }
    func reject(_ reason: String) {
      if isGone() { return }
      Log.store.error("What is written down of a migration at \(url.path) is left aside: \(reason).")
    }
    guard copy.isPrivate(url) else {
      reject("others may have written it")
      return nil
    }
    guard status.st_mode & S_IFMT == S_IFREG, Int64(status.st_size) <= Self.maximumSize else {
      reject("it is no file of the right size")
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

  /// The record that lies beside a copy, if it counts.
  ///
  /// - Throws: Why that cannot be told, or not all be finished: one of the stores may be on a disk that is not there.
  static func committed(beside copy: WorkingCopy) throws -> CommitRecord? {
    guard let record = try CommitRecord(beside: copy) else { return nil }
    let copies = record.copies
    if let lost = copies.first(where: \.isLost) {
      throw SwiftDataError.loadIssueModelContainer.with(
        message: """
          A migration was cut off that changes \(copy.store.path) together with \(lost.store.path). Neither that store is \
          there, nor its copy.
          """,
        hint: """
          Bring it back to where it was, with the folder \(lost.parent.lastPathComponent) beside it. Or remove the folder \
          \(copy.parent.path), to go on without what the migration has not done yet.
          """)
    }
    guard let first = copies.first, try CommitRecord(beside: first) == record else { return nil }
    return record
  }

  /// Whether a copy may still have to take the place of its store.
  static func isCommitted(beside copy: WorkingCopy) -> Bool {
    do {
      return try committed(beside: copy) != nil
    } catch {
      Log.store.warning("A copy of \(copy.store.path) is left where it is: \(error)")
      return true
    }
  }

  private static func url(beside copy: WorkingCopy) -> URL {
    copy.folder.appendingPathComponent("commit.json", isDirectory: false)
  }

  // MARK: Writing

  /// - Parameter members: With the paths of the stores.
  init(_ members: [Member]) {
    self.members = members
  }

  /// Writes the record beside its copies, whose contents survive a loss of power by then, as it does itself.
  ///
  /// - Parameter copies: Those of all members, in their order.
  /// - Throws: Why it could not be written, or would not be believed. It does not count then.
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
            "Several stores change together, and others could change what is written down of that in \(copy.parent.path).",
          hint: "Let nobody write to that folder who may not write to the store. No store was changed.")
      }
      try ExternalFiles.synchronize(copy.folder)
    }
  }

  /// Ends what the record asks for.
  static func remove(beside copy: WorkingCopy) throws {
    guard unlink(url(beside: copy).path) != 0, errno != ENOENT else { return }
    try POSIXError.check(-1)
  }
}
