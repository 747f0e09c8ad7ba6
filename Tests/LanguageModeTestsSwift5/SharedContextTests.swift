#if DEBUG
  import Dispatch
  import Foundation
  import SwiftData
  import Testing

  @Suite("A context that two threads use concurrently")
  struct SharedContextTests {
    /// What the threads do.
    enum Use: String, CaseIterable, Codable, Sendable {
      case fetching, counting, lookingUp, readingMembers, inserting, changing, deleting, saving, rollingBack, processing
      case linking, summing, enumerating

      func run(_ context: ModelContext, _ owners: [PersistentIdentifier], _ step: Int) throws {
        let owner = owners[step % owners.count]
        switch self {
        case .fetching: _ = try context.fetch(FetchDescriptor<Owner>())
        case .counting: _ = try context.fetchCount(FetchDescriptor<Owner>())
        case .lookingUp: _ = (context.model(for: owner) as? Owner)?.name
        case .readingMembers: _ = (context.model(for: owner) as? Owner)?.items.count
        case .inserting: context.insert(Owner(name: "new"))
        case .changing:
          (context.model(for: owner) as? Owner)?.name = "\(step)"
          try context.save()
        case .deleting:
          let model = Owner(name: "new")
          context.insert(model)
          context.delete(model)
        case .saving:
          context.insert(Owner(name: "new"))
          try context.save()
        case .rollingBack:
          context.insert(Owner(name: "new"))
          context.rollback()
        case .processing: context.processPendingChanges()
        case .linking:
          let target = context.model(for: owners[(step + 1) % owners.count]) as? Owner
          (context.model(for: owner) as? Owner)?.items.first?.owner = target
        case .summing: _ = try context.fetchAggregates(.sum(of: \Inferred.birth))
        case .enumerating: try context.enumerate(FetchDescriptor<Owner>(), batchSize: 5) { _ = $0.name }
        }
      }

      /// Calls `run` on several threads until the process ends.
      func race() throws {
        let context = try ModelContext(shapes: ModelConfiguration(isStoredInMemoryOnly: true))
        let owners = (0..<20).map { Owner(name: "\($0)") }
        for (number, owner) in owners.enumerated() {
          owner.items = [Inferred(code: "\(number)")]
          context.insert(owner)
        }
        try context.save()
        let identifiers = owners.map(\.persistentModelID)
        DispatchQueue.concurrentPerform(iterations: 8) { number in
          for step in 0..<100_000 { try? run(context, identifiers, step + number) }
        }
      }
    }

    private static let isThreadSanitized = ProcessInfo.processInfo.environment["OSD_SANITIZER"] == "thread"

    @Test(
      "A context that two threads use concurrently ends the program with an explanation",
      .disabled(if: Self.isThreadSanitized, "The sanitizer ends the program first."), arguments: Use.allCases)
    func message(use: Use) async throws {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        [use = use as Use] in
        try use.race()
      }
      let exit = try #require(result)
      let words = String(decoding: exit.standardErrorContent, as: UTF8.self)
      #expect(words.contains("used by two threads at a time"), "\(exit.exitStatus): \(words.suffix(2000))")
      #expect(words.contains("hand persistentModelIDs to others"))
      #expect(exit.exitStatus != .signal(SIGSEGV))
    }

    @Test("Several threads may use a context one after another")
    func takingTurns() throws {
      let context = try ModelContext(shapes: ModelConfiguration(isStoredInMemoryOnly: true))
      let lock = NSLock()
      DispatchQueue.concurrentPerform(iterations: 4) { number in
        for step in 0..<100 {
          lock.withLock {
            context.insert(Owner(name: "\(number) \(step)"))
            try? context.save()
          }
        }
      }
      #expect(try context.fetchCount(FetchDescriptor<Owner>()) == 400)
    }
  }
#endif
