import FaultyDriver
import Foundation
import Relational
import Support
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("A joint migration of several stores")
struct JointMigrationTests {
  private let stores: PairedStores

  init() throws {
    stores = try PairedStores()
    try stores.write()
  }

  /// Migrates until `count` stores have changed, as if the program ended then.
  private func cutOff(after count: Int) throws {
    let faults = CallFailures()
    faults.failAll(afterRevisions: count)
    #expect(throws: (any Error).self) {
      try DatabaseInterception.$wrap.withValue(faults.wrap) { try stores.open(PairV2.self, plan: true) }
    }
    faults.stop()
    #expect(try stores.versions() == [count > 0 ? "2.0.0" : "1.0.0", count > 1 ? "2.0.0" : "1.0.0"])
    #expect(try stores.copies(of: stores.albums).count == 1)
    #expect(try stores.copies(of: stores.owners).count == 1)
  }

  // MARK: Failures

  /// Migrates copies of the stores while calls fail, until none fails any more.
  ///
  /// - Parameter failing: The calls that fail, from a number on.
  private func failAtEachCall(_ failing: (Int) -> ClosedRange<Int>) throws {
    var (call, old, new) = (0, 0, 0)
    while true {
      let copy = try PairedStores(copying: stores)
      let faults = CallFailures()
      faults.fail(failing(call))
      var isDone = false
      do {
        _ = try DatabaseInterception.$wrap.withValue(faults.wrap) { try copy.open(PairV2.self, plan: true) }
        isDone = true
      } catch {
        #expect(error is SwiftDataError, "\(error)")
      }
      let failures = faults.stop()
      try CommitRecovery.run(copy.configurations(PairV1.self))
      if try copy.versions().contains("2.0.0") {
        new += 1
        try copy.expectNew()
      } else {
        old += 1
        #expect(!isDone)
        try copy.expectOld()
      }
      if failures == 0 { break }
      call += call < 60 ? 1 : 7
    }
    #expect(old > 20 && new > 0)
  }

  @Test("A failure of any database call leaves both stores old or both new")
  func failuresAtEachCall() throws {
    try failAtEachCall { $0...$0 }
  }

  @Test("After failures of all calls from any call on, both stores are old or both new once they are reopened")
  func failuresFromEachCall() throws {
    try failAtEachCall { $0...Int.max }
  }

  @Test("Backups stay when only some of the stores have changed")
  func backups() throws {
    let backups = try TemporaryFolder()
    var configurations = stores.configurations(PairV2.self)
    for index in configurations.indices { configurations[index].options.migrationBackupFolder = backups.url }
    let faults = CallFailures()
    func names(after count: Int) throws -> [String] {
      faults.failAll(afterRevisions: count)
      #expect(throws: SwiftDataError.self) {
        try DatabaseInterception.$wrap.withValue(faults.wrap) {
          try ModelContainer(
            for: Schema(versionedSchema: PairV2.self), migrationPlan: PairPlan.self, configurations: configurations)
        }
      }
      faults.stop()
      let names = try FileManager.default.contentsOfDirectory(atPath: backups.url.path)
      return names.filter { $0.hasSuffix(".store") && !$0.hasPrefix(".") }.map { String($0.prefix(6)) }.sorted()
    }
    #expect(try names(after: 1) == ["albums", "owners"])
    try stores.expectNew()
  }

  @Test("A save to the second store just before its lock is taken makes the stages run again")
  func overtaken() throws {
    let owners = stores.owners
    let count = Mutex(0)
    let wrap: @Sendable (any Database) -> any Database = { database in
      let number = count.withLock { count in
        count += 1
        return count
      }
      // The connection that inspects the second store before the migration.
      guard number == 2 else { return database }
      return PrecededDatabase(database) {
        try StoreFiles.execute("UPDATE Owner SET name = 'Ole'", at: owners)
      }
    }
    _ = try DatabaseInterception.$wrap.withValue(wrap) { try stores.open(PairV2.self, plan: true) }
    let context = try stores.open(PairV2.self)
    #expect(try context.fetch(FetchDescriptor<PairV2.Owner>()).map(\.name) == ["Ole"])
    #expect(try context.fetch(FetchDescriptor<PairV2.Album>()).map(\.ownerName) == ["Ole", "Ole"])
    #expect(try stores.versions() == ["2.0.0", "2.0.0"])
  }

  @Test("Stores are replaced in one order, however they are listed, so that two programs cannot deadlock")
  func order() throws {
    let configurations = Array(stores.configurations(PairV2.self).reversed())
    let faults = CallFailures()
    faults.failAll(afterRevisions: 1)
    #expect(throws: (any Error).self) {
      try DatabaseInterception.$wrap.withValue(faults.wrap) {
        try ModelContainer(
          for: Schema(versionedSchema: PairV2.self), migrationPlan: PairPlan.self, configurations: configurations)
      }
    }
    faults.stop()
    #expect(try stores.versions() == ["2.0.0", "1.0.0"])
    try stores.expectNew()
  }

  @Test("When the commit record would be invalid no store changes")
  func invalidRecord() throws {
    let folder = stores.folder.file(".owners.store.migration").path
    let faults = CallFailures()
    faults.failAll(afterRevisions: 1)
    let count = Mutex(0)
    let wrap: @Sendable (any Database) -> any Database = { database in
      let number = count.withLock { count in
        count += 1
        return count
      }
      // The connection that inspects the second store before the migration.
      guard number == 2 else { return faults.wrap(database) }
      return faults.wrap(
        PrecededDatabase(database) {
          try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
        })
    }
    let error = #expect(throws: SwiftDataError.self) {
      try DatabaseInterception.$wrap.withValue(wrap) { try stores.open(PairV2.self, plan: true) }
    }
    faults.stop()
    #expect(error?.details?.message?.contains(folder) == true)
    #expect(error?.details?.hint?.contains("No store was changed.") == true)
    try stores.expectOld()
  }

  @Test(
    "A full disk at the second store leaves both unchanged", .enabled(if: SmallDisk.isAvailable),
    arguments: [1500, 2000, 2500, 3500, 20_000])
  func fullDisk(kilobytes: Int) throws {
    do {
      let context = try stores.open(PairV1.self)
      for number in 0..<3000 {
        context.insert(PairV1.Owner(name: "owner \(number) \(String(repeating: "x", count: 200))"))
      }
      try context.save()
      try context.container.close()
    }
    let small = try PairedStores()
    let disk = try SmallDisk(at: small.folder.url, kilobytes: kilobytes)
    defer { disk.remove() }
    for name in try FileManager.default.contentsOfDirectory(atPath: stores.folder.url.path) {
      try FileManager.default.copyItem(at: stores.folder.file(name), to: small.folder.file(name))
    }
    do {
      _ = try small.open(PairV2.self, plan: true)
      #expect(kilobytes > 1500)
      #expect(try small.versions() == ["2.0.0", "2.0.0"])
    } catch {
      #expect(kilobytes < 20_000, "\(error)")
      #expect(error is SwiftDataError)
      #expect(try small.versions() == ["1.0.0", "1.0.0"])
      #expect(try small.copies(of: small.albums) == [])
      #expect(try small.copies(of: small.owners) == [])
    }
  }

  // MARK: Completion

  @Test("An interrupted commit is completed by the next opening, with or without the plan", arguments: [0, 1])
  func finished(count: Int) throws {
    try cutOff(after: count)
    let copy = try PairedStores(copying: stores)
    try stores.expectNew()
    _ = try copy.open(PairV2.self, plan: true)
    try copy.expectNew()
  }

  @Test("Opening only one of the stores completes the commit of all", arguments: [0, 1])
  func oneStore(position: Int) throws {
    try cutOff(after: 1)
    do {
      let configuration = stores.configurations(PairV2.self)[position]
      let container = try ModelContainer(
        for: try #require(configuration.schema), configurations: configuration)
      try container.close()
    }
    #expect(try stores.versions() == ["2.0.0", "2.0.0"])
    try stores.expectNew()
  }

  @Test("A read-only opening completes nothing")
  func readers() throws {
    try cutOff(after: 1)
    let reader = ModelConfiguration(schema: Schema([PairV1.Owner.self]), url: stores.owners, allowsSave: false)
    let container = try ModelContainer(for: Schema([PairV1.Owner.self]), configurations: reader)
    #expect(try container.freshContext().fetch(FetchDescriptor<PairV1.Owner>()).map(\.name) == ["Ida"])
    try container.close()
    #expect(try stores.versions() == ["2.0.0", "1.0.0"])
    try stores.expectNew()
  }

  @Test("An interrupted commit is completed after its folder was moved")
  func movedFolder() throws {
    try cutOff(after: 1)
    let copy = try PairedStores(copying: stores)
    try copy.expectNew()
    #expect(try stores.versions() == ["2.0.0", "1.0.0"])
  }

  @Test("An interrupted commit is completed after its folder was copied without permissions")
  func copiedFolder() throws {
    try cutOff(after: 1)
    let copy = try PairedStores(copying: stores)
    for store in [copy.albums, copy.owners] {
      let folder = try #require(try copy.copies(of: store).first)
      for url in [folder, folder.deletingLastPathComponent()] {
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
      }
    }
    try copy.expectNew()
  }

  @Test("While one of the stores is missing the others are refused, and completed later", arguments: [0, 1])
  func absentStore(position: Int) throws {
    try cutOff(after: 1)
    let absent = [stores.albums, stores.owners][position]
    let elsewhere = try TemporaryFolder()
    func move(from source: URL, to target: URL) throws {
      for name in try FileManager.default.contentsOfDirectory(atPath: source.path)
      where name.contains(absent.lastPathComponent) {
        try FileManager.default.moveItem(
          at: source.appendingPathComponent(name), to: target.appendingPathComponent(name))
      }
    }
    try move(from: stores.folder.url, to: elsewhere.url)
    let present = stores.configurations(PairV1.self)[1 - position]
    let schema = try #require(present.schema)
    let error = #expect(throws: SwiftDataError.self) { try ModelContainer(for: schema, configurations: present) }
    #expect(error?.details?.message?.contains(absent.path) == true)
    #expect(error?.details?.hint?.contains(".\(absent.lastPathComponent).migration") == true)
    try move(from: elsewhere.url, to: stores.folder.url)
    try stores.expectNew()
  }

  // MARK: Openings in between

  /// Opens one of the stores without the plan.
  ///
  /// - Parameter event: Happens after the store was inspected and before its lock is taken.
  private func openOne(
    _ position: Int, busyTimeout: Duration? = nil, after event: @escaping @Sendable () throws -> Void
  ) throws -> ModelContainer {
    var configuration = stores.configurations(PairV2.self)[position]
    if let busyTimeout { configuration.options.busyTimeout = busyTimeout }
    let schema = try #require(configuration.schema)
    let count = Mutex(0)
    let wrap: @Sendable (any Database) -> any Database = { database in
      let number = count.withLock { count in
        count += 1
        return count
      }
      return number == 1 ? PrecededDatabase(database, event: event) : database
    }
    return try DatabaseInterception.$wrap.withValue(wrap) {
      try ModelContainer(for: schema, configurations: configuration)
    }
  }

  @Test(
    "An opening that waits for an interrupted commit completes it before changing the store",
    arguments: [0, 1], [0, 1])
  func waiting(position: Int, count: Int) throws {
    do {
      let container = try openOne(position) { try cutOff(after: count) }
      try container.close()
    }
    #expect(try stores.versions() == ["2.0.0", "2.0.0"])
    try stores.expectNew()
  }

  @Test("While another process completes a commit, an opening without the plan changes nothing")
  func otherProcessCommits() throws {
    let held = Mutex<WorkingCopy?>(nil)
    let event: @Sendable () throws -> Void = {
      try cutOff(after: 1)
      let copy = try #require(WorkingCopy.all(of: stores.albums).first)
      #expect(copy.take())
      held.withLock { $0 = copy }
    }
    let error = #expect(throws: SwiftDataError.self) {
      try openOne(1, busyTimeout: .milliseconds(50), after: event)
    }
    #expect(error?.details?.hint?.contains("busyTimeout") == true)
    #expect(try stores.versions() == ["2.0.0", "1.0.0"])
    let copy = try #require(held.withLock { $0 })
    copy.leave()
    try stores.expectNew()
  }

  // MARK: Saves in between

  @Test("A save to an already replaced store stays when the commit is completed")
  func savedToNew() throws {
    try cutOff(after: 1)
    try StoreFiles.execute("UPDATE Album SET ownerName = 'Ole'", at: stores.albums)
    let context = try stores.open(PairV2.self)
    #expect(try context.fetch(FetchDescriptor<PairV2.Album>()).map(\.ownerName) == ["Ole", "Ole"])
    #expect(try context.fetch(FetchDescriptor<PairV2.Owner>()).map(\.albumCount) == [2])
    #expect(try stores.versions() == ["2.0.0", "2.0.0"])
  }

  @Test("A store that was saved to after the interruption is not replaced, and its copy is kept")
  func savedToOld() throws {
    try cutOff(after: 1)
    try StoreFiles.execute("UPDATE Owner SET name = 'Ole'", at: stores.owners)
    try CommitRecovery.run(stores.configurations(PairV1.self))
    #expect(try stores.versions() == ["2.0.0", "1.0.0"])
    #expect(try StoreFiles.texts("SELECT name FROM Owner", at: stores.owners) == ["Ole"])
    #expect(try stores.copies(of: stores.albums) == [])
    let kept = try #require(try stores.copies(of: stores.owners).first)
    #expect(kept.pathExtension == "kept")
    let copy = kept.appendingPathComponent("copy.store")
    #expect(try StoreFiles.texts("SELECT CAST(albumCount AS TEXT) FROM Owner", at: copy) == ["2"])
    // The copy is no leftover, and is not retried.
    try CommitRecovery.run(stores.configurations(PairV1.self))
    _ = try stores.open(PairV2.self)
    #expect(FileManager.default.fileExists(atPath: copy.path))
    #expect(try StoreFiles.texts("SELECT name FROM Owner", at: stores.owners) == ["Ole"])
  }

  @Test("When no store was replaced yet, a save to one of them keeps all of them old")
  func savedBefore() throws {
    try cutOff(after: 0)
    try StoreFiles.execute("UPDATE Owner SET name = 'Ole'", at: stores.owners)
    try CommitRecovery.run(stores.configurations(PairV1.self))
    #expect(try stores.versions() == ["1.0.0", "1.0.0"])
    #expect(try stores.copies(of: stores.albums) == [])
    #expect(try stores.copies(of: stores.owners) == [])
    _ = try stores.open(PairV2.self, plan: true)
    let context = try stores.open(PairV2.self)
    #expect(try context.fetch(FetchDescriptor<PairV2.Album>()).map(\.ownerName) == ["Ole", "Ole"])
  }

  // MARK: Foreign and damaged files

  enum Forgery: CaseIterable {
    case broken, large, link, incomplete, publicFolder, otherStore
  }

  @Test("An invalid commit record changes nothing", arguments: Forgery.allCases)
  func forgery(_ forgery: Forgery) throws {
    try cutOff(after: 0)
    let treasure = try PairedStores()
    try treasure.write()
    let before = try StoreFiles.contents(of: treasure.folder.url)
    let record = try stores.record(of: stores.albums)
    switch forgery {
    case .broken: try Data("{\"members\": [".utf8).write(to: record)
    case .large: try Data(repeating: 0x20, count: 2 << 20).write(to: record)
    case .link:
      let target = treasure.folder.file("record")
      try FileManager.default.moveItem(at: record, to: target)
      try FileManager.default.createSymbolicLink(at: record, withDestinationURL: target)
    case .incomplete: try FileManager.default.removeItem(at: stores.record(of: stores.owners))
    case .publicFolder:
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o777], ofItemAtPath: record.deletingLastPathComponent().path)
    case .otherStore:
      let text = try String(contentsOf: record, encoding: .utf8)
      let path = treasure.owners.path.replacingOccurrences(of: "/", with: "\\/")
      let forged = text.replacingOccurrences(of: "\"owners.store\"", with: "\"\(path)\"")
      #expect(forged != text)
      try Data(forged.utf8).write(to: record)
    }
    try CommitRecovery.run(stores.configurations(PairV1.self))
    #expect(try stores.versions() == ["1.0.0", "1.0.0"])
    var after = try StoreFiles.contents(of: treasure.folder.url)
    after["record"] = nil
    #expect(after == before)
  }

  @Test("A damaged copy does not replace a store")
  func damagedCopy() throws {
    try cutOff(after: 1)
    let copy = try stores.record(of: stores.owners).deletingLastPathComponent().appendingPathComponent("copy.store")
    try Data(repeating: 7, count: 8192).write(to: copy)
    try CommitRecovery.run(stores.configurations(PairV1.self))
    #expect(try stores.versions() == ["2.0.0", "1.0.0"])
    #expect(try StoreFiles.texts("SELECT name FROM Owner", at: stores.owners) == ["Ida"])
    #expect(try stores.copies(of: stores.owners).map(\.pathExtension) == ["kept"])
  }
}
