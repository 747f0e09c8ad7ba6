import Foundation
import FoundationSupplements
import Testing

extension Notification.Name {
  fileprivate static let tick = Notification.Name("NotificationSequenceTests.tick")
}

@Suite("Notifications as a sequence")
struct NotificationSequenceTests {
  private let center = NotificationCenter()

  private final class Sender: Sendable {}

  @Test("An iteration receives later notifications, in order")
  func order() async {
    let sequence = center.notifications(named: .tick)
    center.post(name: .tick, object: nil, userInfo: ["number": 0])
    var iterator = sequence.makeAsyncIterator()
    for number in 1...100 { center.post(name: .tick, object: nil, userInfo: ["number": number]) }
    center.post(name: .init("other"), object: nil)
    for number in 1...100 {
      let notification = await iterator.next()
      #expect(notification?.userInfo?["number"] as? Int == number)
    }
  }

  @Test("Two iterations receive the same notifications")
  func independence() async {
    let sequence = center.notifications(named: .tick)
    var first = sequence.makeAsyncIterator()
    var second = sequence.makeAsyncIterator()
    center.post(name: .tick, object: nil)
    let (one, two) = (await first.next(), await second.next())
    #expect(one?.name == .tick)
    #expect(two?.name == .tick)
  }

  @Test("Notifications of one object exclude those of others, and do not retain the object")
  func object() async {
    var sender: Sender? = Sender()
    weak let reference = sender
    var iterator = center.notifications(named: .tick, object: sender).makeAsyncIterator()
    center.post(name: .tick, object: Sender(), userInfo: ["number": 1])
    center.post(name: .tick, object: sender, userInfo: ["number": 2])
    let number = await iterator.next()?.userInfo?["number"] as? Int
    #expect(number == 2)
    let sequence = center.notifications(named: .tick, object: sender)
    sender = nil
    #expect(reference == nil)
    var late = sequence.makeAsyncIterator()
    let ended = await late.next()
    #expect(ended == nil)
  }

  @Test("An iteration ends when its task is cancelled")
  func cancellation() async {
    let center = center
    let task = Task {
      var count = 0
      for await _ in center.notifications(named: .tick) { count += 1 }
      return count
    }
    task.cancel()
    #expect(await task.value == 0)
  }

  @Test("Notifications posted on the main actor are received there")
  @MainActor
  func mainActor() async {
    var iterator = center.notifications(named: .tick).makeAsyncIterator()
    center.post(name: .tick, object: self as AnyObject)
    let notification = await iterator.next(isolation: MainActor.shared)
    #expect(notification != nil)
  }

  @Test("Notifications posted on many threads are all received")
  func threads() async {
    var iterator = center.notifications(named: .tick).makeAsyncIterator()
    let center = center
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<8 {
        group.addTask {
          for number in 0..<500 { center.post(name: .tick, object: nil, userInfo: ["number": thread * 500 + number]) }
        }
      }
    }
    var numbers: Set<Int> = []
    for _ in 0..<4000 {
      let number = await iterator.next()?.userInfo?["number"] as? Int
      numbers.insert(number ?? -1)
    }
    #expect(numbers == Set(0..<4000))
  }
}
