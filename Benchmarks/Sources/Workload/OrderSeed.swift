/// The values of one order, like Northwind's in number, kind and length, with dates as text.
package struct OrderSeed: Sendable {
  package let orderID: Int
  package let customerID: String
  package let employeeID: Int
  package let orderDate: String
  package let requiredDate: String
  /// Nil while an order is not shipped.
  package let shippedDate: String?
  package let shipVia: Int
  /// Never a whole number, and a multiple of a quarter: sums are exact in any order.
  package let freight: Double
  package let shipName: String
  package let shipAddress: String
  package let shipCity: String
  package let shipRegion: String?
  package let shipPostalCode: String?
  package let shipCountry: String

  /// Makes the values of the order with `number`, always the same ones.
  init(number: Int) {
    let bits = scattered(UInt64(number) &+ 1 << 32)
    let customer = Customer(number: Int(bits & 0xFFFF) % Customer.count)
    let day = number / 4
    orderID = 10_248 + number
    customerID = customer.id
    employeeID = 1 + Int(bits >> 16 & 0xFF) % 9
    orderDate = Self.date(day, second: Int(bits >> 24 & 0xFFFF))
    requiredDate = Self.date(day + 28, second: 0)
    shippedDate = bits >> 40 & 31 == 0 ? nil : Self.date(day + Int(bits >> 45 & 15), second: 0)
    shipVia = 1 + Int(bits >> 49 & 0xFF) % 3
    freight = Double(bits >> 20 & 0x3FF) + 0.25
    shipName = customer.name
    shipAddress = customer.address
    shipCity = customer.city
    shipRegion = customer.region
    shipPostalCode = customer.postalCode
    shipCountry = customer.country
  }

  /// A date in Northwind's format, in a calendar of twelve months with 28 days.
  private static func date(_ day: Int, second: Int) -> String {
    func label(_ number: Int) -> String { ItemSeed.label(number, digits: 2) }
    let date = "\(2012 + day / 336)-\(label(1 + day / 28 % 12))-\(label(1 + day % 28))"
    return "\(date) \(label(second / 3_600)):\(label(second / 60 % 60)):\(label(second % 60))"
  }
}
