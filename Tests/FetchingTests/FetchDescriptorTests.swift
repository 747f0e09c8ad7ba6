import Foundation
import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

@Suite("Fetch descriptors can be compared and printed")
struct FetchDescriptorTests {
  @Test("A printed descriptor names key paths as they are written, and tells no captured value")
  func description() {
    let secret = "Nemo"
    var descriptor = FetchDescriptor<Captain>(
      predicate: #Predicate { $0.name == secret },
      sortBy: [SortDescriptor(\.name), SortDescriptor(\.country?.name, comparator: .lexical, order: .reverse)])
    descriptor.fetchLimit = 3
    descriptor.propertiesToFetch = [\.name, \.country]
    #expect(
      "\(descriptor)" == """
        FetchDescriptor<Captain>(predicate: Equal(Captain.name, <String>), sortBy: [name, country.name descending], \
        fetchLimit: 3, propertiesToFetch: [name, country])
        """)
    #expect("\(FetchDescriptor<Grown.Item>())" == "FetchDescriptor<Grown.Item>()")
  }

  private func younger(than age: Int) -> FetchDescriptor<Captain> {
    FetchDescriptor(predicate: #Predicate { ($0.age ?? 0) < age }, sortBy: [SortDescriptor(\.name)])
  }

  @Test("Copies are equal, and so are those that say the same")
  func equality() {
    let descriptor = younger(than: 40)
    #expect(descriptor == descriptor)
    #expect(younger(than: 40) == descriptor)
    #expect(FetchDescriptor<Captain>() == FetchDescriptor())
    let names = ["Ahab", "Nemo"]
    let named = FetchDescriptor<Captain>(predicate: #Predicate { names.contains($0.name) })
    let copy = named
    #expect(named == copy)
  }

  @Test("Descriptors that differ in any part are not equal")
  func differences() {
    let descriptor = younger(than: 40)
    #expect(younger(than: 41) != descriptor)
    #expect(
      FetchDescriptor<Captain>(predicate: #Predicate { ($0.age ?? 0) > 40 }, sortBy: descriptor.sortBy) != descriptor)
    #expect(FetchDescriptor<Captain>(sortBy: descriptor.sortBy) != descriptor)
    let changes: [(inout FetchDescriptor<Captain>) -> Void] = [
      { $0.sortBy = [] }, { $0.sortBy = [SortDescriptor(\.name, order: .reverse)] }, { $0.fetchLimit = 1 },
      { $0.fetchOffset = 1 }, { $0.includePendingChanges = false }, { $0.propertiesToFetch = [\.name] },
      { $0.relationshipKeyPathsForPrefetching = [\.voyages] },
    ]
    for change in changes {
      var other = descriptor
      change(&other)
      #expect(other != descriptor)
    }
  }
}
