import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

@Model
final class Tenant {
  var name: String
  @Relationship(inverse: \Flat.tenant) var flat: Flat?

  init(_ name: String) {
    self.name = name
  }
}

@Model
final class Flat {
  var name: String
  var tenant: Tenant?

  init(_ name: String) {
    self.name = name
  }
}

/// Only a fetch finds what another container saves: these containers get no change notifications.
@Suite("A one-to-one that two containers of one file change")
struct SharedOneToOneTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  enum Change: CaseIterable, Sendable {
    case move, moveFromOtherSide, clear, clearFromOtherSide, exchange, take

    fileprivate func apply(_ models: Models) {
      let (tenants, flats) = (models.tenants, models.flats)
      switch self {
      case .move: tenants[0].flat = flats[2]
      case .moveFromOtherSide: flats[2].tenant = tenants[0]
      case .clear: tenants[0].flat = nil
      case .clearFromOtherSide: flats[0].tenant = nil
      case .exchange: (tenants[0].flat, tenants[1].flat) = (flats[1], flats[0])
      case .take: flats[0].tenant = tenants[2]
      }
    }
  }

  fileprivate struct Models {
    let context: ModelContext
    var tenants: [Tenant] = []
    var flats: [Flat] = []

    init(_ url: URL) throws {
      context = ModelContext(
        try ModelContainer(for: Tenant.self, Flat.self, configurations: ModelConfiguration(url: url)))
      try fetch()
    }

    mutating func fetch() throws {
      tenants = try context.fetch(FetchDescriptor<Tenant>(sortBy: [SortDescriptor(\.name)]))
      flats = try context.fetch(FetchDescriptor<Flat>(sortBy: [SortDescriptor(\.name)]))
    }

    /// Which flat each tenant has, from the side of the tenants and of the flats.
    var sides: [[String]] {
      [
        tenants.map { "\($0.name)\($0.flat?.name ?? "-")" }.filter { !$0.hasSuffix("-") }.sorted(),
        flats.map { "\($0.tenant?.name ?? "-")\($0.name)" }.filter { !$0.hasPrefix("-") }.sorted(),
      ]
    }

    func expectAgreement(_ step: Comment) {
      let sides = sides
      #expect(sides[0] == sides[1], step)
      #if DEBUG
        #expect(context.graph.brokenInvariants() == [], step)
      #endif
    }
  }

  @Test("Both sides of a one-to-one agree after two contexts changed it", arguments: Change.allCases, Change.allCases)
  func bothChange(own: Change, other: Change) throws {
    for (isSaving, isFirstFetched) in [(true, true), (true, false), (false, true), (false, false)] {
      let url = folder.url.appendingPathComponent("\(own)-\(other)-\(isSaving)-\(isFirstFetched).store")
      do {
        let models = try Models(url)
        for name in ["a", "b", "c"] {
          let tenant = Tenant(name)
          models.context.insert(tenant)
          let flat = Flat(name.uppercased())
          models.context.insert(flat)
          if name != "c" { tenant.flat = flat }
        }
        try models.context.save()
      }
      var models = try Models(url)
      models.expectAgreement("at first")
      own.apply(models)
      let others = try Models(url)
      other.apply(others)
      try others.context.save()
      if isFirstFetched {
        try models.fetch()
        models.expectAgreement("fetched")
      }
      if isSaving { try models.context.save() } else { models.context.rollback() }
      // Rows that were read before the other's save and relationships that are read after it need not agree.
      if isFirstFetched { models.expectAgreement(isSaving ? "saved" : "rolled back") }
      try models.fetch()
      models.expectAgreement("fetched in the end")
      let stored = try Models(url)
      stored.expectAgreement("stored")
      #expect(models.sides == stored.sides)
    }
  }
}
