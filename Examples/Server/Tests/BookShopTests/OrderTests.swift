import Foundation
import Hummingbird
import HummingbirdTesting
import SwiftData
import Testing

@testable import BookShop

@Suite("Orders of the book shop")
struct OrderTests {
  @Test("An order that fails at its last line changes neither the store nor the shared actor")
  func rollingBack() async throws {
    let shop = try Shop(readers: .shared, writers: .shared)
    try await shop.test { client in
      try await client.add(dispossessed, "The Dispossessed", copies: 3)
      try await client.add(darkness, "The Left Hand of Darkness", copies: 1)
      let response = try await client.send(
        .post, "/orders", #"[{"isbn":"\#(dispossessed)","copies":2},{"isbn":"\#(darkness)","copies":2}]"#)
      #expect(response.status == .conflict)
      #expect(try response.reasons == ["Of the book \(darkness) there are 1 copies left."])
      #expect(try await client.book(dispossessed).copies == 3)
      // The next order's save would write leftovers of the failed one.
      let next = try await client.send(.post, "/orders", #"[{"isbn":"\#(darkness)","copies":1}]"#)
      #expect(next.status == .noContent)
    }
    let context = ModelContext(shop.container)
    let copies = try context.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.isbn)])).map(\.copies)
    #expect(copies == [3, 0])
    #expect(try context.fetchCount(FetchDescriptor<Sale>()) == 1)
  }

  @Test("Concurrent orders never sell a copy twice")
  func concurrentOrders() async throws {
    let folder = try TemporaryFolder()
    let shop = try Shop(ModelConfiguration(url: folder.url.appending(path: "shop.store")))
    try await shop.test(.ahc()) { client in
      try await client.add(dispossessed, "The Dispossessed", copies: 60)
      let statuses = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
        for _ in 0..<100 {
          group.addTask {
            try await client.send(.post, "/orders", #"[{"isbn":"\#(dispossessed)","copies":1}]"#).status
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses.count { $0 == .noContent } == 60)
      #expect(statuses.count { $0 == .conflict } == 40)
      #expect(try await client.book(dispossessed).copies == 0)
    }
  }

  @Test("One of several concurrent requests to add the same book succeeds", arguments: Catalogs.Sharing.allCases)
  func concurrentAdditions(readers: Catalogs.Sharing) async throws {
    try await Shop(readers: readers).test { client in
      let statuses = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
        for number in 0..<20 {
          group.addTask {
            try await client.send(
              .post, "/books",
              #"{"isbn":"\#(solaris)","title":"Solaris \#(number)","author":"A","year":1961,"copies":1}"#
            ).status
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses.count { $0 == .created } == 1)
      #expect(statuses.count { $0 == .conflict } == 19)
    }
  }

  @Test(
    "An impossible order is refused",
    arguments: ["[]", #"[{"isbn":"1","copies":1}]"#, #"[{"isbn":"9780061054884","copies":0}]"#]
  )
  func invalidOrder(body: String) async throws {
    try await Shop().test { client in
      let status = try await client.send(.post, "/orders", body).status
      #expect(status == .unprocessableContent)
    }
  }

  @Test("A store that was moved makes the shop unavailable, without paths in the response")
  func movedStore() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "shop.store")
    try await Shop(ModelConfiguration(url: file)).test { client in
      try await client.add(dispossessed, "The Dispossessed")
      try FileManager.default.moveItem(at: file, to: folder.url.appending(path: "elsewhere.store"))
      let response = try await client.send(.post, "/orders", #"[{"isbn":"\#(dispossessed)","copies":1}]"#)
      #expect(response.status == .serviceUnavailable)
      #expect(!response.text.contains("store"))
    }
  }

  @Test(
    "The status of a response shows whether to try again",
    arguments: [
      (SwiftDataError.StoreFailureReason.busy, 503), (.moved, 503), (.diskFull, 507), (.corrupt, 500),
    ])
  func failingStore(reason: SwiftDataError.StoreFailureReason, status: Int) {
    #expect(StoreErrorMiddleware<BasicRequestContext>.status(for: reason).code == status)
  }
}
