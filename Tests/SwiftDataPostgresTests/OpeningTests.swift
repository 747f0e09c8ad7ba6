import Foundation
import SwiftData
import SwiftDataPostgres
import TestSupport
import Testing

@Model
final class Harbor {
  @Attribute(.unique) var name: String
  var opened: Date
  var isOpen: Bool
  var fee: Decimal
  var code: UUID
  @Relationship(deleteRule: .cascade, inverse: \Vessel.harbor) var vessels: [Vessel] = []

  init(name: String, opened: Date = .now, isOpen: Bool = true, fee: Decimal = 12.5, code: UUID = UUID()) {
    self.name = name
    self.opened = opened
    self.isOpen = isOpen
    self.fee = fee
    self.code = code
  }
}

@Model
final class Vessel {
  var name: String
  var tags: [String]
  var length: Double
  var harbor: Harbor?

  init(name: String, tags: [String] = [], length: Double = 1, harbor: Harbor? = nil) {
    self.name = name
    self.tags = tags
    self.length = length
    self.harbor = harbor
  }
}

@Suite(.enabled(if: PostgresTests.url != nil, "OSD_POSTGRES_URL is not set"))
struct OpeningTests {
  static func configuration() -> PostgresConfiguration {
    PostgresConfiguration(url: PostgresTests.url ?? "", namespace: "opening_\(UUID().uuidString.prefix(8))")
  }

  @Test("Saved models are there in another container")
  func saved() throws {
    let configuration = Self.configuration()
    let code = UUID()
    do {
      let container = try ModelContainer(for: Harbor.self, configurations: configuration)
      let context = ModelContext(container)
      let harbor = Harbor(name: "Kiel", opened: Date(timeIntervalSinceReferenceDate: 1.25), code: code)
      context.insert(harbor)
      for number in 0..<10 {
        context.insert(Vessel(name: "Vessel \(number)", tags: ["a", "\0"], length: Double(number), harbor: harbor))
      }
      try context.save()
      try container.close()
    }
    let container = try ModelContainer(for: Harbor.self, configurations: configuration)
    let context = ModelContext(container)
    let harbor = try #require(try context.fetch(FetchDescriptor<Harbor>(predicate: #Predicate { $0.name == "Kiel" })).first)
    #expect(harbor.code == code)
    #expect(harbor.fee == 12.5)
    #expect(harbor.isOpen)
    #expect(harbor.opened == Date(timeIntervalSinceReferenceDate: 1.25))
    #expect(harbor.vessels.map(\.name) == (0..<10).map { "Vessel \($0)" })
    #expect(harbor.vessels.first?.tags == ["a", "\0"])
    let long = FetchDescriptor<Vessel>(
      predicate: #Predicate { $0.length > 4 && $0.harbor?.isOpen == true }, sortBy: [SortDescriptor(\.name, order: .reverse)])
    #expect(try context.fetch(long).map(\.length) == [9, 8, 7, 6, 5])
  }
}
