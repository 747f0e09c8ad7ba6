import Foundation
import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

@Suite("Releases of a health log", .serialized)
struct HealthReleaseTests {
  private typealias V1 = HealthReleases.V1
  private typealias V2 = HealthReleases.V2
  private typealias V3 = HealthReleases.V3

  private let numbers = Array(0..<42)
  private let store: ReleasedStore

  init() throws {
    store = try ReleasedStore(HealthReleases.Plan.self, to: HealthReleases.V3.self, HealthReleases.calls)
  }

  /// The number of a reading's person; some readings have none.
  private func person(_ number: Int) -> Int? { number % 9 < 8 ? number % 9 : nil }

  private func write(_ version: Int) throws {
    if version == 1 {
      try store.write(V1.self) { context in
        let people = (0..<8).map { V1.Person($0) }
        for person in people { context.insert(person) }
        for number in numbers {
          let reading = V1.Reading(number)
          context.insert(reading)
          if let place = person(number) { people[place].readings.insert(reading, at: 0) }
        }
      }
    } else {
      try store.write(V2.self) { context in
        let people = (0..<8).map { V2.Person($0) }
        for person in people { context.insert(person) }
        for number in numbers {
          let reading = V2.Reading(number)
          context.insert(reading)
          if let place = person(number) { people[place].readings.insert(reading, at: 0) }
        }
      }
    }
  }

  /// Checks the values that the second version derives from the first one's.
  private func checkWidened(_ reading: V3.Reading) {
    let number = reading.number
    #expect(reading.steps == Int(Int32(clamping: Varied.whole(number))))
    #expect(reading.floors == Varied.maybe(number, Int(Int32(clamping: Varied.whole(number + 1)))))
    #expect(reading.pulse == Double(HealthReleases.pulse(number)))
    #expect(reading.pain == Varied.maybe(number, Double(HealthReleases.pulse(number + 1))))
    #expect(reading.device == Varied.maybe(number, String(Varied.whole(number))))
  }

  private func checkWide(_ reading: V3.Reading) {
    let number = reading.number
    #expect(reading.steps == Varied.whole(number))
    #expect(reading.floors == Varied.maybe(number, Varied.whole(number + 1)))
    #expect(reading.pulse == Varied.real(number))
    #expect(reading.pain == Varied.maybe(number, Varied.real(number + 1)))
    #expect(reading.device == Varied.maybe(number, Varied.text(number)))
  }

  private func check(_ context: ModelContext, writtenBy version: Int) throws {
    let readings = try context.all(V3.Reading.self, by: \.number)
    #expect(readings.map(\.number) == numbers)
    for reading in readings {
      let number = reading.number
      let weight = Varied.maybe(number, Double(number) * 1.7 + 40)
      if version == 1 { checkWidened(reading) } else { checkWide(reading) }
      #expect(reading.weight == weight)
      #expect(reading.taken == Varied.date(number))
      #expect(reading.massIndex == HealthReleases.massIndex(weight: weight, height: person(number).map { 150 + $0 }))
      #expect(reading.pressure == nil)
      #expect(reading.person?.number == person(number))
    }
    #expect(readings.contains { $0.massIndex != nil })
    let people = try context.all(V3.Person.self, by: \.number)
    #expect(people.map(\.name) == (0..<8).map { Varied.text($0) })
    #expect(people.map(\.height) == Array(150..<158))
    #expect(
      people.map(\.insuranceCode)
        == (0..<8).map { version == 1 ? String(Varied.whole($0)) : Varied.name($0) })
    for person in people {
      #expect(person.readings.map(\.number) == numbers.reversed().filter { self.person($0) == person.number })
    }
  }

  @Test("A store of each version has all values in the last version", arguments: [1, 2])
  func olderStore(version: Int) throws {
    try write(version)
    try store.migrate(running: ["V3 did"]) { try check($0, writtenBy: version) }
  }

  @Test("Reopening runs no closure and changes nothing", arguments: [1, 2])
  func openingAgain(version: Int) throws {
    try write(version)
    try store.migrate(running: ["V3 did"]) { _ in }
    try store.openAgain { try check($0, writtenBy: version) }
  }

  @Test("A new store opens without running a stage")
  func newStore() throws {
    try store.migrate(running: []) { context in
      #expect(try context.fetchCount(FetchDescriptor<V3.Reading>()) == 0)
      let reading = V3.Reading(2)
      reading.pressure = HealthReleases.Pressure(systolic: 120, diastolic: -1)
      context.insert(reading)
      try context.save()
    }
    try store.openAgain { context in
      let reading = try context.only(V3.Reading.self)
      #expect(reading.pressure == HealthReleases.Pressure(systolic: 120, diastolic: -1))
      #expect(reading.pulse == Varied.real(2))
    }
  }
}
