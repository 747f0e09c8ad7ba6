/// Sums over orders that detect a wrong value in any order.
package struct OrderDigest: Equatable, Sendable {
  package var rows = 0
  package var numbers = 0
  package var employees = 0
  package var shippers = 0
  package var freight = 0.0
  package var textBytes = 0
  package var missing = 0

  package init() {}

  /// Adds one order; `texts` are all its text columns.
  package mutating func add(number: Int, employee: Int, shipper: Int, freight: Double, texts: [String?]) {
    rows += 1
    numbers += number
    employees += employee
    shippers += shipper
    self.freight += freight
    for text in texts {
      if let text { textBytes += text.utf8.count } else { missing += 1 }
    }
  }
}

extension OrderDigest {
  init(of orders: some Sequence<OrderSeed>) {
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
