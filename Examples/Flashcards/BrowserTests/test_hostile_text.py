"""Text that would be markup without escaping."""

from __future__ import annotations

from urllib.parse import quote

from checks import check, check_equal, wait_equal, wait_until
from page import Page, button, editor
from registry import World, test

TEXTS = [
    "<script>window.hacked = 1</script>",
    "<img src=x onerror=\"window.hacked = 1\">",
    "\"'><svg onload=window.hacked=1>",
    "</textarea></li></section><h1>out</h1>",
    "</script><!-- ]]> &amp; &lt;b&gt; \\u003c",
    "🂡 👩‍👩‍👧‍👦 e\u0301 ☃",
    "مرحبا \u202eabc\u202c שלום",
    "${window.hacked = 1} {{hacked}} %3Cscript%3E",
    "data: x event: y id: 1",
]
FOREIGN = """
return all('main script, main img, main iframe').length
  + all('h1').filter(heading => heading.textContent === 'out').length + (window.hacked ?? 0);
"""


def check_harmless(page: Page) -> None:
    check_equal(page.run(FOREIGN), 0, "The number of elements and effects that came from text")


def hostile_deck(page: Page) -> list[tuple[str, str]]:
    return page.texts(TEXTS[0])


@test("Text that looks like markup is shown as text everywhere, in both pages")
def shown_as_text(world: World) -> None:
    first, second = world.open_two()
    first.add_deck(TEXTS[0])
    wait_until("the deck is there", lambda: TEXTS[0] in second.deck_names())
    deck = first.deck(TEXTS[0])
    expected = []
    for text in TEXTS:
        first.add_card(deck, text, text[::-1])
        expected.append((text, text[::-1]))
        wait_equal("the card is there", lambda: len(hostile_deck(first)), len(expected))
    for page in (first, second):
        wait_equal("the cards have exactly these texts", lambda: hostile_deck(page), expected)
        check_harmless(page)
    options = "return all('form#import select[name=deck] option').map(option => option.textContent.trim())"
    check(TEXTS[0] in second.run(options), "the import offers the deck by its name")
    check_equal(world.client.deck(TEXTS[0]).texts(), expected, "The texts in the markup of a new page")
    second.load(world.server.url + "/")
    wait_equal("a new page has exactly these texts", lambda: hostile_deck(second), expected)
    check_harmless(second)


@test("An editor, a conflict and a search show text that looks like markup as text", allows=("409",))
def editors(world: World) -> None:
    deck = world.client.deck("Spanish")
    for text in TEXTS[:5]:
        world.client.add_card(deck.id, text, "back")
    first, second = world.open_two()
    for text in TEXTS[:5]:
        card = first.card(text)
        first.open_editor(card, "front")
        check_equal(first.value(editor(card, "front")), text, "The editor's text")
        first.press("\ue00c")
        wait_equal("the button has the text again", lambda: first.text(button(card, "front")), text)
    card = first.card(TEXTS[1])
    first.open_editor(card, "front")
    first.replace("mine")
    world.client.edit(card.id, "front", TEXTS[3], TEXTS[1])
    first.save_editor()
    wait_until("the conflict has a message", lambda: first.errors_of(editor(card, "front")))
    check_harmless(first)
    second.load(f"{world.server.url}/?search={quote(TEXTS[2])}")
    found = lambda: [card.front for deck in second.decks() for card in deck.cards]
    wait_equal("the search finds the card", found, [TEXTS[2]])
    check_equal(second.value("input#search"), TEXTS[2], "The search field")
    check_harmless(second)
    second.load(f"{world.server.url}/?search={quote(TEXTS[3] + 'x')}")
    wait_until("nothing is found", lambda: second.visible("#empty"))
    check_harmless(second)


@test("The study mode shows text that looks like markup as text")
def study(world: World) -> None:
    world.client.done("/decks", {"name": TEXTS[1]})
    deck = world.client.deck(TEXTS[1])
    world.client.add_card(deck.id, TEXTS[0], TEXTS[3])
    page = world.load(f"/study?deck={deck.id}")
    wait_equal("the question is the front", lambda: page.text("#question"), TEXTS[0])
    page.click("button#show")
    wait_equal("the answer is the back", lambda: page.text("#answer"), TEXTS[3])
    check_harmless(page)


@test("Texts of 2,000 characters are shown in full; longer ones are refused", allows=("422",))
def long_texts(world: World) -> None:
    first, second = world.open_two()
    text = "<" + "x" * 1_998 + ">"
    deck = first.deck("Spanish")
    first.add_card(deck, text, text)
    for page in (first, second):
        wait_equal("the card is there", lambda: page.texts("Spanish")[-1], (text, text))
        check(page.fits_sideways(), "the page does not scroll sideways")
    for field in ("front", "back"):
        fields = {"deck": deck.id, "front": "a", "back": "b", field: "x" * 2_001}
        answer = world.client.post("/cards", fields)
        check_equal((answer.status, answer.json()["field"]), (422, field), "The answer to a text that is too long")
    check_equal(world.client.deck("Spanish").count, 4, "The deck's cards")
