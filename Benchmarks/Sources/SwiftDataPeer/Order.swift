import SwiftData
import Workload

@Model
final class Order {
  var orderID: Int
  var customerID: String
  var employeeID: Int
  var orderDate: String
  var requiredDate: String
  var shippedDate: String?
  var shipVia: Int
  var freight: Double
  var shipName: String
  var shipAddress: String
  var shipCity: String
  var shipRegion: String?
  var shipPostalCode: String?
  var shipCountry: String

  init(_ seed: OrderSeed) {
    orderID = seed.orderID
    customerID = seed.customerID
    employeeID = seed.employeeID
    orderDate = seed.orderDate
    requiredDate = seed.requiredDate
    shippedDate = seed.shippedDate
    shipVia = seed.shipVia
    freight = seed.freight
    shipName = seed.shipName
    shipAddress = seed.shipAddress
    shipCity = seed.shipCity
    shipRegion = seed.shipRegion
    shipPostalCode = seed.shipPostalCode
    shipCountry = seed.shipCountry
  }
}

extension OrderDigest {
  init(of orders: some Sequence<Order>) {
    self.init()
    for order in orders {
      add(
        number: order.orderID, employee: order.employeeID, shipper: order.shipVia, freight: order.freight,
        texts: [
          order.customerID, order.orderDate, order.requiredDate, order.shippedDate, order.shipName, order.shipAddress,
          order.shipCity, order.shipRegion, order.shipPostalCode, order.shipCountry,
        ])
    }
  }
}
