import GRDB
import Workload

/// A plain object with the fourteen values of a row.
final class Order: FetchableRecord {
  static let select = """
    SELECT "orderID", "customerID", "employeeID", "orderDate", "requiredDate", "shippedDate", "shipVia", "freight",
      "shipName", "shipAddress", "shipCity", "shipRegion", "shipPostalCode", "shipCountry"
    FROM "Order"
    """

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

  /// Decodes a row of `select`.
  init(row: Row) {
    orderID = row[0]
    customerID = row[1]
    employeeID = row[2]
    orderDate = row[3]
    requiredDate = row[4]
    shippedDate = row[5]
    shipVia = row[6]
    freight = row[7]
    shipName = row[8]
    shipAddress = row[9]
    shipCity = row[10]
    shipRegion = row[11]
    shipPostalCode = row[12]
    shipCountry = row[13]
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
