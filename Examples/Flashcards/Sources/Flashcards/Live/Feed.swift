import Foundation
import SwiftData

/// One live query, and the event streams of all pages that show it.
@MainActor
final class Feed {
  private static let coalescing = Duration.milliseconds(20)

  let query: PageQuery
  private let context: ModelContext
  private(set) var content: PageContent
  private(set) var streams: [ObjectIdentifier: EventStream] = [:]

  private let cards: RowList<Card, PageContent.Card>
  private let decks: RowList<Deck, PageContent.DeckHeading>
  private var connections: [ResultsConnection] = []
  private var counts: [UUID: Int]
  private var counting: Task<Void, any Error>?
  private var isUpdating = true

  init(_ query: PageQuery, _ container: ModelContainer) throws {
    self.query = query
    context = container.mainContext
    counts = try query.counts(context)
    var didChange: () -> Void = {}
    cards = RowList(row: CardTemplates.content) { didChange() }
    decks = RowList(row: CardTemplates.heading) { didChange() }
    content = PageContent(query, decks: [], cards: [], counts: [:])
    didChange = { [weak self] in self?.update() }

    let cardObserver = try ResultsObserver(
      fetchDescriptor: query.cards, sectionBy: \.deck?.name, modelContext: context)
    let deckObserver = try ResultsObserver(fetchDescriptor: PageQuery.decks, modelContext: context)
    connections = [
      cardObserver.connect(cards, coalescing: Self.coalescing),
      deckObserver.connect(decks, coalescing: Self.coalescing),
    ]
    content = currentContent
    isUpdating = false
    // Cards outside of the window change only counts, so the observer does not report them.
    let values = container.values(following: [Card.self, Deck.self], coalescing: Self.coalescing) {
      try query.counts($0)
    }
    counting = Task { [weak self] in
      while true {
        do {
          for try await counts in values { self?.show(counts) }
        } catch {
          // The store could not be read: try again later.
          try await Task.sleep(for: .seconds(1))
        }
        try Task.checkCancellation()
      }
    }
  }

  deinit {
    counting?.cancel()
  }

  private var currentContent: PageContent {
    PageContent(query, decks: decks.rows, cards: cards.rows, counts: counts)
  }

  /// The content with everything that is saved by now, not only what was sent.
  func currentPage() throws -> PageContent {
    counts = try query.counts(context)
    update()
    return content
  }

  private func show(_ counts: [UUID: Int]) {
    self.counts = counts
    update()
  }

  /// Renders the changes once, and sends them to all streams.
  private func update() {
    if isUpdating { return }
    isUpdating = true
    defer { isUpdating = false }
    for connection in connections { connection.update() }
    let old = content
    content = currentContent
    guard content != old else { return }
    do {
      if let patches = content.patches(from: old) {
        send(try ServerSentEvent("patch", id: content.identifier, patches))
      } else {
        send(try contentEvent())
      }
    } catch {
      // JSON is always valid text. If it were not, a reconnecting page would get the whole content.
      finish()
    }
  }

  func contentEvent() throws -> ServerSentEvent {
    try ServerSentEvent(
      "reload-content", id: content.identifier,
      [
        "html": CardTemplates.main(content).markup,
        "decks": CardTemplates.importDecks(content.decks).markup,
      ])
  }

  // MARK: Streams

  func send(_ event: ServerSentEvent) {
    for stream in streams.values { stream.send(event) }
  }

  /// - Parameter seen: The content that the page has; nil when it has none of this query.
  func add(_ stream: EventStream, seen: String?) throws {
    streams[ObjectIdentifier(stream)] = stream
    if seen != content.identifier { stream.send(try contentEvent()) }
  }

  func remove(_ stream: EventStream) {
    streams[ObjectIdentifier(stream)] = nil
  }

  func finish() {
    for stream in streams.values { stream.finish() }
  }
}
