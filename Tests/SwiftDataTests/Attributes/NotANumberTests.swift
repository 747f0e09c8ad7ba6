import Foundation
import SwiftData
import Testing

@testable import TestSupport

@Model
final class Tariff {
  struct Rate: Codable {
    var name: String
    var amount: Decimal?
  }

  var name: String
  var prices: [Decimal] = []
  var rates: [Rate] = []
  var start: Date
  var end: Date?

  init(_ name: String, start: Date = .distantFuture) {
    self.name = name
    self.start = start
  }
}

@Suite("Dates and decimals that are not a number")
struct NotANumberTests {
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    container = try ModelContainer(
      for: Tariff.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    context = ModelContext(container)
  }

  @Test("A Decimal that is not a number is refused inside JSON", arguments: [false, true])
  func decimalInJSON(isNested: Bool) throws {
    let good = Tariff("NaN \" N \\")
    good.prices = [1, 2]
    good.rates = [.init(name: "NaN \" N \\", amount: 1)]
    context.insert(good)
    try context.save()
    let bad = Tariff("b")
    if isNested { bad.rates = [.init(name: "\"", amount: .nan)] } else { bad.prices = [1, .nan] }
    context.insert(bad)
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error == .modelValidationFailure)
    bad.prices = []
    bad.rates = []
    try context.save()
    let found = try ModelContext(container).fetch(FetchDescriptor<Tariff>(sortBy: [SortDescriptor(\.name)]))
    #expect(found.map(\.prices) == [[], [1, 2]])
    #expect(found.last?.rates.first?.name == "NaN \" N \\")
  }

  @Test("A Date that is not a number compares in the store as in memory")
  func dateComparison() throws {
    let nan = Date(timeIntervalSinceReferenceDate: .nan)
    let (past, future, now) = (Date.distantPast, Date.distantFuture, Date(timeIntervalSinceReferenceDate: 0))
    let model = Tariff("a", start: nan)
    model.end = nan
    context.insert(model)
    context.insert(Tariff("b", start: now))
    let predicates: [Predicate<Tariff>] = [
      #Predicate { $0.start > past }, #Predicate { $0.start >= past }, #Predicate { $0.start < future },
      #Predicate { $0.start <= nan }, #Predicate { $0.start >= nan }, #Predicate { $0.start == nan },
      #Predicate { $0.start != nan },
      #Predicate { $0.start != now }, #Predicate { $0.end == nan }, #Predicate { $0.end != nan },
      #Predicate { $0.start == $0.start }, #Predicate { $0.start <= $0.start },
      #Predicate { !($0.start > past) }, #Predicate { [nan, now].contains($0.start) }, #Predicate { $0.start > nan },
    ]
    func names(_ predicate: Predicate<Tariff>) throws -> [String] {
      try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.name)])).map(\.name)
    }
    let pending = try predicates.map(names)
    try context.save()
    for (place, predicate) in predicates.enumerated() {
      #expect(try names(predicate) == pending[place], "\(place)")
    }
  }
}
