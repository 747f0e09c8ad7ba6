import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Open containers whose columns belong to other properties now")
struct ExchangedColumnsTests {
  private let store: MigratingStore

  init() throws {
    store = try MigratingStore()
  }

  @Test("A container does not write to columns that were exchanged")
  func write() throws {
    let old = try store.open([PlaceThenStreet.Firm.self]).freshContext()
    old.autosaveEnabled = false
    old.insert(PlaceThenStreet.Firm(1))
    try old.save()
    // Exchanges `address_street` and `address_street_2`.
    _ = try store.open([StreetThenPlace.Firm.self])
    old.insert(PlaceThenStreet.Firm(2))
    #expect(throws: SwiftDataError.self) { try old.save() }
    let firms = try store.open([StreetThenPlace.Firm.self]).freshContext().all(StreetThenPlace.Firm.self, by: \.number)
    #expect(firms.allSatisfy { $0.address.street == "structure" && $0.address_street == "plain" })
  }

  @Test("A container does not read from columns that were exchanged")
  func read() throws {
    let container = try store.open([PlaceThenStreet.Firm.self])
    let first = container.freshContext()
    first.insert(PlaceThenStreet.Firm(1))
    try first.save()
    _ = try store.open([StreetThenPlace.Firm.self])
    let second = container.freshContext()
    #expect(throws: SwiftDataError.loadIssueModelContainer) {
      try second.fetch(FetchDescriptor<PlaceThenStreet.Firm>())
    }
  }
}
