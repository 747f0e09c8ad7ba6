/// A change to a page's elements, which the script applies.
///
/// Elements are identified by their `id`, and are sent as markup.
enum PagePatch: Hashable, Encodable {
  case remove(String)
  case replace(String, HTML)
  /// Inserts an element after another one, or first in its parent.
  case insert(HTML, into: String, after: String?)
  /// Moves an existing element.
  case move(String, into: String, after: String?)

  private enum CodingKeys: String, CodingKey {
    case op, id, html, into, after
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .remove(let id):
      try container.encode("remove", forKey: .op)
      try container.encode(id, forKey: .id)
    case .replace(let id, let html):
      try container.encode("replace", forKey: .op)
      try container.encode(id, forKey: .id)
      try container.encode(html.markup, forKey: .html)
    case .insert(let html, let parent, let other):
      try container.encode("insert", forKey: .op)
      try container.encode(html.markup, forKey: .html)
      try container.encode(parent, forKey: .into)
      try container.encodeIfPresent(other, forKey: .after)
    case .move(let id, let parent, let other):
      try container.encode("move", forKey: .op)
      try container.encode(id, forKey: .id)
      try container.encode(parent, forKey: .into)
      try container.encodeIfPresent(other, forKey: .after)
    }
  }
}

extension PageContent {
  /// The whole content is smaller than more patches than this.
  private static let patchLimit = 200

  /// The patches that turn a page with another content into this one; nil where the whole content should be sent.
  func patches(from old: PageContent) -> [PagePatch]? {
    if old.sections.isEmpty != sections.isEmpty { return nil }
    let former = Dictionary(old.sections.map { ($0.deck.key, $0) }) { $1 }
    // First, so that a card that changes its deck is never in the page twice.
    var patches = removals(old.sections, sections, key: \.deck.key, id: PageID.section)
    for section in sections {
      guard let old = former[section.deck.key] else { continue }
      patches += removals(old.cards, section.cards, key: \.key, id: PageID.card)
    }
    patches += order(
      old.sections, sections, parent: PageID.cards, key: \.deck.key, id: PageID.section, html: CardTemplates.section)
    for section in sections {
      guard let old = former[section.deck.key], old != section else { continue }
      if old.deck != section.deck || old.count != section.count {
        patches.append(.replace(PageID.head(section.deck.key), CardTemplates.head(of: section)))
      }
      patches += order(
        old.cards, section.cards, parent: PageID.list(section.deck.key), key: \.key, id: PageID.card, html: \.html)
      let texts = Dictionary(old.cards.map { ($0.key, $0.html) }) { $1 }
      for card in section.cards {
        if let text = texts[card.key], text != card.html { patches.append(.replace(PageID.card(card.key), card.html)) }
      }
    }
    if old.decks != decks { patches.append(.replace(PageID.importDeck, CardTemplates.importDecks(decks))) }
    if old.hasMore != hasMore { patches.append(.replace(PageID.tail, CardTemplates.tail(of: self))) }
    return patches.count > Self.patchLimit ? nil : patches
  }

  private func removals<Element, Key: Hashable>(
    _ old: [Element], _ new: [Element], key: (Element) -> Key, id: (Key) -> String
  ) -> [PagePatch] {
    let kept = Set(new.map(key))
    return old.map(key).filter { !kept.contains($0) }.map { .remove(id($0)) }
  }

  /// Inserts missing elements after the removals, and reorders the list.
  private func order<Element, Key: Hashable>(
    _ old: [Element], _ new: [Element], parent: String, key: (Element) -> Key, id: (Key) -> String,
    html: (Element) -> HTML
  ) -> [PagePatch] {
    let kept = Set(new.map(key))
    var patches: [PagePatch] = []
    let known = Set(old.map(key))
    var shown = old.map(key).filter(kept.contains)
    var previous: String?
    for (position, element) in new.enumerated() {
      let key = key(element)
      if !known.contains(key) {
        patches.append(.insert(html(element), into: parent, after: previous))
        shown.insert(key, at: position)
      } else if shown[position] != key {
        patches.append(.move(id(key), into: parent, after: previous))
        if let place = shown.firstIndex(of: key) { shown.remove(at: place) }
        shown.insert(key, at: position)
      }
      previous = id(key)
    }
    return patches
  }
}
