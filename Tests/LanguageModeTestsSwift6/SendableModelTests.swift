import SwiftData
import Testing

@Suite("Models declared Sendable")
struct SendableModelTests {
  @Test("A model with a Sendable conformance of any form is saved")
  func saved() throws {
    let context = try ModelContext(
      ModelContainer(
        for: SentOnClass.self, SentInFile.self, SentElsewhere.self, SentBase.self, SentSubclass.self,
        SentVersion.Nested.self, SentNonisolated.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    let owner = SentInFile(number: 1)
    owner.others = [SentElsewhere(number: 2)]
    let models: [any PersistentModel & Sendable] = [
      owner, SentOnClass(number: 1), SentBase(number: 1), SentSubclass(number: 2), SentVersion.Nested(number: 1),
      SentNonisolated(number: 1),
    ]
    for model in models { context.insert(model) }
    try context.save()
    let counts = try fetchCounts(
      [SentOnClass.self, SentElsewhere.self, SentBase.self, SentVersion.Nested.self, SentNonisolated.self], in: context)
    #expect(counts == [1, 1, 2, 1, 1])
  }

  @Test("A model with a Sendable conformance of any form is passed to another task")
  func sent() async {
    func pass<Model: Sendable>(_ model: Model, _ read: @escaping @Sendable (Model) -> Int) async -> Int {
      await Task.detached { read(model) }.value
    }
    #expect(await pass(SentOnClass(number: 1)) { $0.number } == 1)
    #expect(await pass(SentInFile(number: 2)) { $0.number } == 2)
    #expect(await pass(SentElsewhere(number: 3)) { $0.number } == 3)
    #expect(await pass(SentBase(number: 4)) { $0.number } == 4)
    #expect(await pass(SentSubclass(number: 5)) { $0.number } == 5)
    #expect(await pass(SentVersion.Nested(number: 6)) { $0.number } == 6)
    #expect(await pass(SentNonisolated(number: 7)) { $0.number } == 7)
  }
}
