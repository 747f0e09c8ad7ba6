import Foundation
import SwiftData

@testable import TestSupport

@Model
final class Lists: SampledModel {
  var number = 0
  var ints: [Int] = []
  var texts: [String] = []
  var gaps: [String?] = []
  var doubles: [Double] = []
  var wide: [UInt64] = []
  var dates: [Date] = []
  var blobs: [Data] = []
  var uuids: [UUID] = []
  var decimals: [Decimal] = []
  var suits: [Suit] = []
  var shapes: [Figure?] = []
  var addresses: [PostalAddress] = []
  var nested: [[Int?]] = []
  var optional: [Int]?

  init() {}

  static var fields: [SampledField<Lists>] {
    [
      .init("ints", \.ints), .init("texts", \.texts), .init("gaps", \.gaps),
      .init("doubles", \.doubles) { .init($0.map { $0.isNaN ? 0 : $0.bitPattern }) }, .init("wide", \.wide),
      .init("dates", \.dates), .init("blobs", \.blobs), .init("uuids", \.uuids), .init("decimals", \.decimals),
      .init("suits", \.suits), .init("shapes", \.shapes), .init("addresses", \.addresses),
      .init("nested", \.nested), .init("optional", \.optional),
    ]
  }

  static var samples: [(Lists) -> Void] {
    [
      {
        $0.ints = [3, 1, 2, .min, .max, 1]
        $0.texts = ["b", "", "a\0", "👩‍👩‍👧‍👦", "b"]
        $0.gaps = [nil, "", nil, "x"]
        $0.doubles = [0.1, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -1e-7]
        $0.wide = [.max, 0]
        $0.dates = [.distantPast, .distantFuture, Date(timeIntervalSinceReferenceDate: 0.1)]
        $0.blobs = [Data(), Data([0, 255])]
        $0.uuids = [Bytes.first]
        $0.decimals = [Decimal(string: "12345678901234567890.123456789") ?? 0, -1]
        $0.suits = [.clubs, .hearts, .clubs]
        $0.shapes = [.point, nil, .polygon([1], label: nil)]
        $0.addresses = [Structures.plain]
        $0.nested = [[], [1, nil], [nil]]
        $0.optional = []
      },
      {
        $0.ints = Array(0..<10_000)
        $0.optional = [1]
      },
    ]
  }
}

@Model
final class Groupings: SampledModel {
  var number = 0
  var ints: Set<Int> = []
  var suits: Set<Suit> = []
  var shapes: Set<Figure> = []
  var byName: [String: Int] = [:]
  var byNumber: [Int: String?] = [:]
  var bySuit: [Suit: [PostalAddress]] = [:]
  var byUUID: [UUID: Date] = [:]
  var optional: [String: [Int?]]?
  var optionalSet: Set<String>?

  init() {}

  static var fields: [SampledField<Groupings>] {
    [
      .init("ints", \.ints), .init("suits", \.suits), .init("shapes", \.shapes), .init("byName", \.byName),
      .init("byNumber", \.byNumber), .init("bySuit", \.bySuit), .init("byUUID", \.byUUID),
      .init("optional", \.optional), .init("optionalSet", \.optionalSet),
    ]
  }

  static var samples: [(Groupings) -> Void] {
    [
      {
        $0.ints = Set(-50...50)
        $0.suits = [.clubs, .hearts]
        $0.shapes = [.point, .circle(radius: 1)]
        $0.byName = ["": 0, "a": 1, "é": .max, "a.b c": -1]
        $0.byNumber = [1: "one", -2: nil]
        $0.bySuit = [.clubs: [Structures.plain], .hearts: []]
        $0.byUUID = [Bytes.first: .distantFuture]
        $0.optional = ["x": [1, nil], "y": []]
        $0.optionalSet = []
      },
      {
        $0.optional = [:]
        $0.optionalSet = ["a", "b"]
      },
    ]
  }
}
