package import Foundation
package import SwiftData

/// The store of the hotel: how it is written, and its expected contents before and after the migration.
package enum Hotel {
  /// - Parameter isApart: Whether remarks have a store of their own.
  package static func open(
    _ version: any VersionedSchema.Type, at url: URL, isApart: Bool = false, allowsSave: Bool = true,
    by plan: (any SchemaMigrationPlan.Type)? = nil
  ) throws -> ModelContainer {
    var configurations = [ModelConfiguration(url: url, allowsSave: allowsSave)]
    if isApart {
      configurations.append(
        ModelConfiguration(
          "remarks", schema: Schema([HotelRemark.self]), url: remarks(besides: url), allowsSave: allowsSave))
    }
    return try ModelContainer(
      for: Schema(versionedSchema: version), migrationPlan: plan, configurations: configurations)
  }

  /// The store of remarks.
  package static func remarks(besides url: URL) -> URL {
    url.deletingLastPathComponent().appendingPathComponent("remarks.store")
  }

  /// Writes models of the first version.
  package static func fill(_ container: ModelContainer, guests count: Int) throws {
    let context = ModelContext(container)
    let rooms = (0..<roomCount(count)).map { number in
      HotelV1.Room(number: number, picture: number < pictures.count ? pictures[number] : nil)
    }
    for room in rooms { context.insert(room) }
    for number in 0..<count {
      let guest = HotelV1.Guest(number: number, name: name(of: number), nights: nights(of: number))
      context.insert(guest)
      guest.room = rooms[number % rooms.count]
    }
    context.insert(HotelRemark(text: "written"))
    try context.save()
  }

  // MARK: Values

  /// The pictures of the first rooms, each in a file of its own.
  private static let pictures = (UInt8(1)...3).map { Data(repeating: $0, count: 200_000) }
  /// The pictures that the last stage gives to as many rooms.
  static let changedPictures: [Data?] = [Data(repeating: 9, count: 200_000), nil]
  /// The number of files of a store of the last version.
  package static let lastFileCount = 2

  private static func roomCount(_ guests: Int) -> Int { max(pictures.count, guests / 100) }

  /// Every fifth guest has one name only.
  private static func name(of guest: Int) -> String {
    guest % 5 == 0 ? "Plato\(guest)" : "Ada Lovelace\(guest)"
  }

  private static func nights(of guest: Int) -> Int { guest % 9 + 1 }

  static func charge(of guest: Int, nights: Int) -> Int { nights * 80 + guest }

  // MARK: Present contents

  /// A line for each model of a store of the first version.
  package static func firstLines(in context: ModelContext) throws -> [String] {
    let guests = try context.fetch(FetchDescriptor<HotelV1.Guest>(sortBy: [SortDescriptor(\.number)]))
    let rooms = try context.fetch(FetchDescriptor<HotelV1.Room>(sortBy: [SortDescriptor(\.number)]))
    let guestLines = guests.map { line($0.number, [$0.name, "\($0.nights)"], room: $0.room?.number) }
    let roomLines = rooms.map { line(room: $0.number, guests: $0.guests.count, $0.picture) }
    return try guestLines + roomLines + remarks(in: context)
  }

  /// A line for each model of a store of the last version.
  package static func lastLines(in context: ModelContext) throws -> [String] {
    let guests = try context.fetch(FetchDescriptor<HotelV4.Guest>(sortBy: [SortDescriptor(\.number)]))
    let rooms = try context.fetch(FetchDescriptor<HotelV4.Room>(sortBy: [SortDescriptor(\.number)]))
    let guestLines = guests.map { guest in
      let values = [guest.givenName, guest.familyName, "\(guest.duration)", "\(guest.charge)", guest.language]
      return line(guest.number, values, room: guest.room?.number)
    }
    let roomLines = rooms.map { line(room: $0.number, guests: $0.guests.count, $0.picture) }
    return try guestLines + roomLines + remarks(in: context)
  }

  private static func remarks(in context: ModelContext) throws -> [String] {
    try context.fetch(FetchDescriptor<HotelRemark>()).map(\.text).sorted()
  }

  private static func line(_ guest: Int, _ values: [String], room: Int?) -> String {
    "guest \(guest): \(values.joined(separator: ", ")), in \(room.map { "room \($0)" } ?? "no room")"
  }

  private static func line(room: Int, guests: Int, _ picture: Data?) -> String {
    var text = "nothing"
    if let picture, let first = picture.first {
      let isWhole = picture == Data(repeating: first, count: picture.count)
      text = isWhole ? "\(picture.count) bytes of \(first)" : "\(picture.count) bytes of several kinds"
    }
    return "room \(room): \(guests) guests, \(text)"
  }

  // MARK: Expected contents

  package static func expectedFirstLines(guests count: Int) -> [String] {
    let rooms = roomCount(count)
    let guestLines = (0..<count).map { line($0, [name(of: $0), "\(nights(of: $0))"], room: $0 % rooms) }
    return guestLines + expectedRooms(guests: count, pictures) + ["written"]
  }

  package static func expectedLastLines(guests count: Int) -> [String] {
    let rooms = roomCount(count)
    let guestLines = (0..<count).map { guest in
      let nights = nights(of: guest)
      let names = guest % 5 == 0 ? ["?", "Plato\(guest)"] : ["Ada", "Lovelace\(guest)"]
      return line(guest, names + ["\(nights)", "\(charge(of: guest, nights: nights))", "en"], room: guest % rooms)
    }
    let pictures = changedPictures + pictures.dropFirst(changedPictures.count).map(Optional.some)
    return guestLines + expectedRooms(guests: count, pictures) + ["charged", "named", "split", "written"]
  }

  private static func expectedRooms(guests count: Int, _ pictures: [Data?]) -> [String] {
    let rooms = roomCount(count)
    return (0..<rooms).map { room in
      let guests = (count + rooms - 1 - room) / rooms
      return line(room: room, guests: guests, room < pictures.count ? pictures[room] : nil)
    }
  }
}
