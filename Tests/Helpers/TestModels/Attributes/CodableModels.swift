import Foundation
import SwiftData

@testable import TestSupport

@Model
final class Enumerations: SampledModel {
  var number = 0
  var suit = Suit.hearts
  var level: Priority = Priority.low
  var shape = Figure.point
  var options: Options = []
  var optionalSuit: Suit?
  var optionalLevel: Priority?
  var optionalShape: Figure?

  init() {}

  static var fields: [SampledField<Enumerations>] {
    [
      .init("suit", \.suit), .init("level", \.level), .init("shape", \.shape), .init("options", \.options),
      .init("optionalSuit", \.optionalSuit), .init("optionalLevel", \.optionalLevel),
      .init("optionalShape", \.optionalShape),
    ]
  }

  static var samples: [(Enumerations) -> Void] {
    [
      {
        ($0.suit, $0.level, $0.shape, $0.options) = (.clubs, .high, .circle(radius: 0.1), [.first, .second])
        ($0.optionalSuit, $0.optionalLevel, $0.optionalShape) = (.spades, .low, .point)
      },
      {
        $0.shape = .group(.polygon([3, 1, 2], label: nil), .group(.point, .polygon([], label: "ł")))
        $0.optionalShape = .circle(radius: .infinity)
        $0.options = Options(rawValue: .min)
      },
    ]
  }
}

@Model
final class Structures: SampledModel {
  var number = 0
  var address = Structures.plain
  var hints = Hints()
  var renamed = Renamed(name: "", size: nil)
  var tagged = Tagged(word: "", count: 0)
  var lenient = Lenient(name: "", size: 0)
  var wrapper = Wrapper(wrapped: Suit.hearts)
  @Attribute(.codable) var whole = Coordinate(latitude: 0, longitude: 0)

  init() {}

  static let plain = PostalAddress(street: "", place: Coordinate(latitude: 0, longitude: 0), notes: [])

  static var fields: [SampledField<Structures>] {
    [
      .init("address", \.address), .init("hints", \.hints), .init("renamed", \.renamed), .init("tagged", \.tagged),
      .init("lenient", \.lenient), .init("wrapper", \.wrapper), .init("whole", \.whole),
    ]
  }

  static var samples: [(Structures) -> Void] {
    [
      {
        $0.address = PostalAddress(
          street: "Rue de l'Étoile", number: 7, unit: "", place: Coordinate(latitude: -0.0, longitude: 180),
          spare: Coordinate(latitude: 1, longitude: 2), shape: .polygon([1], label: "x"), notes: ["a", nil, "b"],
          since: .distantPast, price: Decimal(string: "-12.5"), limit: .max)
        $0.hints = Hints(first: "only", second: nil)
        $0.renamed = Renamed(name: "é", size: -1)
        $0.tagged = Tagged(word: "word", count: 3)
        $0.lenient = Lenient(name: "l", size: 1)
        $0.wrapper = Wrapper(wrapped: .clubs)
        $0.whole = Coordinate(latitude: .infinity, longitude: -1)
      },
      {
        $0.address.spare = Coordinate(latitude: 3, longitude: 4)
        $0.hints = Hints(first: nil, second: .max)
      },
    ]
  }
}

@Model
final class OptionalStructures: SampledModel {
  var number = 0
  var address: PostalAddress?
  var hints: Hints?
  var nested: Wrapper<Hints?>?
  var renamed: Renamed?
  var tagged: Tagged?
  var note: Note?

  init() {}

  static var fields: [SampledField<OptionalStructures>] {
    [
      .init("address", \.address), .init("hints", \.hints), .init("nested", \.nested), .init("renamed", \.renamed),
      .init("tagged", \.tagged), .init("note", \.note),
    ]
  }

  static var samples: [(OptionalStructures) -> Void] {
    [
      {
        $0.address = Structures.plain
        $0.hints = Hints()
        $0.nested = Wrapper(wrapped: nil)
        $0.renamed = Renamed(name: "", size: 0)
        $0.tagged = Tagged(word: "", count: 0)
        $0.note = Note("")
      },
      {
        $0.hints = Hints(first: "", second: nil)
        $0.nested = Wrapper(wrapped: Hints())
        $0.note = Note("a", next: Note("b"))
      },
      { $0.nested = Wrapper(wrapped: Hints(first: nil, second: 5)) },
    ]
  }
}

@Model
final class EncodedValues: SampledModel {
  var number = 0
  var note = Note("first")
  var wrapped = Wrapper(wrapped: [Suit.spades])
  var pair = Wrapper<[Int: Figure]>(wrapped: [:])

  init() {}

  static var fields: [SampledField<EncodedValues>] {
    [.init("note", \.note), .init("wrapped", \.wrapped), .init("pair", \.pair)]
  }

  static var samples: [(EncodedValues) -> Void] {
    [
      {
        $0.note = Note("a\0b", next: Note("ü", next: Note("")))
        $0.wrapped = Wrapper(wrapped: [])
        $0.pair = Wrapper(wrapped: [1: .point, -5: .circle(radius: 2)])
      }
    ]
  }
}
