import Foundation
import SwiftData

// The code of a guide, with declarations of the names that it uses. It is compiled, and not run.

enum PredicatesGuide {
  @Model
  final class Stay {
    var trip: Trip?

    init() {}
  }

  @Model
  final class Trip {
    var name = ""
    var start = Date.now
    var isOpen = true
    var days = 1
    var stays: [Stay] = []

    init() {}
  }

  @Model
  final class Letter {
    @Attribute(.spotlight) var title: String
    @Attribute(.spotlight) var summary: String?

    init(title: String) { self.title = title }
  }

  static func many() -> FetchDescriptor<Trip> {
    let limit = 5
    let text = "coast"
    let descriptor = FetchDescriptor<Trip>(
      predicate: #Predicate { trip in
        trip.stays.count > limit && trip.name.localizedStandardContains(text)
      },
      sortBy: [SortDescriptor(\.start, order: .reverse)])
    return descriptor
  }

  static func orders() -> [SortDescriptor<Trip>] {
    let byCodePoints = SortDescriptor(\Trip.name, comparator: .lexical)
    let byRules = SortDescriptor(\Trip.name, comparator: .localized)
    return [byCodePoints, byRules]
  }

  static func neither() -> Predicate<Trip> {
    let isOpen = #Predicate<Trip> { $0.isOpen }
    let isLong = #Predicate<Trip> { $0.days > 10 }
    let either = Predicate(any: [isOpen, isLong])

    let neither = Predicate<Trip> { trip in
      PredicateExpressions.build_Negation(
        PredicateExpressions.build_evaluate(PredicateExpressions.build_Arg(either), trip))
    }
    return neither
  }
}

protocol Dated {
  var date: Date { get }
}

protocol Named: PersistentModel {
  var name: String { get }
}

extension Named {
  static func named(_ name: String) -> Predicate<Self> {
    #Predicate<Self> { $0.name == name }
  }
}

func newest<T: PersistentModel & Dated>(_ type: T.Type) -> FetchDescriptor<T> {
  FetchDescriptor(sortBy: [SortDescriptor(\T.date, order: .reverse)])
}
