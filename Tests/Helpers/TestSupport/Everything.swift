import Foundation
import SwiftData

enum Paint: String, Codable, CaseIterable {
  case red, green
}

enum Outline: Codable, Equatable {
  case circle(radius: Double)
  case square(side: Double)
}

struct Place: Codable, Equatable {
  var street: String
  var zip: Int?
}

/// Has a property of every kind, none of which is optional or has a default value.
@Model
final class Everything {
  var text: String
  var flag: Bool
  var small: Int8
  var large: UInt64
  var real: Double
  var decimal: Decimal
  var date: Date
  var identifier: UUID
  var data: Data
  var url: URL
  var colour: Paint
  var shape: Outline
  var address: Place
  var list: [String]
  var set: Set<Int>
  var table: [String: Int]
  var optional: Date?
  var group: Group
  var friends: [Everything]
  @Relationship(inverse: \Everything.friends) var followers: [Everything]
  @Transient var note = "n"

  init(_ text: String, group: Group) {
    self.text = text
    flag = true
    small = 1
    large = .max
    real = 1.5
    decimal = 2
    date = Date(timeIntervalSinceReferenceDate: 0)
    identifier = UUID()
    data = Data([1])
    url = URL(fileURLWithPath: "/")
    colour = .red
    shape = .circle(radius: 1)
    address = Place(street: "s", zip: 1)
    list = ["a"]
    set = [1]
    table = ["a": 1]
    optional = nil
    self.group = group
    friends = []
    followers = []
  }

  /// Reads every property.
  func readAll() -> Int {
    let values: [Any?] = [
      text, flag, small, large, real, decimal, date, identifier, data, url, colour, shape, address, list, set, table,
      optional, group.name, friends, followers, note, persistentModelID, modelContext, hasChanges, isDeleted,
    ]
    return values.count
  }

  /// Sets every property.
  func writeAll() {
    text = "x"
    flag.toggle()
    small = 2
    large = 3
    real = 4
    decimal = 5
    date = Date(timeIntervalSinceReferenceDate: 6)
    identifier = UUID()
    data = Data()
    url = URL(fileURLWithPath: "/x")
    colour = .green
    shape = .square(side: 1)
    address = Place(street: "x", zip: nil)
    list = []
    set = []
    table = [:]
    optional = date
    friends = []
    followers = []
  }
}

@Model
final class Group {
  var name: String
  @Relationship(inverse: \Everything.group) var members: [Everything] = []

  init(_ name: String) {
    self.name = name
  }
}
