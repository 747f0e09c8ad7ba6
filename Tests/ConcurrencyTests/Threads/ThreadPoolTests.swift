import Dispatch
import Foundation
import Support
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Serial queues on a bounded number of threads", .timeLimit(.minutes(5)))
struct ThreadPoolTests {
  /// Numbers in the order in which they were added.
  private final class Log: Sendable {
    private let numbers = Mutex<[Int]>([])
    var all: [Int] { numbers.withLock { $0 } }

    func add(_ number: Int) {
      numbers.withLock { $0.append(number) }
    }
  }

  /// Blocks all threads of a pool until each gets a signal.
  private func occupy(_ pool: ThreadPool, until mayGoOn: DispatchSemaphore) async {
    let crowd = Crowd()
    for _ in 0..<pool.limit { SerialQueue(on: pool).async { crowd.stay { mayGoOn.wait() } } }
    let isFull = await comesTrue { crowd.present == pool.limit }
    #expect(isFull)
  }

  @Test("At most as many queues run at once as the pool has threads, and all of them run", arguments: [1, 3])
  func limit(_ limit: Int) async {
    let pool = ThreadPool(limit: limit)
    let (crowd, mayGoOn) = (Crowd(), DispatchSemaphore(value: 0))
    for _ in 0..<20 { SerialQueue(on: pool).async { crowd.stay { mayGoOn.wait() } } }
    let isFull = await comesTrue { crowd.present == limit && pool.waitingCount == 20 - limit }
    #expect(isFull)
    for _ in 0..<20 { mayGoOn.signal() }
    let isEmpty = await comesTrue { crowd.gone == 20 }
    #expect(isEmpty)
    #expect(crowd.most == limit)
  }

  @Test("Queues waiting for a thread get one in order of arrival")
  func order() async {
    let (pool, log, mayGoOn) = (ThreadPool(limit: 1), Log(), DispatchSemaphore(value: 0))
    await occupy(pool, until: mayGoOn)
    for number in 0..<30 { SerialQueue(on: pool).async { log.add(number) } }
    mayGoOn.signal()
    let isDone = await comesTrue { log.all.count == 30 }
    #expect(isDone)
    #expect(log.all == Array(0..<30))
  }

  @Test("The jobs of one queue run in order, one at a time")
  func serial() async {
    let (pool, log, crowd) = (ThreadPool(limit: 4), Log(), Crowd())
    let queues = (0..<8).map { _ in SerialQueue(on: pool) }
    for number in 0..<2000 {
      queues[0].async { crowd.stay { log.add(number) } }
      queues[1 + number % 7].async {}
    }
    let isDone = await comesTrue { log.all.count == 2000 }
    #expect(isDone)
    #expect(log.all == Array(0..<2000))
    #expect(crowd.most == 1)
  }

  @Test("A queue with many jobs does not delay another queue")
  func turns() async {
    let (pool, log, mayGoOn) = (ThreadPool(limit: 1), Log(), DispatchSemaphore(value: 0))
    await occupy(pool, until: mayGoOn)
    let long = SerialQueue(on: pool)
    for number in 0..<5 { long.async { log.add(number) } }
    SerialQueue(on: pool).async { log.add(100) }
    mayGoOn.signal()
    let isDone = await comesTrue { log.all.count == 6 }
    #expect(isDone)
    #expect(log.all == [0, 100, 1, 2, 3, 4])
  }

  @Test("An expedited job runs once, even while all threads are busy", arguments: [true, false])
  func hurried(before: Bool) async {
    let (pool, log, mayGoOn) = (ThreadPool(limit: 1), Log(), DispatchSemaphore(value: 0))
    await occupy(pool, until: mayGoOn)
    let queue = SerialQueue(on: pool)
    if before { queue.hurry() }
    for number in 0..<3 { queue.async { log.add(number) } }
    if !before { queue.hurry() }
    let isDone = await comesTrue { log.all.count == 3 }
    #expect(isDone)
    // The next job finds that the expedited one was already run.
    SerialQueue(on: pool).async { log.add(3) }
    mayGoOn.signal()
    let isServed = await comesTrue { log.all.count == 4 }
    #expect(isServed)
    #expect(log.all == [0, 1, 2, 3])
  }

  @Test("A queue recognizes its own jobs, and a pool its threads")
  func current() async {
    let pool = ThreadPool(limit: 2)
    let (queue, other) = (SerialQueue(on: pool), SerialQueue(on: pool))
    let found: [Bool] = await withCheckedContinuation { continuation in
      queue.async {
        continuation.resume(returning: [queue.isCurrent, other.isCurrent, ThreadPool.isCurrent, MainQueue.isCurrent])
      }
    }
    #expect(found == [true, false, true, false])
    #expect(!queue.isCurrent)
    #expect(!ThreadPool.isCurrent)
  }

  @Test("Idle threads end after some seconds", .enabled(if: ThreadCount.isKnown))
  func ending() async {
    await #expect(processExitsWith: .success) {
      let pool = ThreadPool(limit: 30)
      let (crowd, mayGoOn) = (Crowd(), DispatchSemaphore(value: 0))
      for _ in 0..<30 { SerialQueue(on: pool).async { crowd.stay { mayGoOn.wait() } } }
      let isFull = await comesTrue { crowd.present == 30 }
      #expect(isFull)
      let most = try ThreadCount.current()
      #expect(most > 30)
      for _ in 0..<30 { mayGoOn.signal() }
      let haveEnded = try await comesTrue { try ThreadCount.current() <= most - 25 }
      #expect(haveEnded)
    }
  }
}
