import Foundation
import Logging
import Testing

@testable import SwiftData
@testable import TestSupport

private enum Named {
  @Model final class Trip {
    var name: String
    var length: Int = 1
    init(_ name: String) { self.name = name }
  }
}

private enum Titled {
  @Model final class Trip {
    var title: String = ""
    var length: Int = 1
    init() {}
  }
}

private enum Renamed {
  @Model final class Trip {
    @Attribute(originalName: "name") var title: String = ""
    var length: Int = 1
    init() {}
  }
}

private enum Misspelt {
  @Model final class Trip {
    @Attribute(originalName: "nmae") var title: String
    var length: Int = 1
    init(_ title: String) { self.title = title }
  }
}

@Suite("Renamed properties without a correct originalName")
struct PossibleRenamingTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try Self.write(folder)
  }

  private static func write(_ folder: TemporaryFolder) throws {
    let context = ModelContext(try open(Named.Trip.self, folder))
    for name in ["a", "b"] { context.insert(Named.Trip(name)) }
    try context.save()
  }

  private static func open(_ type: any PersistentModel.Type, _ folder: TemporaryFolder) throws -> ModelContainer {
    try ModelContainer(for: Schema([type]), configurations: ModelConfiguration(url: folder.file()))
  }

  @Test("Archived values beside a new property of their type are counted in a notice, and can be restored")
  func archived() async {
    await #expect(processExitsWith: .success) {
      let recorder = RecordingHandler(.notice)
      LoggingSystem.bootstrap { _ in recorder }
      let folder = try TemporaryFolder()
      try PossibleRenamingTests.write(folder)
      let titles = try ModelContext(PossibleRenamingTests.open(Titled.Trip.self, folder))
        .fetch(FetchDescriptor<Titled.Trip>()).map(\.title)
      #expect(titles == ["", ""])
      let notices = recorder.messages.filter { $0.contains("was archived") }
      #expect(notices.count == 1)
      #expect(
        notices.first?.hasPrefix("notice: Trip.name was archived with 2 values, and Trip.title is new.") == true)
      #expect(notices.first?.contains("rename it with @Attribute(originalName: \"name\")") == true)
      _ = try PossibleRenamingTests.open(Named.Trip.self, folder)
      let found = try ModelContext(PossibleRenamingTests.open(Renamed.Trip.self, folder))
        .fetch(FetchDescriptor<Renamed.Trip>()).map(\.title)
      #expect(found.sorted() == ["a", "b"])
    }
  }

  @Test("An originalName that the store lacks is refused, with the names that the store has")
  func misspelt() throws {
    let error = #expect(throws: SwiftDataError.self) { try Self.open(Misspelt.Trip.self, folder) }
    #expect(error?.details?.entity == "Trip")
    #expect(error?.details?.property == "title")
    #expect(error?.details?.message?.contains("\"nmae\"") == true)
    #expect(
      error?.details?.message?.contains("length, name") == true
        || error?.details?.message?.contains("name, length") == true)
    let context = ModelContext(try Self.open(Named.Trip.self, folder))
    #expect(try context.fetch(FetchDescriptor<Named.Trip>()).count == 2)
  }
}
