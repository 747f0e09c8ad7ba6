import CSQLite
import Workload

/// A plain object with the fourteen values of a row.
final class Order {
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

  /// Decodes the current row of a statement with `select`.
  @inline(__always)
  init(row: OpaquePointer) {
    orderID = Int(sqlite3_column_int64(row, 0))
    customerID = text(row, 1) ?? ""
    employeeID = Int(sqlite3_column_int64(row, 2))
    orderDate = text(row, 3) ?? ""
    requiredDate = text(row, 4) ?? ""
    shippedDate = text(row, 5)
    shipVia = Int(sqlite3_column_int64(row, 6))
    freight = sqlite3_column_double(row, 7)
    shipName = text(row, 8) ?? ""
    shipAddress = text(row, 9) ?? ""
    shipCity = text(row, 10) ?? ""
    shipRegion = text(row, 11)
    shipPostalCode = text(row, 12)
    shipCountry = text(row, 13) ?? ""
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
