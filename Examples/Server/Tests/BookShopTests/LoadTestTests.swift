import HummingbirdTesting
import SwiftData
import Testing

@testable import BookShop
@testable import LoadTest

@Suite("The load test")
struct LoadTestTests {
  @Test("Every workload succeeds with every way to share actors", arguments: Workload.allCases)
  func workloads(workload: Workload) async throws {
    for sharing in Catalogs.Sharing.allCases {
      try await Shop(readers: sharing).test(.ahc()) { client in
        let shop = ShopClient(port: try #require(client.port))
        let summary: Summary
        do {
          try await shop.stock(books: 30, clients: 4)
          summary = try await LoadRun(workload: workload, requests: 50, clients: 4, books: 30, seconds: 60).measure(
            shop)
        } catch {
          try await shop.close()
          throw error
        }
        try await shop.close()
        #expect(summary.count == 50)
        #expect(summary.failures == 0)
      }
    }
  }

  @Test("A run ends after its time limit")
  func timeLimit() async throws {
    let shop = ShopClient(port: 1)
    let run = LoadRun(workload: .get, requests: 50, clients: 2, books: 1, seconds: 0)
    let summary = try await run.measure(shop)
    try await shop.close()
    #expect(summary.count == 0)
  }

  @Test("A percentile is the time within which that share of requests was answered")
  func percentiles() {
    let samples = (1...200).reversed().map { Sample(duration: .milliseconds($0), hasFailed: $0 == 7) }
    let summary = Summary(samples, in: .seconds(4))
    #expect(summary.percentile(0.5) == .milliseconds(100))
    #expect(summary.percentile(0.99) == .milliseconds(198))
    #expect(summary.percentile(0) == .milliseconds(1))
    #expect(summary.percentile(1) == .milliseconds(200))
    #expect(
      "\(summary)" == "200 requests, 1 failed, 50/s, p50 100.0 ms, p99 198.0 ms, slowest 200.0 ms")
    #expect(Summary([], in: .seconds(1)).percentile(0.5) == .zero)
  }
}
