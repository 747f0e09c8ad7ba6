import Foundation

/// The study page, which asks one card after the other.
enum StudyTemplate {
  static func body(_ content: StudyContent) -> HTML {
    """
    <body data-connected="false" data-page="study">
    <header class="bar study-bar"><a class="button secondary" href="/">Done</a>\
    <h1>\(content.deckName ?? "All decks")</h1></header>
    <main id="study" tabindex="-1" aria-label="Study">\(content.question.map { question($0, content) } ?? end(content))</main>
    <div id="status" role="status" aria-live="polite"></div></body>
    """
  }

  private static func question(_ question: StudyContent.Question, _ content: StudyContent) -> HTML {
    """
    <p id="remaining">\(content.remaining) to go</p>\
    <article class="study-card" data-card="\(question.key.uuidString)" aria-live="polite">\
    <p class="study-deck">\(question.deck)</p><div id="question">\(question.front)</div>\
    <div id="answer" hidden>\(question.back)</div></article>\
    <div class="answers"><button type="button" id="show">Show answer <kbd>Space</kbd></button>\
    <button type="button" id="again" class="secondary" hidden>Again <kbd>1</kbd></button>\
    <button type="button" id="good" hidden>Good <kbd>2</kbd></button></div>
    """
  }

  private static func end(_ content: StudyContent) -> HTML {
    guard let nextDue = content.nextDue else {
      return """
        <div id="empty" class="empty"><h2>No cards to study</h2><p>Add some cards first, then come back.</p>\
        <p><a class="button" href="/">Add cards</a></p></div>
        """
    }
    return """
      <div id="empty" class="empty"><h2>Done for now</h2><p>Well done: no card is waiting. The next one is due \
      \(time(until: nextDue)).</p><p><a class="button" href="/">Back to the cards</a></p></div>
      """
  }

  private static func time(until date: Date) -> String {
    let hours = Int((date.timeIntervalSinceNow / 3600).rounded(.up))
    if hours <= 1 { return "within the hour" }
    if hours < 24 { return "in \(hours) hours" }
    return hours < 36 ? "tomorrow" : "in \(Int((Double(hours) / 24).rounded())) days"
  }
}
