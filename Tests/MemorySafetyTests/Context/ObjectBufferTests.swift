import Testing

@testable import SwiftData

@Suite("Buffers of fetched objects")
struct ObjectBufferTests {
  private final class LiveCount {
    var count = 0
  }

  private final class Member {
    let number: Int
    private let liveCount: LiveCount

    init(_ number: Int, _ liveCount: LiveCount) {
      self.number = number
      self.liveCount = liveCount
      liveCount.count += 1
    }

    deinit {
      liveCount.count -= 1
    }
  }

  @Test("Objects leave the buffer in the order in which they entered", arguments: [0, 1, 16, 17, 1_000])
  func order(count: Int) {
    let liveCount = LiveCount()
    var buffer = ObjectBuffer()
    for number in 0..<count { buffer.append(Member(number, liveCount)) }
    var taken: [AnyObject]? = buffer.take()
    #expect(taken?.compactMap { ($0 as? Member)?.number } == Array(0..<count))
    let rest = buffer.take()
    #expect(rest.isEmpty)
    #expect(liveCount.count == count)
    taken = nil
    #expect(liveCount.count == 0)
  }

  @Test("Objects that were not taken are released with the buffer")
  func notTaken() {
    let liveCount = LiveCount()
    do {
      var buffer = ObjectBuffer()
      for number in 0..<100 { buffer.append(Member(number, liveCount)) }
      #expect(liveCount.count == 100)
    }
    #expect(liveCount.count == 0)
  }
}
