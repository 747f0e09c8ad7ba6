import Foundation
import SwiftData

extension ConformanceModels {
  struct Place: Codable, Hashable, Sendable {
    var street: String
    var number: Int?
  }

  enum Paint: String, Codable, Sendable {
    case red, green
  }

  enum Shape: Codable, Hashable, Sendable {
    case point
    case circle(radius: Double)
  }

  /// A model with an attribute of each kind.
  @Model
  final class Values {
    var sample: Int
    var flag = false
    var int = 0
    var int8: Int8 = 0
    var int16: Int16 = 0
    var int32: Int32 = 0
    var int64: Int64 = 0
    var uint8: UInt8 = 0
    var uint16: UInt16 = 0
    var uint32: UInt32 = 0
    var uint64: UInt64 = 0
    var float: Float = 0
    var double = 0.0
    var decimal: Decimal = 0
    var text = ""
    var date = Date(timeIntervalSinceReferenceDate: 0)
    var data = Data()
    var uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    var url = URL(fileURLWithPath: "/")
    var place = Place(street: "")
    var paint = Paint.red
    var shape = Shape.point
    var list: [String] = []
    var table: [String: Int] = [:]
    var optionalInt: Int?
    var optionalDouble: Double?
    var optionalText: String?
    var optionalDate: Date?
    var optionalData: Data?
    var optionalUUID: UUID?
    var optionalURL: URL?
    var optionalPlace: Place?
    var optionalPaint: Paint?

    init(_ sample: Int) {
      self.sample = sample
    }

    /// The number of samples.
    static let sampleCount = 4

    /// Sets all attributes to the values of a sample: zero or nil, smallest, largest, or ordinary values.
    func fill(_ number: Int) {
      switch number {
      case 0: fillWithNothing()
      case 1: fillWithLeast()
      case 2: fillWithGreatest()
      default: fillWithOrdinary()
      }
    }

    private func fillWithNothing() {
      (flag, int, int8, int16, int32, int64) = (false, 0, 0, 0, 0, 0)
      (uint8, uint16, uint32, uint64, float, double, decimal) = (0, 0, 0, 0, 0, 0, 0)
      (text, date, data) = ("", Date(timeIntervalSinceReferenceDate: 0), Data())
      uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
      url = URL(fileURLWithPath: "/")
      (place, paint, shape, list, table) = (Place(street: ""), .red, .point, [], [:])
      (optionalInt, optionalDouble, optionalText, optionalDate, optionalData) = (nil, nil, nil, nil, nil)
      (optionalUUID, optionalURL, optionalPlace, optionalPaint) = (nil, nil, nil, nil)
    }

    private func fillWithLeast() {
      (flag, int, int8, int16, int32, int64) = (true, .min, .min, .min, .min, .min)
      (uint8, uint16, uint32, uint64) = (.min, .min, .min, .min)
      (float, double) = (-.greatestFiniteMagnitude, .leastNonzeroMagnitude)
      decimal = Decimal(string: "-12345678901234567890.123456789") ?? 0
      // The first letter is composed, and the second one decomposed.
      (text, date, data) = ("\u{e9}e\u{301}", .distantPast, Data([0]))
      (place, paint, shape) = (Place(street: "a\u{0}b", number: .min), .green, .circle(radius: -1.5))
      (list, table) = ([""], ["": .min])
      (optionalInt, optionalDouble, optionalText) = (.min, -1e300, "")
      (optionalDate, optionalData) = (.distantPast, Data())
    }

    private func fillWithGreatest() {
      (flag, int, int8, int16, int32, int64) = (true, .max, .max, .max, .max, .max)
      (uint8, uint16, uint32, uint64) = (.max, .max, .max, .max)
      (float, double) = (.greatestFiniteMagnitude, .greatestFiniteMagnitude)
      decimal = Decimal(string: "99999999999999999999.999999999") ?? 0
      (text, date) = ("\u{0}a\u{0}" + String(repeating: "👩‍👩‍👧‍👦", count: 2000), .distantFuture)
      data = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
      (optionalInt, optionalDouble, optionalText) = (.max, 0.1, "\u{0}")
      (optionalDate, optionalData, optionalPaint) = (.distantFuture, Data([255]), .green)
    }

    private func fillWithOrdinary() {
      (flag, int, int8, int16, int32, int64) = (true, -1, 2, -3, 4, -5)
      (uint8, uint16, uint32, uint64, float, double) = (6, 7, 8, 9, 0.1, 1 / 3)
      (decimal, text) = (Decimal(string: "0.1") ?? 0, "It's \"quoted\" \\ and\nbroken")
      (date, data) = (Date(timeIntervalSinceReferenceDate: 800_000_000.123), Data("text".utf8))
      (uuid, url) = (UUID(), URL(string: "https://example.com/a%20b?c=d#e") ?? url)
      (place, paint, shape) = (Place(street: "Main Street", number: nil), .green, .circle(radius: 2.5))
      (list, table) = (["b", "a", "b"], ["one": 1, "two": 2])
      (optionalInt, optionalDouble, optionalText) = (1, 0, "text")
      (optionalDate, optionalData, optionalUUID) = (date, data, uuid)
      (optionalURL, optionalPlace, optionalPaint) = (url, place, .red)
    }

    /// The values by the names of their attributes. Texts are equal when all of their bytes are.
    var valuesByName: [String: AnyHashable] {
      [
        "sample": sample, "flag": flag, "int": int, "int8": int8, "int16": int16, "int32": int32, "int64": int64,
        "uint8": uint8, "uint16": uint16, "uint32": uint32, "uint64": uint64, "float": float,
        "double": double, "decimal": decimal, "text": Array(text.utf8), "date": date, "data": data,
        "uuid": uuid, "url": url, "place": place, "paint": paint, "shape": shape, "list": list, "table": table,
        "optionalInt": optionalInt, "optionalDouble": optionalDouble,
        "optionalText": optionalText.map { Array($0.utf8) }, "optionalDate": optionalDate,
        "optionalData": optionalData, "optionalUUID": optionalUUID, "optionalURL": optionalURL,
        "optionalPlace": optionalPlace, "optionalPaint": optionalPaint,
      ]
    }
  }
}
