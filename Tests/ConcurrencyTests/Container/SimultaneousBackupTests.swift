import Foundation
import Support
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Concurrent backups to one location")
struct SimultaneousBackupTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A container whose stores have values of their own.
  private func makeContainer(_ number: UInt8, storeCount: Int) throws -> ModelContainer {
    let drawings = ModelConfiguration(
      "drawings", schema: Schema([Drawing.self]), url: folder.file("\(number).store"))
    let recipes = ModelConfiguration(
      "recipes", schema: Schema([Recipe.self]), url: folder.file("\(number) recipes.store"))
    let models: [any PersistentModel.Type] = [Drawing.self, Recipe.self]
    let container = try ModelContainer(
      for: Schema(Array(models.prefix(storeCount))), configurations: Array([drawings, recipes].prefix(storeCount)))
    let context = ModelContext(container)
    for _ in 0..<3 { context.insert(Drawing(Data(repeating: number, count: 200_000))) }
    if storeCount == 2 { context.insert(Recipe("\(number)")) }
    try context.save()
    return container
  }

  private final class Results: Sendable {
    let all = Mutex<[(number: Int, failure: (any Error)?)]>([])
  }

  /// Runs `body` on several threads at once.
  ///
  /// - Returns: The numbers of the calls that succeeded, and the errors of the others.
  private static func inParallel(
    _ count: Int, _ body: @escaping @Sendable (Int) throws -> Void
  ) -> (winners: [Int], failures: [any Error]) {
    let results = Results()
    let group = DispatchGroup()
    for number in 0..<count {
      group.enter()
      Thread {
        let failure: (any Error)?
        do {
          try body(number)
          failure = nil
        } catch { failure = error }
        results.all.withLock { $0.append((number, failure)) }
        group.leave()
      }.start()
    }
    group.wait()
    let all = results.all.withLock { $0 }
    return (all.filter { $0.failure == nil }.map(\.number), all.compactMap(\.failure))
  }

  @Test("Of concurrent backups to one location exactly one succeeds, and it is complete", arguments: [1, 2])
  func oneSucceeds(storeCount: Int) throws {
    let containers = try (0..<3).map { try makeContainer(UInt8($0), storeCount: storeCount) }
    for _ in 0..<10 {
      let backups = try TemporaryFolder()
      let target = backups.file("copy.store")
      let (winners, failures) = Self.inParallel(6) { try containers[$0 % 3].backup(to: target) }
      #expect(winners.count == 1)
      let reasons = failures.map { ($0 as? SwiftDataError)?.details?.storeFailureReason }
      #expect(reasons == Array(repeating: .targetExists, count: 5), "\(failures)")
      let names = try FileManager.default.contentsOfDirectory(atPath: backups.url.path).sorted()
      #expect(names == (storeCount == 1 ? [".copy.store_SUPPORT", "copy.store"] : ["copy.store"]))
      let winner = try #require(winners.first) % 3
      let drawings = storeCount == 1 ? target : target.appendingPathComponent("drawings.store")
      let copy = ModelContext(try ModelContainer(for: Drawing.self, configurations: ModelConfiguration(url: drawings)))
      let image = Data(repeating: UInt8(winner), count: 200_000)
      #expect(try copy.fetch(FetchDescriptor<Drawing>()).map(\.image) == [image, image, image])
      if storeCount == 2 {
        let recipes = target.appendingPathComponent("recipes.store")
        #expect(try StoreFiles.texts("SELECT name FROM Recipe", at: recipes) == ["\(winner)"])
      }
    }
  }

  @Test("Moving a file fails if the target path exists, with or without hard links", arguments: [true, false])
  func movedFiles(hasLinks: Bool) throws {
    let target = folder.file("target").path
    for round in 0..<20 {
      let sources = (0..<4).map { folder.file("\(round) \($0)").path }
      for (number, source) in sources.enumerated() {
        try Data("\(number)".utf8).write(to: URL(fileURLWithPath: source))
      }
      let (winners, failures) = Self.inParallel(4) { number in
        if hasLinks {
          _ = try InstalledItem(file: sources[number], to: target)
        } else {
          try InstalledItem.replaceOwn(with: sources[number], at: target)
        }
      }
      #expect(winners.count == 1)
      #expect(failures.allSatisfy { ($0 as? POSIXError)?.code == .EEXIST }, "\(failures)")
      let winner = try #require(winners.first)
      #expect(try String(contentsOfFile: target, encoding: .utf8) == "\(winner)")
      #expect(sources.indices.filter { !FileManager.default.fileExists(atPath: sources[$0]) } == [winner])
      try FileManager.default.removeItem(atPath: target)
    }
  }

  @Test("A failed move leaves the target path free")
  func failedMove() throws {
    let target = folder.file("target").path
    let missing = folder.file("missing").path
    #expect(throws: POSIXError.self) { try InstalledItem(file: missing, to: target) }
    #expect(throws: POSIXError.self) { try InstalledItem.replaceOwn(with: missing, at: target) }
    #expect(throws: POSIXError.self) { try InstalledItem(folder: missing, to: target) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
  }

  @Test("Removing an installed item keeps files that other programs put beside it or in its place")
  func othersFiles() throws {
    let manager = FileManager.default
    let target = folder.file("target")
    try manager.createDirectory(at: folder.file("made/inner"), withIntermediateDirectories: true)
    for name in ["made/own", "made/inner/own"] { try Data("own".utf8).write(to: folder.file(name)) }
    let placed = try InstalledItem(folder: folder.file("made").path, to: target.path)
    try Data("other".utf8).write(to: target.appendingPathComponent("inner/other"))
    placed.remove()
    #expect(try manager.subpathsOfDirectory(atPath: target.path).sorted() == ["inner", "inner/other"])
    try manager.removeItem(at: target)

    try Data("own".utf8).write(to: folder.file("made"))
    let file = try InstalledItem(file: folder.file("made").path, to: target.path)
    try manager.moveItem(at: target, to: folder.file("elsewhere"))
    try Data("other".utf8).write(to: target)
    file.remove()
    #expect(try String(contentsOf: target, encoding: .utf8) == "other")
  }
}
