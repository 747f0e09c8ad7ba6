import GRDB
import Workload

/// A record whose columns are its properties.
struct Order: Codable, FetchableRecord, TableRecord {
  static let databaseTableName = "Order"

  let orderID: Int
  let customerID: String
  let employeeID: Int
  let orderDate: String
  let requiredDate: String
  let shippedDate: String?
  let shipVia: Int
  let freight: Double
  let shipName: String
  let shipAddress: String
  let shipCity: String
  let shipRegion: String?
  let shipPostalCode: String?
  let shipCountry: String
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
