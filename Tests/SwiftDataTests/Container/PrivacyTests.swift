import Foundation
import SwiftData
import Testing

@testable import TestSupport

struct Diagnosis: Codable, Hashable, Sendable {
  enum Kind: String, Codable {
    case known
  }

  var kinds: [String: Kind] = [:]
  var number: Double = 0
}

struct Dose: Codable, Hashable, Sendable {
  var text: String
  var amount: Decimal
}

@Model
final class Patient {
  @Attribute(.unique) var name: String
  var diagnosis = Diagnosis()
  var doses: [Dose] = []
  var age: Int

  /// Computed, so that it can only be evaluated in memory.
  var summary: String { name + "." }

  init(_ name: String, age: Int = 1) {
    self.name = name
    self.age = age
  }
}

@Suite("Values in errors")
struct PrivacyTests {
  private let folder: TemporaryFolder
  private let context: ModelContext

  init() throws {
    folder = try TemporaryFolder()
    let container = try ModelContainer(for: Patient.self, configurations: ModelConfiguration(url: folder.file()))
    context = ModelContext(container)
    context.allowsInMemoryEvaluation = false
    context.insert(Patient("CANARY-1"))
    context.insert(Patient("CANARY-2"))
    try context.save()
  }

  private func expectSilence(_ body: () throws -> Void) {
    let error = #expect(throws: (any Error).self, performing: body)
    guard let error else { return }
    var texts = ["\(error)", String(reflecting: error), error.localizedDescription]
    if let error = error as? any LocalizedError {
      texts += [error.errorDescription, error.failureReason, error.recoverySuggestion].compactMap(\.self)
    }
    for text in texts { #expect(!text.contains("CANARY"), "\(text)") }
  }

  @Test("The error for a violated constraint contains no values")
  func constraint() throws {
    let patient = try #require(try context.fetch(FetchDescriptor<Patient>(sortBy: [SortDescriptor(\.name)])).first)
    patient.name = "CANARY-2"
    expectSilence { try context.save() }
  }

  @Test("The error for a predicate that cannot be evaluated contains no captured values")
  func predicates() throws {
    let word = "CANARY-3"
    let zero = 0
    expectSilence {
      _ = try context.fetch(FetchDescriptor<Patient>(predicate: #Predicate { $0.summary == word }))
    }
    context.allowsInMemoryEvaluation = true
    expectSilence {
      let predicate = #Predicate<Patient> { $0.summary == word || $0.age / zero == 1 }
      _ = try context.fetch(FetchDescriptor<Patient>(predicate: predicate))
    }
  }

  @Test("The error for a failed encoding or decoding contains no values")
  func coding() throws {
    let patient = Patient("CANARY-3")
    patient.doses = [Dose(text: "CANARY-9", amount: .nan)]
    context.insert(patient)
    expectSilence { try context.save() }
    context.rollback()
    try StoreFiles.execute("UPDATE Patient SET diagnosis_kinds = '{\"CANARY-4\":\"CANARY-5\"}'", at: folder.file())
    expectSilence { _ = try ModelContext(context.container).fetch(FetchDescriptor<Patient>()) }
    try StoreFiles.execute("UPDATE Patient SET diagnosis_kinds = 'CANARY-6', age = 'CANARY-7'", at: folder.file())
    expectSilence { _ = try ModelContext(context.container).fetch(FetchDescriptor<Patient>()) }
  }

  @Test("The error for an aggregate over a damaged value contains no values")
  func aggregates() throws {
    try StoreFiles.execute("UPDATE Patient SET age = 'CANARY-8'", at: folder.file())
    expectSilence { _ = try context.fetchAggregates(.maximum(of: \Patient.age)) }
    expectSilence { _ = try context.fetchAggregates(.sum(of: \Patient.age)) }
  }
}
