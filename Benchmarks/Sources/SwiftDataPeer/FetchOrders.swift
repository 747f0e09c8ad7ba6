import Foundation
import SwiftData
import Workload

/// Fetches into a context without registered models.
final class FetchOrders: Work {
  private let container: ModelContainer
  private var context: ModelContext
  private var orders: [Order] = []

  init(_ file: URL) throws {
    container = try ModelContainer(for: Order.self, configurations: ModelConfiguration(url: file, history: .none))
    context = ModelContext(container)
  }

  func prepare() throws {
    context = ModelContext(container)
  }

  func run() throws -> Int {
    orders = try context.fetch(FetchDescriptor<Order>())
    return orders.reduce(0) { $0 + $1.employeeID }
  }

  func finish() throws -> Outcome {
    defer { orders = [] }
    return .orders(OrderDigest(of: orders))
  }
}
