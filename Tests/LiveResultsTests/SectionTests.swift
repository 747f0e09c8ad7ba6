import Foundation
import SwiftData
import Testing

@testable import TestSupport

@Suite("Results in sections")
@MainActor
struct SectionTests {
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    container = try makeTrips()
    context = container.mainContext
    context.autosaveEnabled = false
  }

  private func insert(_ destination: String, days: Int...) {
    for days in days { context.insert(Trip(destination: destination, days: days)) }
  }

  private func observe() throws -> ResultsObserver<Trip, String> {
    try ResultsObserver(sortBy: [SortDescriptor(\.days)], sectionBy: \.destination, modelContext: context)
  }

  @Test("The section key comes first in the order, also when the order is set")
  func sortsBySections() throws {
    insert("Rome", days: 3, 1)
    insert("Oslo", days: 2)
    let observer = try observe()
    #expect(observer.sortBy.count == 2)
    #expect(observer.sortBy[1] == SortDescriptor(\.days))
    #expect(observer.sectionBy == \Trip.destination)
    let sections = try #require(observer.sections)
    #expect(sections.sectionTitles == ["Oslo", "Rome"])
    #expect(sections.map { $0.map(\.days) } == [[2], [1, 3]])
    observer.sortBy = [SortDescriptor(\.days, order: .reverse)]
    #expect(observer.sections?.map { $0.map(\.days) } == [[2], [3, 1]])
    observer.sortBy = [SortDescriptor(\.destination, order: .reverse)]
    #expect(observer.sections?.sectionTitles == ["Rome", "Oslo"])
  }

  @Test("Models move between sections, and sections are added and removed")
  func followsChanges() throws {
    insert("Rome", days: 3, 1)
    let observer = try observe()
    observer.results[0].destination = "Oslo"
    #expect(observer.sections?.map(\.title) == ["Oslo", "Rome"])
    for trip in observer.results { trip.destination = "Bonn" }
    #expect(observer.sections?.map(\.title) == ["Bonn"])
    for trip in observer.results { context.delete(trip) }
    #expect(observer.sections?.isEmpty == true)
  }

  @Test("A new title of a whole section notifies, although no model has moved")
  func notifiesOfTitles() throws {
    insert("Rome", days: 1)
    let observer = try observe()
    let counter = Counter()
    withObservationTracking {
      _ = observer.sections
    } onChange: {
      counter.add()
    }
    observer.results[0].destination = "Roma"
    #expect(observer.sections?.sectionTitles == ["Roma"])
    #expect(counter.count == 1)
  }

  @Test("Models without a section key are in the section with the empty title")
  func putsNilFirst() throws {
    let container = try makeContainer(OptionallyTitled.self)
    let context = ModelContext(container)
    for title in ["b", nil, "", "a", nil] { context.insert(OptionallyTitled(title)) }
    let observer = try ResultsObserver<OptionallyTitled, String>(sectionBy: \.title, modelContext: context)
    let sections = try #require(observer.sections)
    #expect(sections.map(\.title) == ["", "a", "b"])
    #expect(sections.map(\.count) == [3, 1, 1])
  }

  @Test("A section key that is no stored attribute is refused with its name")
  func refusesOtherKeys() throws {
    let error = #expect(throws: SwiftDataError.self) {
      try ResultsObserver<Trip, String>(sectionBy: \.summary, modelContext: context)
    }
    #expect(error == .unsupportedKeyPath)
    // The names of computed properties are unknown at run time.
    #expect(error.map { "\($0)" }?.contains("Trip.<computed String>") == true)
  }

  @Test("Elements are found by section and item")
  func findsPlaces() throws {
    insert("Rome", days: 3, 1)
    insert("Oslo", days: 2)
    let observer = try observe()
    #expect(observer.element(at: [1, 1])?.days == 3)
    for (position, trip) in observer.results.enumerated() {
      let path = try #require(observer.indexPath(for: trip))
      #expect(path == [[0, 0], [1, 0], [1, 1]][position])
      #expect(observer.element(at: path) === trip)
    }
    for place in [[], [0], [0, 1], [2, 0], [-1, 0], [0, -1]] as [IndexPath] {
      #expect(observer.element(at: place) == nil)
    }
  }

  @Test("Sections are found by title", arguments: [1, 2, 3, 7, 64, 65, 200])
  func findsSections(size: Int) throws {
    for section in 0..<5 {
      for _ in 0..<size { context.insert(Trip(destination: "T\(section)")) }
    }
    try context.save()
    let sections = try #require(try observe().sections)
    #expect(sections.count == 5)
    for section in 0..<5 {
      #expect(sections[sectionTitle: "T\(section)"]?.count == size)
      #expect(sections.index(ofSectionTitled: "T\(section)") == section)
      #expect(sections[section].id == "T\(section)")
      #expect(sections[section].allSatisfy { $0.destination == "T\(section)" })
    }
    #expect(!sections.contains(sectionTitle: "T5"))
    #expect(sections[sectionTitle: "T5"] == nil)
  }

  @Test("Any models can be grouped by any key")
  func groups() throws {
    let trips = [3, 1, 3, 2, 1].map { Trip(destination: "Rome", days: $0) }
    let sections = SectionedResults(grouping: trips) { $0.days }
    #expect(sections.sectionTitles == [3, 1, 2])
    #expect(sections.map(\.count) == [2, 2, 1])
    #expect(sections[0].elementsEqual([trips[0], trips[2]], by: ===))
    #expect(sections == SectionedResults(grouping: trips) { $0.days })
    #expect(sections[0] != sections[1])
    #expect(sections != SectionedResults(grouping: trips.reversed()) { $0.days })
  }

  @Test("Sections are equal if they have the same models, saved or not")
  func compares() throws {
    insert("Rome", days: 1, 2)
    let observer = try observe()
    let before = try #require(observer.sections)
    try context.save()
    let after = try #require(observer.sections)
    #expect(before == after)
    #expect(before[0] == after[0])
    insert("Rome", days: 3)
    #expect(try before != #require(observer.sections))
  }
}

extension Trip {
  /// Computed, so that the store does not have it.
  var summary: String { "\(days) days in \(destination)" }
}

@Model
final class OptionallyTitled {
  var title: String?

  init(_ title: String?) {
    self.title = title
  }
}
