import Foundation
import SwiftData
import Testing

@testable import Diary

@Suite("The diary")
struct DiaryTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "diary \(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func run(_ arguments: String...) throws {
    var command = try DiaryCommand.parseAsRoot(arguments)
    try command.run()
  }

  @Test("Stores of all releases migrate to the last one, also after a preview and a rehearsal", arguments: 1...3)
  func releases(release: Int) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = folder.appending(path: "\(release).store").path
    try run("make", store, "--release", "\(release)", "--count", "2500")
    try run("preview", store)
    try run("rehearse", store)
    try run("migrate", store)
    try run("migrate", store)
    let context = ModelContext(
      try ModelContainer(
        for: DiaryCommand.last, configurations: ModelConfiguration(url: URL(filePath: store))))
    let entries = try context.fetch(FetchDescriptor<DiaryV3.Entry>(sortBy: [SortDescriptor(\.day)]))
    #expect(entries.map(\.headline) == (1...2500).map { "Day \($0)" })
    #expect(entries[12].tags.map(\.name) == ["tag 3", "tag 6"])
    if release < 3 { #expect(entries[12].wordCount == 6) }
    if release == 2 { #expect(entries[2].mood == "glad" && entries[3].mood == nil) }
    #expect(try context.fetchCount(FetchDescriptor<DiaryV3.Tag>()) == 8)
  }
}
