import Foundation
import SwiftData

extension StoreExercise {
  /// Reads all models, each in several ways, with everything related to them.
  func readAll(_ context: ModelContext, _ name: String) {
    fetch(context, name, Museum.Exhibit.self, Museum.touch)
    fetch(context, name, Museum.Painting.self, Museum.touch)
    fetch(context, name, Museum.Sculpture.self, Museum.touch)
    fetch(context, name, Museum.Room.self, Museum.touch)
    fetch(context, name, Museum.Tag.self, Museum.touch)
    fetch(context, name, Museum.Artist.self, Museum.touch)
    fetch(context, name, Museum.Permit.self, Museum.touch)
    fetch(context, name, Museum.Visit.self, Museum.touch)
    query(context)
    aggregate(context)
  }

  private func fetch<Model: PersistentModel>(
    _ context: ModelContext, _ name: String, _ type: Model.Type, _ touch: (Model) -> Void
  ) {
    attempt("fetch \(name) \(type)") { for model in try context.fetch(FetchDescriptor<Model>()) { touch(model) } }
    attempt("count \(type)") { _ = try context.fetchCount(FetchDescriptor<Model>()) }
    attempt("identifiers of \(type)") {
      for identifier in try context.fetchIdentifiers(FetchDescriptor<Model>()) {
        _ = try JSONEncoder().encode(identifier)
      }
    }
    switch variant % 3 {
    case 0:
      attempt("enumerate \(type)") {
        try ModelContext(context.container).enumerate(FetchDescriptor<Model>(), batchSize: 30) { touch($0) }
      }
    case 1:
      attempt("batches of \(type)") {
        for model in try ModelContext(context.container).fetch(FetchDescriptor<Model>(), batchSize: 7) { touch(model) }
      }
    default: break
    }
  }

  /// Reads models by their identifiers, each in a context of its own, so that an unreadable row does not affect others.
  func readOneByOne(_ context: ModelContext) {
    attempt("one by one") {
      for identifier in try context.fetchIdentifiers(FetchDescriptor<Museum.Exhibit>()).prefix(12) {
        let own = ModelContext(context.container)
        (own.model(for: identifier) as? Museum.Exhibit).map(Museum.touch)
        attempt("after reading one") { _ = try own.fetchCount(FetchDescriptor<Museum.Tag>()) }
      }
    }
    attempt("permits one by one") {
      for identifier in try context.fetchIdentifiers(FetchDescriptor<Museum.Permit>()) {
        let own = ModelContext(context.container)
        (own.model(for: identifier) as? Museum.Permit).map(Museum.touch)
      }
    }
  }

  private func query(_ context: ModelContext) {
    var sorted = FetchDescriptor<Museum.Exhibit>(
      sortBy: [
        SortDescriptor(\.price, order: .reverse), SortDescriptor(\.title), SortDescriptor(\.made),
        SortDescriptor(\.room?.name),
      ])
    sorted.fetchLimit = 20
    sorted.fetchOffset = 3
    attempt("sort") { try context.fetch(sorted).forEach(Museum.touch) }
    let room = "Room 1"
    let predicates: [Predicate<Museum.Exhibit>] = [
      #Predicate { $0.title.localizedStandardContains("exhibit") && $0.count > 3 },
      #Predicate { $0.room?.name == room || $0.parent?.parts.isEmpty == false },
      #Predicate { exhibit in exhibit.tags.contains { $0.word.starts(with: "tag") } },
      #Predicate { $0.words.contains("a") && $0.place.shelf >= 0 }, #Predicate { $0.parts.count > 2 },
      #Predicate { $0.weight + 1 > $0.weight * 2 }, #Predicate { $0.price * 2 > 3 },
      #Predicate { $0.lastPlace?.building == "old" }, #Predicate { $0.words.count == 2 },
      #Predicate { $0.wide / 2 > 3 || $0.weight / 2 < 1 },
    ]
    for (index, predicate) in predicates.enumerated() {
      attempt("predicate \(index)") { try context.fetch(FetchDescriptor(predicate: predicate)).forEach(Museum.touch) }
    }
    if variant % 3 == 2 { fetchAhead(context) }
  }

  private func fetchAhead(_ context: ModelContext) {
    var prefetching = FetchDescriptor<Museum.Room>()
    prefetching.relationshipKeyPathsForPrefetching = [\.exhibits, \.visits]
    attempt("prefetch") { try ModelContext(context.container).fetch(prefetching).forEach(Museum.touch) }
    var walking = FetchDescriptor<Museum.Exhibit>()
    walking.relationshipKeyPathsForPrefetching = [\.tags, \.kin, \.permit, \.parent, \.parts]
    attempt("prefetch joins") { try ModelContext(context.container).fetch(walking).forEach(Museum.touch) }
    var partial = FetchDescriptor<Museum.Exhibit>()
    partial.propertiesToFetch = [\.title, \.price, \.room]
    attempt("a part") { try ModelContext(context.container).fetch(partial).forEach(Museum.touch) }
  }

  /// Runs queries that unsaved models in memory answer.
  func readAllInMemory(_ context: ModelContext) {
    attempt("query in memory") {
      context.insert(Museum.Exhibit(code: "pending", number: 1))
      try context.fetch(FetchDescriptor<Museum.Exhibit>()).first?.title = "changed"
      query(context)
    }
    context.rollback()
  }

  private func aggregate(_ context: ModelContext) {
    attempt("sum") { _ = try context.fetchAggregates(.sum(of: \Museum.Exhibit.count)) }
    attempt("sum of wide") { _ = try context.fetchAggregates(.sum(of: \Museum.Exhibit.wide)) }
    attempt("sum of decimals") { _ = try context.fetchAggregates(.sum(of: \Museum.Exhibit.price)) }
    attempt("average") { _ = try context.fetchAggregates(.average(of: \Museum.Exhibit.weight)) }
    attempt("average of decimals") { _ = try context.fetchAggregates(.average(of: \Museum.Exhibit.price)) }
    attempt("extremes") {
      _ = try context.fetchAggregates(.minimum(of: \Museum.Exhibit.made))
      _ = try context.fetchAggregates(.maximum(of: \Museum.Exhibit.title))
    }
    attempt("kinds") { _ = try context.fetchAggregates(.distinctCount(of: \Museum.Exhibit.identifier)) }
    attempt("groups") { _ = try context.fetchGroups(by: \Museum.Exhibit.room, computing: .count) }
    attempt("groups by state") {
      _ = try context.fetchGroups(by: \Museum.Exhibit.state, computing: .sum(of: \.weight))
    }
    attempt("groups by rank") {
      _ = try context.fetchGroups(by: \Museum.Exhibit.rank, computing: .maximum(of: \.count))
    }
    attempt("groups by month") {
      _ = try context.fetchGroups(
        by: .start(of: .month, containing: \Museum.Exhibit.made, in: Calendar(identifier: .gregorian)),
        computing: .count)
    }
  }

  /// Reads all models with the schema of a later release.
  func readAllRenovated(_ context: ModelContext) {
    fetch(context, "renovated", RenovatedMuseum.Exhibit.self, RenovatedMuseum.touch)
    fetch(context, "renovated", RenovatedMuseum.Sculpture.self, RenovatedMuseum.touch)
    fetch(context, "renovated", RenovatedMuseum.Room.self) { _ = [$0.exhibits.count, $0.visits.count, $0.floor] }
    fetch(context, "renovated", RenovatedMuseum.Tag.self) { _ = [$0.exhibits.count, $0.word.count] }
    fetch(context, "renovated", RenovatedMuseum.Permit.self) { _ = [$0.number, $0.exhibit.count] }
    fetch(context, "renovated", RenovatedMuseum.Visit.self) { _ = ($0.day, $0.room?.floor) }
  }
}

extension Museum {
  static func touch(_ exhibit: Exhibit) {
    let values: [Any?] = [
      exhibit.code, exhibit.title, exhibit.count, exhibit.small, exhibit.wide, exhibit.optionalCount, exhibit.weight,
      exhibit.ratio, exhibit.isShown, seconds(exhibit.made), seconds(exhibit.lent), exhibit.price, exhibit.identifier,
      exhibit.link,
      exhibit.data, exhibit.state, exhibit.rank, exhibit.finish, exhibit.place, exhibit.lastPlace, exhibit.words,
      exhibit.table, exhibit.outline, exhibit.tint, exhibit.picture, exhibit.room?.name, exhibit.room?.exhibits.count,
      exhibit.parent?.title, exhibit.parts.map(\.count), exhibit.tags.map(\.word), exhibit.kin.map(\.code),
      exhibit.kinOf.count,
      exhibit.permit?.number, exhibit.permit?.exhibit.title, exhibit.persistentModelID, exhibit.hasChanges,
    ]
    // Descriptions read all of a value.
    consume(values.reduce(0) { $0 &+ "\($1 ?? "")".utf8.count })
    if let painting = exhibit as? Painting { consume(painting.technique.utf8.count &+ painting.frame.shelf) }
    if let sculpture = exhibit as? Sculpture {
      consume(sculpture.material.rawValue.utf8.count &+ (sculpture.sculptor?.works.count ?? 0))
    }
  }

  static func touch(_ room: Room) {
    consume(room.name.utf8.count &+ room.floor)
    consume(room.exhibits.reduce(0) { $0 &+ $1.title.utf8.count })
    consume(room.visits.reduce(0) { $0 &+ $1.guests })
  }

  static func touch(_ tag: Tag) {
    consume(tag.word.utf8.count &+ tag.exhibits.reduce(0) { $0 &+ $1.count })
  }

  static func touch(_ artist: Artist) {
    consume(artist.name.utf8.count &+ artist.works.reduce(0) { $0 &+ $1.material.rawValue.utf8.count })
  }

  static func touch(_ permit: Permit) {
    consume(permit.number &+ permit.note.utf8.count &+ permit.exhibit.title.utf8.count)
    consume(permit.issued.hashValue)
  }

  static func touch(_ visit: Visit) {
    consume(visit.day.hashValue &+ visit.guests)
    consume(visit.room?.name.utf8.count ?? 0)
    consume(visit.guide?.name.utf8.count ?? 0)
  }

  /// Foundation's description of an invalid date traps.
  private static func seconds(_ date: Date?) -> Double? {
    date?.timeIntervalSinceReferenceDate
  }

  @inline(never)
  private static func consume(_ value: Int) {}
}

extension RenovatedMuseum {
  static func touch(_ exhibit: Exhibit) {
    let values: [Any?] = [
      exhibit.code, exhibit.name, exhibit.count, exhibit.made.hashValue, exhibit.price, exhibit.state, exhibit.place,
      exhibit.words, exhibit.extra, exhibit.spare, exhibit.picture, exhibit.room?.name, exhibit.parent?.name,
      exhibit.parts.map(\.name), exhibit.labels.map(\.word), exhibit.permit?.number,
    ]
    _ = values.reduce(0) { $0 &+ "\($1 ?? "")".utf8.count }
    _ = (exhibit as? Sculpture)?.sculptor?.works.map(\.material)
  }
}
