import Foundation
import SwiftData

/// The feeds of all open pages.
@MainActor
final class Feeds {
  private let document: OpenDocument
  private(set) var feeds: [PageQuery: Feed] = [:]
  private var lastState: DocumentState?
  private var importEvent: ImportProgress?
  /// Part of each page's state, so that a page still works after a restart of the program.
  private let token: String

  init(_ document: OpenDocument, token: String) {
    self.document = document
    self.token = token
  }

  /// The initial content of a page.
  func content(_ query: PageQuery) throws -> PageContent {
    if let feed = feeds[query] { return try feed.currentPage() }
    let context = document.context
    return PageContent(
      query,
      decks: try context.fetch(PageQuery.decks).map(CardTemplates.heading),
      cards: try context.fetch(query.cards).map(CardTemplates.content),
      counts: try query.counts(context))
  }

  // MARK: Streams

  func open(_ query: PageQuery, seen: String?) throws -> EventStream {
    let feed = try feeds[query] ?? Feed(query, document.context.container)
    feeds[query] = feed
    let stream = EventStream()
    try feed.add(stream, seen: seen)
    for event in try statusEvents(feed) { stream.send(event) }
    return stream
  }

  /// The whole content, for a stream that missed events.
  func takeAll(_ stream: EventStream, _ query: PageQuery) throws -> String {
    stream.restart()
    guard let feed = feeds[query] else { return "" }
    return try ([try feed.contentEvent()] + statusEvents(feed)).map(\.text).joined()
  }

  func close(_ stream: EventStream, _ query: PageQuery) {
    stream.finish()
    guard let feed = feeds[query] else { return }
    feed.remove(stream)
    if feed.streams.isEmpty { feeds[query] = nil }
  }

  func heartbeat() {
    for feed in feeds.values { feed.send(.heartbeat) }
  }

  // MARK: Events for all pages

  private struct StateContent: Encodable {
    let state: DocumentState
    let token: String
  }

  private func statusEvents(_ feed: Feed) throws -> [ServerSentEvent] {
    let state = StateContent(state: document.state, token: token)
    return [try ServerSentEvent("state", id: feed.content.identifier, state)]
      + (try importEvent.map { [try ServerSentEvent("import", id: feed.content.identifier, $0)] } ?? [])
  }

  /// Sends all pages whether there is something to undo, and whether the document is edited.
  func showState() throws {
    let state = document.state
    if state == lastState { return }
    lastState = state
    for feed in feeds.values {
      feed.send(
        try ServerSentEvent("state", id: feed.content.identifier, StateContent(state: state, token: token)))
    }
  }

  func show(_ progress: ImportProgress) throws {
    importEvent = progress.isRunning ? progress : nil
    for feed in feeds.values {
      feed.send(try ServerSentEvent("import", id: feed.content.identifier, progress))
    }
    try showState()
  }
}
