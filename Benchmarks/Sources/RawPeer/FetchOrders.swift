import Workload

final class FetchOrders: Work {
  private let statement: Statement
  private var orders: [Order] = []

  init(_ connection: Connection) throws {
    statement = try connection.prepare(Order.select)
  }

  func run() throws -> Int {
    try statement.forEachRow { orders.append(Order(row: $0)) }
    return orders.reduce(0) { $0 + $1.employeeID }
  }

  func finish() throws -> Outcome {
    defer { orders = [] }
    return .orders(OrderDigest(of: orders))
  }
}
