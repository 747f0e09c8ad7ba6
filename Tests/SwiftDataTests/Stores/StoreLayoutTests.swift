import SQLiteDriver
import Testing

@testable import SwiftData
@testable import TestSupport

@Model
class Vehicle {
  var wheels = 4
  @Attribute(.unique) var plate: String

  init(plate: String) {
    self.plate = plate
  }
}

@Model
final class Truck: Vehicle {
  var load = 0.5

  init(plate: String, load: Double) {
    self.load = load
    super.init(plate: plate)
  }
}

@Model
final class Resident {
  #Index<Resident>([\.name], [\.name, \.home.latitude])
  #Unique<Resident>([\.name, \.code])
  var name: String
  var code: Int?
  var home = Coordinate(latitude: 0, longitude: 0)
  var hints: Hints?
  var suit = Suit.hearts
  var tags: [String] = []
  @Relationship(inverse: nil) var friends: [Resident] = []
  @Relationship(inverse: nil) var partner: Resident?

  init(name: String) {
    self.name = name
  }
}

struct WharfYard: Codable {
  var name = ""
  var size = 0
}

/// Has indexes with names like each other, like a table and like an index of another table.
@Model
final class Wharf {
  #Index<Wharf>([\.gate], [\.yard.name], [\.gate], [\.keeper])
  #Unique<Wharf>([\.left_part, \.side], [\.left, \.part_side], [\.left, \.part_side])
  var gate = 0
  var yard = WharfYard()
  // swift-format-ignore: AlwaysUseLowerCamelCase
  var left_part = 0
  var side = 0
  var left = 0
  // swift-format-ignore: AlwaysUseLowerCamelCase
  var part_side = 0
  var keeper: Wharf_gate?

  init() {}
}

@Model
final class Wharf_gate {
  @Relationship(inverse: \Wharf.keeper) var wharves: [Wharf] = []

  init() {}
}

@Model
final class Wharf_yard {
  #Index<Wharf_yard>([\.name])
  var name = ""

  init() {}
}

@Suite("The layout of stores")
struct StoreLayoutTests {
  private func schema(of types: any PersistentModel.Type...) -> String {
    let schema = Schema(types)
    let layout = StoreLayout(schema: schema, entities: Array(schema.entities.indices))
    return layout.tables.flatMap(SQLiteDialect().createTable).joined(separator: ";\n") + ";"
  }

  @Test("Relationships have foreign keys with indexes, or join tables")
  func relationships() {
    #expect(
      schema(of: Author.self, Book.self, Tag.self) == """
        CREATE TABLE "Author" (
          "_id" INTEGER PRIMARY KEY,
          "name" TEXT NOT NULL,
          "born" INTEGER
        );
        CREATE TABLE "Book" (
          "_id" INTEGER PRIMARY KEY,
          "isbn" TEXT NOT NULL,
          "title" TEXT NOT NULL,
          "pages" INTEGER NOT NULL DEFAULT 0,
          "author_id" INTEGER REFERENCES "Author"("_id") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
          "author_position" INTEGER
        );
        CREATE INDEX "Book_author_id" ON "Book" ("author_id", "author_position");
        CREATE UNIQUE INDEX "Book_isbn_unique" ON "Book" ("isbn");
        CREATE TABLE "Tag" (
          "_id" INTEGER PRIMARY KEY,
          "word" TEXT NOT NULL
        );
        CREATE TABLE "Book_tags" (
          "book_id" INTEGER NOT NULL REFERENCES "Book"("_id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
          "tag_id" INTEGER NOT NULL REFERENCES "Tag"("_id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
          "tags_position" INTEGER NOT NULL DEFAULT 0,
          "books_position" INTEGER NOT NULL DEFAULT 0,
          PRIMARY KEY ("book_id", "tag_id")
        ) WITHOUT ROWID;
        CREATE INDEX "Book_tags_tag_id" ON "Book_tags" ("tag_id");
        """)
  }

  @Test("Subclasses share the table of their base class")
  func subclassesShareTable() {
    #expect(
      schema(of: Truck.self) == """
        CREATE TABLE "Vehicle" (
          "_id" INTEGER PRIMARY KEY,
          "_type" TEXT NOT NULL DEFAULT 'Vehicle',
          "wheels" INTEGER NOT NULL DEFAULT 4,
          "plate" TEXT NOT NULL,
          "load" REAL DEFAULT 0.5
        );
        CREATE UNIQUE INDEX "Vehicle_plate_unique" ON "Vehicle" ("plate");
        """)
  }

  @Test("The layout does not depend on the order of the listed models")
  func orderOfModels() {
    #expect(schema(of: Vehicle.self, Truck.self) == schema(of: Truck.self, Vehicle.self))
    #expect(schema(of: Author.self, Book.self, Tag.self) == schema(of: Tag.self, Book.self, Author.self))
  }

  @Test("Index names differ from each other and from table names")
  func indexNames() throws {
    let schema = Schema([Wharf.self, Wharf_gate.self, Wharf_yard.self])
    let tables = StoreLayout(schema: schema, entities: Array(schema.entities.indices)).tables
    #expect(tables.map(\.name) == ["Wharf", "Wharf_gate", "Wharf_yard"])
    let indexes = tables.flatMap(\.indexes)
    #expect(
      indexes.map(\.name) == [
        "Wharf_keeper_id", "Wharf_left_part_side_unique", "Wharf_left_part_side_unique_2", "Wharf_gate_2",
        "Wharf_yard_name", "Wharf_yard_name_sorted", "Wharf_yard_name_2", "Wharf_yard_name_sorted_2",
      ])
    #expect(
      indexes.map(\.columns) == [
        ["keeper_id", "keeper_position"], ["left_part", "side"], ["left", "part_side"], ["gate"], ["yard_name"],
        ["yard_name"], ["name"], ["name"],
      ])
    let context = try makeContainer(Wharf.self, Wharf_gate.self, Wharf_yard.self).freshContext()
    for number in 0..<2 {
      let wharf = Wharf()
      wharf.left_part = number
      wharf.left = number
      context.insert(wharf)
    }
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Wharf>()) == 2)
  }

  @Test("Structs have columns of their own, which constraints can name")
  func structs() {
    let key = TextSorting.current.localizedStandard.name
    #expect(
      schema(of: Resident.self) == """
        CREATE TABLE "Resident" (
          "_id" INTEGER PRIMARY KEY,
          "name" TEXT NOT NULL,
          "code" INTEGER,
          "home_latitude" REAL NOT NULL DEFAULT 0.0,
          "home_longitude" REAL NOT NULL DEFAULT 0.0,
          "hints" INTEGER,
          "hints_first" TEXT,
          "hints_second" INTEGER,
          "suit" TEXT NOT NULL DEFAULT 'hearts',
          "tags" TEXT NOT NULL DEFAULT '[]',
          "partner_id" INTEGER REFERENCES "Resident"("_id") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED
        );
        CREATE INDEX "Resident_partner_id" ON "Resident" ("partner_id");
        CREATE UNIQUE INDEX "Resident_name_code_unique" ON "Resident" ("name", "code");
        CREATE INDEX "Resident_name" ON "Resident" ("name");
        CREATE INDEX "Resident_name_home_latitude" ON "Resident" ("name", "home_latitude");
        CREATE INDEX "Resident_name_sorted" ON "Resident" ("\(key)"("name"));
        CREATE INDEX "Resident_name_home_latitude_sorted" ON "Resident" ("\(key)"("name"), "home_latitude");
        CREATE TABLE "Resident_friends" (
          "owner_id" INTEGER NOT NULL REFERENCES "Resident"("_id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
          "friends_id" INTEGER NOT NULL REFERENCES "Resident"("_id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
          "friends_position" INTEGER NOT NULL DEFAULT 0,
          PRIMARY KEY ("owner_id", "friends_id")
        ) WITHOUT ROWID;
        CREATE INDEX "Resident_friends_friends_id" ON "Resident_friends" ("friends_id");
        """)
  }
}
