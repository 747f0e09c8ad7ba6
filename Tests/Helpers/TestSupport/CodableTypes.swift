import Foundation

// Users' own types that the models of these tests store.

enum Suit: String, Codable, CaseIterable, Sendable {
  case hearts, spades
  case clubs = "♣︎"
}

enum Priority: Int, Codable, Sendable {
  case low = -1
  case high = 9
}

enum Figure: Codable, Hashable, Sendable {
  case point
  case circle(radius: Double)
  case polygon([Int], label: String?)
  indirect case group(Figure, Figure)
}

struct Options: OptionSet, Codable, Hashable {
  var rawValue: Int

  static let first = Options(rawValue: 1)
  static let second = Options(rawValue: 2)
}

struct Coordinate: Codable, Hashable, Sendable {
  var latitude: Double
  var longitude: Double
}

/// Nested, with optionals inside.
struct PostalAddress: Codable, Hashable, Sendable {
  var street: String
  var number: Int?
  var unit: String?
  var place: Coordinate
  var spare: Coordinate?
  var shape: Figure?
  var notes: [String?]
  var since: Date?
  var price: Decimal?
  var limit: UInt64 = 0
}

/// All of its fields may be missing.
struct Hints: Codable, Hashable, Sendable {
  var first: String?
  var second: Int?
}

/// Has coding keys with other names.
struct Renamed: Codable, Hashable {
  var name: String
  var size: Int?

  enum CodingKeys: String, CodingKey {
    case name = "n"
    case size = "s"
  }
}

/// Encoded as one text.
struct Tagged: Codable, Hashable {
  var word: String
  var count: Int

  init(word: String, count: Int) {
    self.word = word
    self.count = count
  }

  init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    let parts = text.split(separator: "#", omittingEmptySubsequences: false)
    guard parts.count == 2, let count = Int(parts[1]) else {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no tag: \(text)"))
    }
    self.init(word: String(parts[0]), count: count)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode("\(word)#\(count)")
  }
}

/// One value, with a default for older data without it.
struct Lenient: Codable, Hashable {
  var name: String
  var size: Int

  init(name: String, size: Int) {
    self.name = name
    self.size = size
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decode(String.self, forKey: .name)
    size = try container.decodeIfPresent(Int.self, forKey: .size) ?? 7
  }
}

struct Wrapper<Wrapped: Codable & Hashable>: Codable, Hashable {
  var wrapped: Wrapped
}

final class Note: Codable, Hashable, Sendable {
  let text: String
  let next: Note?

  init(_ text: String, next: Note? = nil) {
    self.text = text
    self.next = next
  }

  static func == (lhs: Note, rhs: Note) -> Bool {
    lhs.text == rhs.text && lhs.next == rhs.next
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(text)
    hasher.combine(next)
  }
}
