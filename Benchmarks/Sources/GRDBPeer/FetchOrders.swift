import GRDB
import Workload

final class FetchOrders: Work {
  private let store: ItemStore
  private var orders: [Order] = []

  init(_ store: ItemStore) {
    self.store = store
  }

  func run() throws -> Int {
    orders = try store.queue.read { try Order.fetchAll($0.cachedStatement(sql: Order.select)) }
    return orders.reduce(0) { $0 + $1.employeeID }
  }

  func finish() throws -> Outcome {
    defer { orders = [] }
    return .orders(OrderDigest(of: orders))
  }
}
