import Foundation
import SwiftData
import SwiftDataTesting
import Testing

@testable import TestSupport

@Suite("Conformance of stores")
struct DataStoreConformanceTests {
  @Test("A store in an SQLite file keeps all promises")
  func file() async throws {
    try await DataStoreConformance.check { url, schema in ModelConfiguration(schema: schema, url: url) }
  }

  @Test("A store in memory keeps all promises except persistence")
  func memory() async throws {
    try await DataStoreConformance.check { _, schema in
      ModelConfiguration(schema: schema, isStoredInMemoryOnly: true)
    }
  }

  @Test("The default store keeps all promises through snapshots")
  func snapshots() async throws {
    try await DataStoreConformance.check(claiming: [.persistence, .uniqueness]) { url, schema in
      ForwardingConfiguration(base: ModelConfiguration(url: url), schema: schema)
    }
  }

  @Test("A custom store in a JSON file keeps all promises")
  func archive() async throws {
    try await DataStoreConformance.check { url, schema in
      ArchiveConfiguration(schema: schema, url: url.appendingPathExtension("json"))
    }
  }

  @Test("A store without filters and orders keeps all promises", arguments: UnreliableConfiguration.Keys.allCases)
  func ledger(keys: UnreliableConfiguration.Keys) async throws {
    try await DataStoreConformance.check(claiming: []) { url, schema in
      UnreliableConfiguration(name: url.lastPathComponent, schema: schema, keys: keys)
    }
  }

  @Test("A store without a mutation keeps all promises")
  func soundMutant() async throws {
    #expect(try await failures(nil).map(\.description) == [])
  }

  @Test("A store fails the promise that it breaks", arguments: MutantConfiguration.Mutation.allCases)
  func mutation(_ mutation: MutantConfiguration.Mutation) async throws {
    let failures = try await failures(mutation)
    #expect(failures.map(\.promise).contains(mutation.promise))
    // A mutation does not break all promises.
    #expect(Set(failures.map(\.promise)).count < DataStoreConformance.Promise.allCases.count)
  }

  @Test("Each promise is broken by a mutation, except uniqueness and history, which have tests of their own")
  func unbrokenPromises() {
    let broken = Set(MutantConfiguration.Mutation.allCases.map(\.promise))
    #expect(Set(DataStoreConformance.Promise.allCases).subtracting(broken) == [.uniqueness, .history])
  }

  @Test("A store whose history lacks the last save fails only the promise of history")
  func history() async throws {
    let failures = try await DataStoreConformance.failures { url, schema in
      ForwardingConfiguration(base: ModelConfiguration(url: url), schema: schema, hidesLastTransaction: true)
    }
    #expect(Set(failures.map(\.promise)) == [.history])
  }

  @Test("The description of a failure begins with the sentence of its promise")
  func description() async throws {
    let failure = try #require(try await failures(.doesNotErase).first)
    #expect(failure.description == "An erased store is empty, and can be written again: \(failure.message)")
  }

  @Test("A store that claims uniqueness and does not enforce it fails only that promise")
  func uniqueness() async throws {
    let failures = try await DataStoreConformance.failures(claiming: [.persistence, .uniqueness]) { url, schema in
      MutantConfiguration(url: url, schema: schema)
    }
    #expect(Set(failures.map(\.promise)) == [.uniqueness])
  }

  @Test("The check records an issue with the promise that a store breaks, unless it is skipped")
  func issues() async throws {
    try await withKnownIssue {
      try await DataStoreConformance.check { url, schema in
        MutantConfiguration(url: url, schema: schema, mutation: .doesNotErase)
      }
    } matching: { issue in
      issue.comments.contains { $0.rawValue.hasPrefix("An erased store is empty, and can be written again: ") }
    }
    try await DataStoreConformance.check(skipping: [.erasure]) { url, schema in
      MutantConfiguration(url: url, schema: schema, mutation: .doesNotErase)
    }
  }

  private func failures(_ mutation: MutantConfiguration.Mutation?) async throws -> [DataStoreConformance.Failure] {
    try await DataStoreConformance.failures { url, schema in
      MutantConfiguration(url: url, schema: schema, mutation: mutation)
    }
  }
}
