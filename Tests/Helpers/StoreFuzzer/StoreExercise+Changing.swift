import Foundation
import SwiftData

extension StoreExercise {
  /// Inserts, links, changes and deletes, and saves each change.
  func changeEverything() {
    attempt("insert") { try insert() }
    attempt("upsert") { try upsert() }
    attempt("shuffle") {
      let context = try openContext()
      try shuffle(context)
      try context.save()
    }
    attempt("change all") {
      let context = try openContext()
      for exhibit in try context.fetch(FetchDescriptor<Museum.Exhibit>()) { change(exhibit) }
      try context.save()
    }
    attempt("delete one by one") { try deleteSome() }
    attempt("delete where") {
      let context = try openContext()
      try context.delete(model: Museum.Exhibit.self, where: #Predicate { $0.count > 30 })
      try context.save()
      try context.delete(model: Museum.Visit.self)
      try context.save()
    }
    attempt("read what is left") {
      let context = try openContext()
      for room in try context.fetch(FetchDescriptor<Museum.Room>()) { Museum.touch(room) }
      for exhibit in try context.fetch(FetchDescriptor<Museum.Exhibit>()) { Museum.touch(exhibit) }
    }
  }

  private func insert() throws {
    let context = try openContext()
    let exhibit = Museum.Sculpture(code: "new", number: 1)
    context.insert(exhibit)
    exhibit.picture = Data(repeating: 3, count: 140_000)
    exhibit.permit = Museum.Permit(number: 1, exhibit: exhibit)
    exhibit.sculptor = Museum.Artist(name: "new")
    exhibit.kin = [Museum.Exhibit(code: "newer", number: 2)]
    let visit = Museum.Visit(day: .distantPast, guests: 1)
    context.insert(visit)
    try context.save()
    attempt("link new to old") {
      exhibit.room = try context.fetch(FetchDescriptor<Museum.Room>()).first
      exhibit.tags = try context.fetch(FetchDescriptor<Museum.Tag>())
      visit.room = exhibit.room
      exhibit.parts = try context.fetch(FetchDescriptor<Museum.Painting>()).suffix(3)
      try context.save()
    }
    let found = try ModelContext(context.container).fetch(
      FetchDescriptor<Museum.Sculpture>(predicate: #Predicate { $0.code == "new" }))
    // A trigger may have removed it, or an index may lack it.
    if found.count != 1, (try? raw.contents().isPredictable) == true {
      complain("\(found.count) rows of what was saved")
    }
  }

  private func upsert() throws {
    let context = try openContext()
    for number in 0..<4 {
      let exhibit =
        number % 2 == 0
        ? Museum.Exhibit(code: "code \(number)", number: number)
        : Museum.Painting(
          code: "code \(number)", number: number)
      context.insert(exhibit)
      exhibit.tags = [Museum.Tag(word: "tag \(number)")]
      exhibit.room = Museum.Room(name: "Room \(number)", floor: number / 2)
    }
    try context.save()
  }

  /// Moves members about.
  func shuffle(_ context: ModelContext) throws {
    var rooms: [Museum.Room] = []
    attempt("fetch rooms") { rooms = try context.fetch(FetchDescriptor<Museum.Room>(sortBy: [SortDescriptor(\.name)])) }
    if let first = rooms.first, let last = rooms.last {
      let moved = first.exhibits
      first.exhibits = last.exhibits.reversed()
      last.exhibits = moved
      last.visits.append(contentsOf: first.visits.prefix(3))
    }
    for exhibit in try context.fetch(FetchDescriptor<Museum.Exhibit>(sortBy: [SortDescriptor(\.code)])).prefix(12) {
      exhibit.tags = exhibit.tags.reversed()
      exhibit.parts.append(contentsOf: exhibit.kin)
      exhibit.parent = exhibit.parent?.parent
      exhibit.kin.removeAll()
      exhibit.permit = nil
    }
  }

  private func change(_ exhibit: Museum.Exhibit) {
    exhibit.title += "!"
    exhibit.count = exhibit.count &+ 1
    exhibit.wide &+= 1
    exhibit.weight += 0.25
    exhibit.price += 1
    exhibit.made = exhibit.made.addingTimeInterval(60)
    exhibit.place.shelf &+= 1
    exhibit.lastPlace?.building += "!"
    exhibit.words.append("more")
    exhibit.table["more"] = 1
    exhibit.state = exhibit.state == .lost ? .shown : .lost
    exhibit.finish = .plain
    exhibit.tint.red &+= 1
    exhibit.data.append(1)
    exhibit.picture = exhibit.picture.map { $0 + [1] }
  }

  private func deleteSome() throws {
    let context = try openContext()
    for exhibit in try context.fetch(FetchDescriptor<Museum.Exhibit>()).prefix(5) { context.delete(exhibit) }
    attempt("save after deleting exhibits") { try context.save() }
    for room in try context.fetch(FetchDescriptor<Museum.Room>()).prefix(2) { context.delete(room) }
    attempt("save after deleting rooms") { try context.save() }
    context.rollback()
    for tag in try context.fetch(FetchDescriptor<Museum.Tag>()).prefix(2) { context.delete(tag) }
    try context.save()
  }
}
