import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Adding and removing the external storage option")
struct ExternalOptionTests {
  private let folder: TemporaryFolder
  private let large = Data(repeating: 7, count: 500_000)
  private let small = Data(repeating: 8, count: 10)

  init() throws {
    folder = try TemporaryFolder()
  }

  private func configuration(allowsSave: Bool = true) -> ModelConfiguration {
    ModelConfiguration(url: folder.file(), allowsSave: allowsSave)
  }

  private func filed(allowsSave: Bool = true) throws -> ModelContext {
    ModelContext(
      try ModelContainer(for: FiledPhotos.Photo.self, configurations: configuration(allowsSave: allowsSave)))
  }

  private func inline(allowsSave: Bool = true) throws -> ModelContext {
    ModelContext(
      try ModelContainer(for: InlinePhotos.Photo.self, configurations: configuration(allowsSave: allowsSave)))
  }

  private func writeFiled(_ values: Data...) throws {
    let context = try filed()
    for value in values { context.insert(FiledPhotos.Photo(pixels: value)) }
    try context.save()
  }

  private func write(_ value: Data) throws {
    let context = try inline()
    context.insert(InlinePhotos.Photo(pixels: value))
    try context.save()
  }

  private var fileCount: Int {
    ExternalFiles(store: folder.file()).names().count
  }

  /// Makes the store one of a release that did not record which columns name files.
  private func forgetRecord() throws {
    try StoreFiles.execute(
      """
      UPDATE swiftdata_metadata
      SET value = replace(replace(value, '"namesFiles":true,', ''), '"namesFiles":false,', '')
      """, at: folder.file())
    let layouts = try StoreFiles.texts("SELECT value FROM swiftdata_metadata WHERE key = 'layout'", at: folder.file())
    #expect(layouts.count == 1 && !layouts[0].contains("namesFiles"))
  }

  private func count(_ context: ModelContext, _ predicate: Predicate<InlinePhotos.Photo>) throws -> Int {
    try context.fetchCount(FetchDescriptor(predicate: predicate))
  }

  @Test("Without the option a store has the data in its rows and compares it", arguments: [true, false])
  func withoutOption(isRecorded: Bool) throws {
    let (large, small) = (self.large, self.small)
    try writeFiled(large, large, small)
    if !isRecorded { try forgetRecord() }
    #expect(fileCount == 2)
    for _ in 0..<2 {
      let context = try inline()
      #expect(try count(context, #Predicate { $0.pixels.count > 200_000 }) == 2)
      #expect(try count(context, #Predicate { $0.pixels == large }) == 2)
      #expect(try count(context, #Predicate { $0.pixels != large }) == 1)
      let groups = try context.fetchGroups(by: \InlinePhotos.Photo.pixels, computing: .count)
      let counts = Dictionary(groups.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
      #expect(counts == [large: 2, small: 1])
    }
    #expect(fileCount == 0)
    let context = try inline()
    try context.delete(model: InlinePhotos.Photo.self, where: #Predicate { $0.pixels.count > 200_000 })
    try context.save()
    #expect(try inline().fetch(FetchDescriptor<InlinePhotos.Photo>()).map(\.pixels) == [small])
  }

  @Test("A missing external file refuses the store", arguments: [true, false])
  func missingFile(isRecorded: Bool) throws {
    try writeFiled(large, large)
    if !isRecorded { try forgetRecord() }
    let files = ExternalFiles(store: folder.file())
    files.remove(files.names().prefix(1))
    let error = try expectRefusal(in: folder) { try inline().container }
    #expect(error?.details?.issues.map(\.entity) == ["Photo"])
    #expect(error?.details?.issues.map(\.property) == ["pixels"])
    #expect(error?.details?.underlyingError != nil)
    #expect(try filed().fetchCount(FetchDescriptor<FiledPhotos.Photo>()) == 2)
  }

  @Test("Adding the option to an existing store writes new values to files")
  func addedOption() throws {
    try write(large)
    #expect(try filed().fetch(FetchDescriptor<FiledPhotos.Photo>()).map(\.pixels) == [large])
    #expect(fileCount == 0)
    try writeFiled(large + small)
    #expect(fileCount == 1)
    #expect(try count(inline(), #Predicate { $0.pixels.count > 500_000 }) == 1)
    #expect(fileCount == 0)
  }

  @Test("A store that never had external files is neither searched nor written to")
  func withoutFiles() throws {
    try writeFiled(small)
    try forgetRecord()
    let statements = Statements()
    let observer: @Sendable (String) -> Void = { statements.add($0) }
    let container = try StatementObservation.$observer.withValue(observer) { try inline().container }
    #expect(statements.all.filter { $0.contains("typeof") || $0.hasPrefix("UPDATE") } == [])
    #expect(try ModelContext(container).fetch(FetchDescriptor<InlinePhotos.Photo>()).map(\.pixels) == [small])
  }

  @Test("A read-only store with external files is refused without the option", arguments: [true, false])
  func readOnlyWithFiles(isRecorded: Bool) throws {
    try writeFiled(large)
    if !isRecorded { try forgetRecord() }
    #expect(try filed(allowsSave: false).fetch(FetchDescriptor<FiledPhotos.Photo>()).map(\.pixels) == [large])
    try expectRefusal(in: folder) { try inline(allowsSave: false).container }
  }

  @Test("A read-only store without external files is read with and without the option", arguments: [true, false])
  func readOnlyWithoutFiles(isFiled: Bool) throws {
    if isFiled { try writeFiled(small) } else { try write(small) }
    #expect(try inline(allowsSave: false).fetch(FetchDescriptor<InlinePhotos.Photo>()).map(\.pixels) == [small])
    #expect(try filed(allowsSave: false).fetch(FetchDescriptor<FiledPhotos.Photo>()).map(\.pixels) == [small])
  }
}
