import Foundation
import Synchronization

/// One workload, sent by several clients at a time.
struct LoadRun: Sendable {
  let workload: Workload
  let requests: Int
  let clients: Int
  let books: Int
  let seconds: Int

  /// Sends the requests. It ends when all are answered, or after the time limit.
  func measure(_ shop: ShopClient) async throws -> Summary {
    let clock = ContinuousClock()
    let start = clock.now
    let deadline = start + .seconds(seconds)
    // While a run adds less than 10,000 books in a second, no two runs add the same book.
    let run = Int(Date.now.timeIntervalSince1970) % 100_000_000 * 10_000
    let counter = Counter()
    let samples = try await withThrowingTaskGroup(of: [Sample].self) { group in
      for _ in 0..<clients {
        group.addTask {
          var samples: [Sample] = []
          while clock.now < deadline, let number = counter.next(below: requests) {
            let sent = clock.now
            let status = try await shop.send(workload.request(number, books: books, run: run))
            samples.append(Sample(duration: clock.now - sent, hasFailed: !(200..<300).contains(status)))
          }
          return samples
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    return Summary(samples, in: clock.now - start)
  }
}

/// One answered request.
struct Sample: Sendable {
  let duration: Duration
  let hasFailed: Bool
}

/// Counts up, for several tasks.
final class Counter: Sendable {
  private let count = Atomic(0)

  func next(below limit: Int) -> Int? {
    let number = count.add(1, ordering: .relaxed).oldValue
    return number < limit ? number : nil
  }
}
