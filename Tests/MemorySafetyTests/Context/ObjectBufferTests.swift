import Testing

@testable import SwiftData

@Suite("Buffers of fetched objects")
struct ObjectBufferTests {
  private final class Census {
    var count = 0
  }

  private final class Member {
    let number: Int
    private let census: Census

    init(_ number: Int, _ census: Census) {
      self.number = number
      self.census = census
      census.count += 1
    }

    deinit {
      census.count -= 1
    }
  }

  @Test("Objects come out in the order in which they went in", arguments: [0, 1, 16, 17, 1_000])
  func order(count: Int) {
    let census = Census()
    var buffer = ObjectBuffer()
    for number in 0..<count { buffer.append(Member(number, census)) }
    var taken: [AnyObject]? = buffer.take()
    #expect(taken?.compactMap { ($0 as? Member)?.number } == Array(0..<count))
    let rest = buffer.take()
    #expect(rest.isEmpty)
    #expect(census.count == count)
    taken = nil
    #expect(census.count == 0)
  }

  @Test("Objects that nobody took go with the buffer")
  func untaken() {
    let census = Census()
    do {
      var buffer = ObjectBuffer()
      for number in 0..<100 { buffer.append(Member(number, census)) }
      #expect(census.count == 100)
    }
    #expect(census.count == 0)
  }
}
