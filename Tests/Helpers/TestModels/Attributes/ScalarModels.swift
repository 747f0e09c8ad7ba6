import Foundation
import SwiftData

@Model
final class Integers: SampledModel {
  var number = 0
  var int8: Int8 = 0
  var int16: Int16 = 0
  var int32: Int32 = 0
  var uint8: UInt8 = 0
  var uint16: UInt16 = 0
  var uint32: UInt32 = 0
  var flag = false
  var optional8: Int8?
  var optional32: UInt32?
  var optionalFlag: Bool?

  init() {}

  static var fields: [SampledField<Integers>] {
    [
      .init("int8", \.int8), .init("int16", \.int16), .init("int32", \.int32), .init("uint8", \.uint8),
      .init("uint16", \.uint16), .init("uint32", \.uint32), .init("flag", \.flag), .init("optional8", \.optional8),
      .init("optional32", \.optional32), .init("optionalFlag", \.optionalFlag),
    ]
  }

  static var samples: [(Integers) -> Void] {
    [
      {
        ($0.int8, $0.int16, $0.int32) = (.min, .min, .min)
        ($0.flag, $0.optional8, $0.optional32, $0.optionalFlag) = (true, .min, 0, false)
      },
      {
        ($0.int8, $0.int16, $0.int32) = (.max, .max, .max)
        ($0.uint8, $0.uint16, $0.uint32) = (.max, .max, .max)
        ($0.optional8, $0.optional32, $0.optionalFlag) = (0, .max, true)
      },
    ]
  }
}

@Model
final class WideIntegers: SampledModel {
  var number = 0
  var int = 0
  var int64: Int64 = 0
  var uint: UInt = 0
  var uint64: UInt64 = 0
  var optionalInt: Int?
  var optionalUInt64: UInt64?

  init() {}

  static var fields: [SampledField<WideIntegers>] {
    [
      .init("int", \.int), .init("int64", \.int64), .init("uint", \.uint), .init("uint64", \.uint64),
      .init("optionalInt", \.optionalInt), .init("optionalUInt64", \.optionalUInt64),
    ]
  }

  static var samples: [(WideIntegers) -> Void] {
    let edges: [UInt64] = [UInt64(Int64.max), UInt64(Int64.max) + 1, .max - 1, .max, 12_345_678]
    return [
      { ($0.int, $0.int64, $0.optionalInt, $0.optionalUInt64) = (.min, .min, .min, 0) },
      { ($0.int, $0.int64, $0.optionalInt) = (.max, .max, .max) },
    ] + edges.map { edge in { ($0.uint, $0.uint64, $0.optionalUInt64) = (UInt(edge), edge, edge) } }
  }
}

@Model
final class Reals: SampledModel {
  var number = 0
  var double = 0.0
  var float: Float = 0
  var optionalDouble: Double?
  var optionalFloat: Float?

  init() {}

  static var fields: [SampledField<Reals>] {
    [
      // Negative zero is read as zero, which it equals.
      .init("double", \.double) { $0.isNaN ? "NaN" : AnyHashable($0) },
      .init("float", \.float) { $0.isNaN ? "NaN" : AnyHashable($0) },
      .init("optionalDouble", \.optionalDouble) { $0?.isNaN == true ? "NaN" : AnyHashable($0) },
      .init("optionalFloat", \.optionalFloat) { $0?.isNaN == true ? "NaN" : AnyHashable($0) },
    ]
  }

  static var samples: [(Reals) -> Void] {
    let edges: [Double] = [
      .nan, .infinity, -.infinity, -0.0, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .greatestFiniteMagnitude,
      0.1, 1e15, -1e300, 4_503_599_627_370_497.5,
    ]
    return edges.map { edge in
      { ($0.double, $0.float, $0.optionalDouble, $0.optionalFloat) = (edge, Float(edge), edge, Float(edge)) }
    } + [
      { ($0.float, $0.optionalFloat) = (.leastNonzeroMagnitude, .greatestFiniteMagnitude) }
    ]
  }
}

@Model
final class Decimals: SampledModel {
  var number = 0
  var decimal = Decimal(0)
  var optional: Decimal?

  init() {}

  static var fields: [SampledField<Decimals>] {
    [
      .init("decimal", \.decimal) { .init($0.description) },
      .init("optional", \.optional) { .init($0?.description) },
    ]
  }

  static let texts = [
    "99999999999999999999999999999999999999", "-99999999999999999999999999999999999999", "0.1", "-0.1", "12.50",
    "1e-127", "-1e-127", "1e127", "1234567890.123456789", "0.00000000000000000000000000000000000001", "-1", "10", "9",
  ]

  static var samples: [(Decimals) -> Void] {
    let decimals = texts.compactMap { Decimal(string: $0) } + [Decimal.nan]
    return decimals.map { decimal in { ($0.decimal, $0.optional) = (decimal, decimal) } }
  }
}

@Model
final class Moments: SampledModel {
  var number = 0
  var date = Date(timeIntervalSinceReferenceDate: 0)
  var optional: Date?

  init() {}

  static var fields: [SampledField<Moments>] {
    [.init("date", \.date), .init("optional", \.optional)]
  }

  static var samples: [(Moments) -> Void] {
    let dates: [Date] = [
      .distantPast, .distantFuture, Date(timeIntervalSince1970: 0), Date(timeIntervalSinceReferenceDate: 0.000_000_1),
      Date(timeIntervalSinceReferenceDate: 700_000_000.123_456_7), Date(timeIntervalSinceReferenceDate: -1e12),
    ]
    return dates.map { date in { ($0.date, $0.optional) = (date, date) } }
  }
}
