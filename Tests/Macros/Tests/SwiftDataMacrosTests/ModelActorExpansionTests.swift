import Testing

/// Expansions of `@ModelActor` as source text.
@Suite("Expansions of @ModelActor")
struct ModelActorExpansionTests {
  @Test("A public actor gets public members")
  func publicActor() {
    expectExpansion(
      of: """
        @ModelActor
        public actor Importer {
          var count = 0
        }
        """,
      is: """
        public actor Importer {
          var count = 0

          public nonisolated let modelExecutor: any SwiftData.ModelExecutor

          public nonisolated let modelContainer: SwiftData.ModelContainer

          public init(modelContainer: SwiftData.ModelContainer) {
            let modelContext = SwiftData.ModelContext(modelContainer)
            self.modelExecutor = SwiftData.DefaultSerialModelExecutor(modelContext: modelContext)
            self.modelContainer = modelContainer
          }
        }

        extension Importer: SwiftData.ModelActor {}
        """)
  }

  @Test("An actor's own initializer replaces the generated one")
  func ownInitializer() {
    expectExpansion(
      of: """
        @ModelActor
        actor Importer {
          let source: String

          init(modelContainer: ModelContainer, source: String) {
            self.source = source
            self.modelContainer = modelContainer
            self.modelExecutor = DefaultSerialModelExecutor(modelContext: ModelContext(modelContainer))
          }
        }
        """,
      is: """
        actor Importer {
          let source: String

          init(modelContainer: ModelContainer, source: String) {
            self.source = source
            self.modelContainer = modelContainer
            self.modelExecutor = DefaultSerialModelExecutor(modelContext: ModelContext(modelContainer))
          }

          nonisolated let modelExecutor: any SwiftData.ModelExecutor

          nonisolated let modelContainer: SwiftData.ModelContainer
        }

        extension Importer: SwiftData.ModelActor {}
        """)
  }
}
