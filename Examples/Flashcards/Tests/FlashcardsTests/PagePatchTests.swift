import Foundation
import Testing

@testable import Flashcards

@Suite("Patches")
struct PagePatchTests {
  @Test("Patches turn the old content into the new one", arguments: 0..<60)
  func patches(seed: Int) throws {
    var generator = SeededGenerator(state: UInt64(seed + 1))
    let (old, new) = (Self.content(&generator), Self.content(&generator))
    guard let patches = new.patches(from: old) else { return }
    var page = PageModel(old)
    for patch in patches { try page.apply(patch) }
    #expect(page == PageModel(new))
  }

  private static func content(_ generator: inout SeededGenerator) -> PageContent {
    let keys = (0..<30).map { UUID(uuid: (UInt8($0), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
    let decks = keys[0..<5].shuffled(using: &generator).prefix(4)
    let cards = keys[5...].shuffled(using: &generator).prefix(18).map { key in
      let text = "\(Int.random(in: 0..<2, using: &generator))"
      let deck = decks[(Int(key.uuid.0) + (text == "0" ? 0 : 1)) % 4]
      return PageContent.Card(key: key, deck: deck, html: "<li id=\"\(PageID.card(key))\">\(text)</li>")
    }
    return PageContent(
      PageQuery(), decks: decks.map { PageContent.DeckHeading(key: $0, name: "\($0)") }, cards: cards, counts: [:])
  }
}

/// The elements of a page, in order.
private struct PageModel: Equatable {
  private var sections: [String] = []
  private var lists: [String: [String]] = [:]

  struct Mistake: Error {}

  init(_ content: PageContent) {
    for section in content.sections {
      let html = CardTemplates.section(section).markup
      sections.append(PageID.section(section.deck.key))
      lists[PageID.list(section.deck.key)] = Self.items(html)
    }
  }

  private static func items(_ html: String) -> [String] {
    html.matches(of: /<li id="card-[^"]*">[^<]*<\/li>/).map { String($0.output) }
  }

  private static func id(_ html: String) -> String { html.firstMatch(of: /id="([^"]*)"/).map { String($0.1) } ?? "" }

  mutating func apply(_ patch: PagePatch) throws {
    switch patch {
    case .remove(let id): try take(id)
    case .replace(let id, let html):
      if !id.hasPrefix("card-") { return }
      guard let (list, place) = place(of: id) else { throw Mistake() }
      lists[list]?[place] = html.markup
    case .insert(let html, let parent, let after):
      if parent == PageID.cards { lists["list-" + Self.id(html.markup).dropFirst(5)] = Self.items(html.markup) }
      let element = parent == PageID.cards ? Self.id(html.markup) : html.markup
      try put(element, into: parent, after: after)
    case .move(let id, let parent, let after): try put(try take(id), into: parent, after: after)
    }
  }

  private func place(of id: String) -> (String, Int)? {
    for (list, items) in lists {
      if let place = items.firstIndex(where: { Self.id($0) == id }) { return (list, place) }
    }
    return nil
  }

  @discardableResult
  private mutating func take(_ id: String) throws -> String {
    if let place = sections.firstIndex(of: id) { return sections.remove(at: place) }
    guard let (list, place) = place(of: id), let item = lists[list]?.remove(at: place) else { throw Mistake() }
    return item
  }

  private mutating func put(_ element: String, into parent: String, after: String?) throws {
    var items = parent == PageID.cards ? sections : lists[parent] ?? []
    var place = 0
    if let after {
      guard let other = items.firstIndex(where: { $0 == after || Self.id($0) == after }) else { throw Mistake() }
      place = other + 1
    }
    items.insert(element, at: place)
    if parent == PageID.cards { sections = items } else { lists[parent] = items }
  }

  static func == (left: Self, right: Self) -> Bool {
    left.sections == right.sections
      && left.sections.allSatisfy { section in
        let list = "list-" + section.dropFirst(5)
        return left.lists[list] == right.lists[list]
      }
  }
}

/// Generates the same numbers in each run.
private struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 29
  }
}
