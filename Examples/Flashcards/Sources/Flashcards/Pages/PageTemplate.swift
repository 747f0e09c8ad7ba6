/// Whole pages.
struct PageTemplate {
  let title: String
  let token: String
  let state: DocumentState

  private func layout(_ body: HTML, title: String) -> HTML {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8"><title>\(title)</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="page-token" content="\(token)">
    <link rel="icon" href="/icon.svg" type="image/svg+xml"><link rel="stylesheet" href="/style.css">
    <script src="/app.js" type="module"></script></head>
    \(body)</html>

    """
  }

  func main(_ content: PageContent) -> HTML {
    layout(
      """
      <body data-connected="false" data-page="cards" data-version="\(content.identifier)">
      <a class="skip" href="#cards">Skip to the cards</a>
      \(header(content))
      <div class="columns"><main id="cards" tabindex="-1" aria-label="Cards">\(CardTemplates.main(content))</main>
      \(sidebar(content))</div>
      <div id="status" role="status" aria-live="polite"></div>
      \(keys)</body>
      """, title: title)
  }

  private func header(_ content: PageContent) -> HTML {
    """
    <header class="bar"><div class="brand"><img src="/icon.svg" alt="" width="28" height="28">\
    <h1>\(title)</h1><span id="edited"\(hidden(!state.isEdited)) \
    title="Changes since the last Save. All of them are in the store.">Edited</span></div>
    <form role="search" action="/" class="search"><label class="visually-hidden" for="search">Search</label>\
    <input type="search" id="search" name="search" placeholder="Search" autocomplete="off" \
    value="\(content.query.search)"></form>
    <nav class="tools" aria-label="Document">\
    \(commandButton("undo", "Undo", state.undo, Icons.undo))\(commandButton("redo", "Redo", state.redo, Icons.redo))\
    <button type="button" id="save" class="secondary">Save</button>\
    <a id="study-all" class="button" href="/study">Study all</a></nav></header>
    """
  }

  private func commandButton(_ id: String, _ name: String, _ title: String?, _ icon: HTML) -> HTML {
    """
    <button type="button" id="\(id)" class="icon" aria-label="\(title ?? name)" title="\(title ?? name)"\
    \(title == nil ? " disabled" : "")>\(icon)</button>
    """
  }

  private func hidden(_ isHidden: Bool) -> HTML { isHidden ? " hidden" : "" }

  private func sidebar(_ content: PageContent) -> HTML {
    """
    <aside aria-label="Add"><form id="add-deck" class="panel" novalidate><h2>New deck</h2>\
    <label>Name<input name="name" autocomplete="off" maxlength="100"></label>\
    <button>Add deck</button></form>
    <form id="import" class="panel" novalidate><h2>Import</h2>\
    <p>A CSV file with two columns, front and back. An import cannot be undone.</p>\
    <label>File<input type="file" name="file" accept=".csv,text/csv"></label>\
    <label>Into\(CardTemplates.importDecks(content.decks))</label>\
    <p id="import-status" role="status"></p>\
    <button id="import-start" class="secondary">Import cards</button>\
    <button type="button" id="import-cancel" class="secondary" hidden>Cancel import</button></form>
    <p class="hint">Press <kbd>?</kbd> for all keys.</p></aside>
    """
  }

  private var keys: HTML {
    """
    <dialog id="keys" aria-labelledby="keys-title"><h2 id="keys-title">Keys</h2><dl>\
    <div><dt><kbd>/</kbd></dt><dd>Search</dd></div>\
    <div><dt><kbd>n</kbd></dt><dd>New card</dd></div>\
    <div><dt><kbd>Enter</kbd></dt><dd>Edit the text in focus</dd></div>\
    <div><dt><kbd>Ctrl</kbd> <kbd>Enter</kbd></dt><dd>Keep the text</dd></div>\
    <div><dt><kbd>Esc</kbd></dt><dd>Leave the text as it was</dd></div>\
    <div><dt><kbd>Ctrl</kbd> <kbd>Z</kbd></dt><dd>Undo</dd></div>\
    <div><dt><kbd>Ctrl</kbd> <kbd>Shift</kbd> <kbd>Z</kbd></dt><dd>Redo</dd></div>\
    <div><dt><kbd>?</kbd></dt><dd>These keys</dd></div></dl>\
    <form method="dialog"><button>Close</button></form></dialog>
    """
  }

  func study(_ content: StudyContent) -> HTML {
    layout(StudyTemplate.body(content), title: "\(content.deckName ?? "All decks") – \(title)")
  }

  func message(_ heading: String, _ text: String) -> HTML {
    layout(
      """
      <body data-page="message"><main id="cards"><div class="empty"><h1>\(heading)</h1><p>\(text)</p>\
      <p><a class="button" href="/">Show all cards</a></p></div></main></body>
      """, title: heading)
  }
}
