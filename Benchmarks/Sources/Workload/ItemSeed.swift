package import Foundation

/// The values of one item.
package struct ItemSeed: Sendable {
  package let name: String
  /// Nil in half of the items.
  package let detail: String?
  package var count: Int
  /// A multiple of a quarter, unique among the items: sums are exact in any order, and sorting by it is unambiguous.
  package let price: Double
  /// Whole seconds, in the order of the items.
  package let created: Date
  package let flag: Bool
  /// The number of the owner, from zero.
  package let owner: Int

  /// Makes the values of the item with `number`, always the same ones.
  package init(number: Int) {
    let bits = scattered(UInt64(number))
    let label = Self.label(number, digits: 7)
    name = "Item number " + label
    detail = bits & 1 == 0 ? nil : "A longer description of item number " + label
    count = Self.count(number: number)
    price = Double(number * 7_919 % 100_003) * 0.25
    created = Date(timeIntervalSinceReferenceDate: 700_000_000 + Double(number) * 60)
    flag = bits & 2 != 0
    owner = number * 7_919 % Seeds.ownerCount
  }

  /// The name in another language, of the same length in characters.
  package var accentedName: String { name.replacingOccurrences(of: "Item number", with: "Pièce numéro") }

  /// The count of the item with `number`.
  static func count(number: Int) -> Int {
    Int(scattered(UInt64(number)) >> 8 & 0xFFFF_FFFF) % 1_000
  }

  /// `number` with leading zeros.
  static func label(_ number: Int, digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: digits - text.count) + text
  }
}
