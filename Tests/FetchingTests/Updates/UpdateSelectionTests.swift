import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Predicates of a batch update that are evaluated in memory")
struct UpdateSelectionTests {
  @Model
  final class Asked {
    @Attribute(.unique) var name: String

    init(_ name: String) {
      self.name = name
    }

    /// Computed, so that it is evaluated in memory during the update.
    var isWanted: Bool {
      Self.ask?()
      return true
    }

    @TaskLocal static var ask: (@Sendable () -> Void)?
  }

  @Test("The evaluation may read, and its writes are refused because the update could discard them")
  func writing() throws {
    let folder = try TemporaryFolder()
    let container = try ModelContainer(for: Asked.self, configurations: ModelConfiguration(url: folder.file()))
    let context = ModelContext(container)
    for name in ["a", "b"] { context.insert(Asked(name)) }
    try context.save()
    let findings = Findings()
    let ask: @Sendable () -> Void = {
      guard findings.isFirst() else { return }
      let other = ModelContext(container)
      other.insert(Asked("c"))
      findings.record { try other.save() }
      findings.record { try other.transaction {} }
      findings.record { try container.erase() }
      findings.record { _ = try other.update(Asked.self) { $0.set(\.name, to: "d") } }
      findings.record {
        let count = try ModelContext(container).fetchCount(FetchDescriptor<Asked>())
        #expect(count == 2)
      }
    }
    Asked.$ask.withValue(ask) {
      // The names are unique, so that the update fails.
      #expect(throws: SwiftDataError.modelValidationFailure) {
        try context.update(Asked.self, where: #Predicate { $0.isWanted }) { $0.set(\.name, to: "same") }
      }
    }
    #expect(
      findings.errors == [
        .modelValidationFailure, .modelValidationFailure, .modelValidationFailure, .modelValidationFailure,
      ])
    #expect(try ModelContext(container).all(Asked.self, by: \.name).map(\.name) == ["a", "b"])
    // Afterwards all contexts can write again.
    context.insert(Asked("e"))
    try context.save()
    withExtendedLifetime(folder) {}
  }

  /// The errors that a predicate's evaluation finds, on the thread of the update.
  private final class Findings: @unchecked Sendable {
    private(set) var errors: [SwiftDataError] = []
    private var isAsked = false

    func isFirst() -> Bool {
      defer { isAsked = true }
      return !isAsked
    }

    func record(_ body: () throws -> Void) {
      do {
        try body()
      } catch {
        if let error = error as? SwiftDataError { errors.append(error) } else { Issue.record(error) }
      }
    }
  }
}
