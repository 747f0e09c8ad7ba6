import Foundation

/// The parts of the main page that change with the document.
@MainActor
enum CardTemplates {
  // MARK: From models

  static func content(_ card: Card) -> PageContent.Card {
    PageContent.Card(key: card.key, deck: card.deck?.key ?? card.key, html: html(card))
  }

  static func heading(_ deck: Deck) -> PageContent.DeckHeading {
    PageContent.DeckHeading(key: deck.key, name: deck.name)
  }

  private static func html(_ card: Card) -> HTML {
    let key = card.key.uuidString
    return """
      <li class="card" id="\(PageID.card(card.key))" data-card="\(key)">\
      <div class="side">\(text(card.front, "front", "Front"))</div>\
      <div class="side back">\(text(card.back, "back", "Back"))</div>\
      <button type="button" class="delete-card quiet" aria-label="Delete card \(shortened(card.front))" \
      title="Delete card">\(Icons.delete)</button></li>
      """
  }

  /// There is no white space around the text, because the script uses the button's text as the text of the card.
  private static func text(_ text: String, _ field: String, _ name: String) -> HTML {
    """
    <button type="button" class="text" data-field="\(field)" data-name="\(name)" title="Edit">\(text)</button>
    """
  }

  private static func shortened(_ text: String) -> String {
    text.count > 40 ? String(text.prefix(40)) + "…" : text
  }
}

extension CardTemplates {
  // MARK: From content

  nonisolated static func main(_ content: PageContent) -> HTML {
    "\(content.sections.map(section))\(tail(of: content))"
  }

  nonisolated static func section(_ section: PageContent.Section) -> HTML {
    let key = section.deck.key
    return """
      <section class="deck" id="\(PageID.section(key))" data-deck="\(key.uuidString)" \
      aria-labelledby="\(PageID.head(key))-name">\(head(of: section))\
      <form class="add-card" novalidate>\
      <label><span class="visually-hidden">Front of a new card</span>\
      <textarea name="front" rows="1" placeholder="Front"></textarea></label>\
      <label><span class="visually-hidden">Back of a new card</span>\
      <textarea name="back" rows="1" placeholder="Back"></textarea></label>\
      <button class="secondary">Add card</button></form>\
      <ol class="cards" id="\(PageID.list(key))" aria-labelledby="\(PageID.head(key))-name">\
      \(section.cards.map(\.html))</ol></section>
      """
  }

  nonisolated static func head(of section: PageContent.Section) -> HTML {
    let (key, name) = (section.deck.key, section.deck.name)
    let count = section.count.formatted(.number.locale(Locale(identifier: "en_US")))
    return """
      <div class="deck-head" id="\(PageID.head(key))"><h2 id="\(PageID.head(key))-name">\
      <button type="button" class="text" data-field="name" data-name="Name" title="Rename">\(name)</button>\
      <span class="count" title="\(count) \(section.count == 1 ? "card" : "cards")">\(count)</span></h2>\
      <a class="study button secondary" href="/study?deck=\(key.uuidString)" aria-label="Study \(name)">Study</a>\
      <button type="button" class="delete-deck quiet" aria-label="Delete deck \(name)" title="Delete deck">\
      \(Icons.delete)</button></div>
      """
  }

  /// The end of the list: the button for more cards, or a hint when there are none.
  nonisolated static func tail(of content: PageContent) -> HTML {
    "<div id=\"tail\">\(content.sections.isEmpty ? empty(content) : content.hasMore ? more(content) : "")</div>"
  }

  private nonisolated static func empty(_ content: PageContent) -> HTML {
    if content.query.search.isEmpty {
      return """
        <div id="empty" class="empty"><h2>Your first deck</h2><p>A deck is a set of cards on one subject. Give it a name \
        under “New deck”, then add cards or import a file.</p></div>
        """
    }
    return """
      <div id="empty" class="empty"><h2>Nothing found</h2><p>No card has “\(content.query.search)” on its front or back. \
      Try fewer letters, or <a href="/">show all cards</a>.</p></div>
      """
  }

  private nonisolated static func more(_ content: PageContent) -> HTML {
    """
    <form action="/" class="more"><input type="hidden" name="search" value="\(content.query.search)">\
    <input type="hidden" name="limit" value="\(content.query.limit + PageQuery.step)">\
    <button id="more" class="secondary">Show more cards</button></form>
    """
  }

  nonisolated static func importDecks(_ decks: [PageContent.DeckHeading]) -> HTML {
    let options = decks.map { deck -> HTML in "<option value=\"\(deck.key.uuidString)\">\(deck.name)</option>" }
    return "<select name=\"deck\" id=\"import-deck\">\(options)</select>"
  }
}
