import SwiftData
import Testing

// Declarations of applications on top of SwiftData's own. The compiler warns of the first three here as it does with Apple's;
// it must not reject them.

// swift-format-ignore: AvoidRetroactiveConformances
extension ModelContext: @unchecked @retroactive Sendable {}
// swift-format-ignore: AvoidRetroactiveConformances
extension PersistentIdentifier: @retroactive Sendable {}
// swift-format-ignore: AvoidRetroactiveConformances
extension FetchDescriptor: @unchecked @retroactive Sendable {}

extension ModelContainer {
  convenience init(testing types: [any PersistentModel.Type]) throws {
    try self.init(for: Schema(types), configurations: ModelConfiguration(isStoredInMemoryOnly: true))
  }
}

extension ModelContext {
  convenience init(reading container: ModelContainer) {
    self.init(container)
    autosaveEnabled = false
  }
}

@Model
nonisolated final class Note {
  nonisolated var text: String

  nonisolated init(text: String) {
    self.text = text
  }
}

@Suite("Conformances that applications declare for SwiftData's types")
struct RestatedConformanceTests {
  @Test("An application that declares contexts Sendable can create one by a function value")
  func context() async throws {
    let make: @Sendable (ModelContainer) -> ModelContext = { ModelContext(reading: $0) }
    let plain: (ModelContainer) -> ModelContext = ModelContext.init
    let container = try ModelContainer(testing: [Note.self])
    let context = plain(container)
    context.insert(Note(text: "a"))
    try context.save()
    let count = try await Task.detached { try make(container).fetchCount(FetchDescriptor<Note>()) }.value
    #expect(count == 1)
  }
}
