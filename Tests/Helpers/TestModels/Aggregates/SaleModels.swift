import Foundation
import SwiftData

@testable import TestSupport

// Models with attributes of every type that aggregates accept, and with to-one relationships to group by.

enum Payment: String, Codable, CaseIterable, Sendable {
  case cash = "z-cash"
  case card = "m-card"
  case invoice = "a-invoice"
}

/// Ordered differently from its raw values.
enum Grade: Int, Codable, CaseIterable, Comparable, Sendable {
  case low = 30
  case middle = 10
  case high = 20

  private var rank: Int { self == .low ? 0 : self == .middle ? 1 : 2 }
  static func < (left: Grade, right: Grade) -> Bool { left.rank < right.rank }
}

struct Measures: Codable, Hashable, Sendable {
  var width: Int
  var height: Int?
}

enum Carrier: Codable, Hashable, Sendable {
  case post
  case courier(String)
}

@Model
class Sale {
  #Index<Sale>([\.units], [\.soldOn], [\.payment])

  var units = 0
  var change: Int?
  var tiny: Int8 = 0
  var short: Int16 = 0
  var narrow: Int32?
  var wide: Int64 = 0
  var byte: UInt8 = 0
  var port: UInt16 = 0
  var word: UInt32 = 0
  var unsigned: UInt = 0
  var serial: UInt64?
  var price = 0.0
  var discount: Double?
  var ratio: Float = 0
  var cost: Decimal = 0
  var refund: Decimal?
  var soldOn = Date(timeIntervalSinceReferenceDate: 0)
  var shippedOn: Date?
  var title = ""
  var note: String?
  var isPaid = false
  var isGift: Bool?
  var payment: Payment
  var oldPayment: Payment?
  var grade: Grade
  var oldGrade: Grade?
  var code: UUID
  var parcel: Measures
  var wrapping: Measures?
  var carrier: Carrier
  var labels: [String] = []
  var shop: Outlet?
  @Relationship(inverse: \Visitor.sales) var visitors: [Visitor] = []

  @Transient var isSelected = true
  var isThere: Bool { units > -1000 }

  init() {
    payment = .cash
    grade = .low
    code = UUID()
    parcel = Measures(width: 0)
    carrier = .post
  }
}

@Model
final class OnlineSale: Sale {
  var clicks: Int?

  override init() {
    super.init()
  }
}

@Model
final class Outlet {
  var name: String
  var rent: Decimal?
  var region: Region?
  @Relationship(inverse: \Sale.shop) var sales: [Sale] = []

  init(_ name: String) {
    self.name = name
  }
}

@Model
final class Region {
  var name: String
  @Relationship(inverse: \Outlet.region) var shops: [Outlet] = []

  init(_ name: String) {
    self.name = name
  }
}

@Model
final class Visitor {
  var name: String
  var sales: [Sale] = []

  init(_ name: String) {
    self.name = name
  }
}

/// Random numbers that are the same in every run.
struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    // A step of xorshift, multiplied (S. Vigna).
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return state &* 2_685_821_657_736_338_717
  }

  mutating func often<Value>(_ value: Value) -> Value? {
    Int.random(in: 0..<4, using: &self) == 0 ? nil : value
  }

  mutating func one<Value>(of values: [Value]) -> Value {
    values[Int.random(in: values.indices, using: &self)]
  }
}

/// Sales with random values, many of them nil.
enum SaleSamples {
  static let types: [any PersistentModel.Type] = [
    Sale.self, OnlineSale.self, Outlet.self, Region.self, Visitor.self,
  ]

  static func makeContainer(_ log: StatementLog = StatementLog()) throws -> ModelContainer {
    let container = try log.observe {
      try ModelContainer(for: Schema(types), configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }
    let context = ModelContext(container)
    var dice = Dice(seed: 2_024)
    fill(context, count: 200, &dice)
    try context.save()
    return container
  }

  static func fill(_ context: ModelContext, count: Int, _ dice: inout Dice) {
    let regions = ["North", "South"].map { Region($0) }
    let shops = ["Café", "Cafe\u{301}", "Bazaar", "", "Kiosk"].map { Outlet($0) }
    for shop in shops {
      context.insert(shop)
      shop.region = dice.often(dice.one(of: regions))
      shop.rent = dice.often(Decimal(Int.random(in: 0...9, using: &dice)))
    }
    for index in 0..<count {
      let sale = index % 4 == 0 ? OnlineSale() : Sale()
      context.insert(sale)
      change(sale, &dice)
      sale.shop = dice.often(dice.one(of: shops))
      (sale as? OnlineSale)?.clicks = dice.often(index)
    }
  }

  /// Gives all attributes new values.
  static func change(_ sale: Sale, _ dice: inout Dice) {
    let texts = ["a", "A", "Café", "Cafe\u{301}", "", "👩‍👩‍👧", "zebra", "Z", "K", "\u{212A}"]
    func number(_ limit: Int) -> Int { Int.random(in: -limit...limit, using: &dice) }
    sale.units = number(20)
    sale.change = dice.often(number(5))
    sale.tiny = Int8(number(127))
    sale.short = Int16(number(32_000))
    sale.narrow = dice.often(Int32(number(2_000_000_000)))
    sale.wide = Int64(number(1_000_000_000_000))
    sale.byte = UInt8.random(in: 0 ... .max, using: &dice)
    sale.port = UInt16.random(in: 0 ... .max, using: &dice)
    sale.word = UInt32.random(in: 0 ... .max, using: &dice)
    sale.unsigned = UInt.random(in: 0...9, using: &dice)
    sale.serial = dice.often(dice.one(of: [0, 3, 1 << 40, (1 << 56) + 1]))
    // Eighths are added without rounding, in any order.
    sale.price = Double(number(4_000)) / 8
    sale.discount = dice.often(Double(number(80)) / 8)
    sale.ratio = Float(number(80)) / 8
    sale.cost = Decimal(number(100_000)) / 100
    sale.refund = dice.often(Decimal(number(300)) / 10)
    sale.soldOn = Date(timeIntervalSinceReferenceDate: Double(number(40_000_000)))
    sale.shippedOn = dice.often(Date(timeIntervalSinceReferenceDate: Double(number(3_000_000))))
    sale.title = dice.one(of: texts)
    sale.note = dice.often(dice.one(of: texts))
    sale.isPaid = Bool.random(using: &dice)
    sale.isGift = dice.often(Bool.random(using: &dice))
    sale.payment = dice.one(of: Payment.allCases)
    sale.oldPayment = dice.often(dice.one(of: Payment.allCases))
    sale.grade = dice.one(of: Grade.allCases)
    sale.oldGrade = dice.often(dice.one(of: Grade.allCases))
    sale.code = Fleet.code(UInt8.random(in: 0...9, using: &dice))
    sale.parcel = Measures(width: number(3), height: dice.often(number(4)))
    sale.wrapping = dice.often(Measures(width: number(2), height: dice.often(number(4))))
    sale.carrier = dice.one(of: [.post, .courier("a"), .courier("b")])
    sale.labels = dice.one(of: [[], ["a"], ["a", "b"]])
  }
}
