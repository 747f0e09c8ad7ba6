import Foundation
import Testing

@testable import Flashcards

/// Reads the events of a page.
@MainActor
final class EventReader {
  struct Event {
    let id: String
    let name: String
    let data: String
  }

  struct EndOfStream: Error {}

  private let stream: EventStream
  private let query: PageQuery
  private let feeds: Feeds
  private var events: [Event] = []

  init(_ stream: EventStream, _ query: PageQuery, _ feeds: Feeds) {
    self.stream = stream
    self.query = query
    self.feeds = feeds
  }

  /// The next event with a name, and a text in its data. Other events before it are skipped.
  @discardableResult
  func next(_ name: String, with text: String = "") async throws -> Event {
    while true {
      while !events.isEmpty {
        let event = events.removeFirst()
        if event.name == name, text.isEmpty || event.data.contains(text) { return event }
      }
      var wakeups = stream.wakeups.makeAsyncIterator()
      guard await wakeups.next(isolation: #isolation) != nil else { throw EndOfStream() }
      events += try take().components(separatedBy: "\n\n").compactMap(Self.event)
    }
  }

  /// The events that have already arrived.
  func pending() throws -> [Event] {
    try take().components(separatedBy: "\n\n").compactMap(Self.event)
  }

  private func take() throws -> String {
    try stream.take() ?? feeds.takeAll(stream, query)
  }

  func close() {
    feeds.close(stream, query)
  }

  private static func event(_ text: String) -> Event? {
    let lines = text.split(separator: "\n").map { $0.split(separator: ": ", maxSplits: 1).map(String.init) }
    guard lines.count == 3, lines.allSatisfy({ $0.count == 2 }) else { return nil }
    return Event(id: lines[0][1], name: lines[1][1], data: lines[2][1])
  }
}
