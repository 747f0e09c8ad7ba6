"""Search while typing, with changes by other pages."""

from __future__ import annotations

from urllib.parse import quote, quote_plus

from checks import check_equal, wait_equal, wait_until
from markup import read_markup
from page import Page
from registry import World, test


def fronts(page: Page) -> set[str]:
    return {card.front for deck in page.decks() for card in deck.cards}


def add_words(world: World, *words: str) -> None:
    deck = world.client.deck("Spanish")
    for word in words:
        world.client.add_card(deck.id, word, "meaning of it")


def search(page: Page, text: str) -> None:
    page.click("input#search")
    for character in text:
        page.press(character)


@test("Search shows matching cards during typing, and all cards when it is cleared")
def filters(world: World) -> None:
    add_words(world, "zorro", "zorzal", "tortuga")
    page = world.open()
    every = fronts(page)
    search(page, "zor")
    wait_equal("only matching cards are there", lambda: fronts(page), {"zorro", "zorzal"})
    page.press("r")
    wait_equal("fewer cards match", lambda: fronts(page), {"zorro"})
    check_equal(page.focused()["id"], "search", "The focus")
    check_equal(page.value("input#search"), "zorr", "The typed text")
    page.replace("")
    wait_equal("all cards are back", lambda: fronts(page), every)


@test("A search adds a matching card of another page, and removes a card that stops matching")
def changes_elsewhere(world: World) -> None:
    add_words(world, "zorro")
    first, second = world.open_two()
    search(first, "zor")
    wait_equal("one card matches", lambda: fronts(first), {"zorro"})
    second.add_card(second.deck("Spanish"), "tortuga", "turtle")
    second.add_card(second.deck("Spanish"), "zorzal", "thrush")
    wait_equal("the new matching card appears", lambda: fronts(first), {"zorro", "zorzal"})
    second.edit(second.card("zorro"), "front", "perro")
    wait_equal("the card that does not match leaves", lambda: fronts(first), {"zorzal"})
    second.edit(second.card("tortuga"), "back", "zoric turtle")
    wait_equal("the card that matches now appears", lambda: fronts(first), {"zorzal", "tortuga"})
    check_equal(first.value("input#search"), "zor", "The search text")
    wait_until("the other page shows all", lambda: {"perro", "zorzal", "tortuga"} <= fronts(second))


@test("A search without results shows a message")
def nothing_found(world: World) -> None:
    page = world.open()
    search(page, "qqqq")
    wait_equal("no card matches", lambda: fronts(page), set())
    wait_until("the page says what to do", lambda: len(page.text("#empty")) > 5)
    page.replace("")
    wait_until("the cards are back", lambda: len(fronts(page)) == 6)
    wait_until("the page is not empty", lambda: not page.visible("#empty"))


@test("A page opened with a search in its address shows that search")
def search_in_address(world: World) -> None:
    add_words(world, "zorro")
    page = world.open("/?search=zorr")
    check_equal(fronts(page), {"zorro"}, "The cards")
    check_equal(page.value("input#search"), "zorr", "The search field")
    add_words(world, "zorrillo", "tortuga")
    wait_equal("the new matching card appears", lambda: fronts(page), {"zorro", "zorrillo"})


@test("A search finds several words, and characters with a meaning in URLs")
def signs(world: World) -> None:
    texts = ["uno dos", "uno+dos", "50% & más", "a#b?c=d"]
    add_words(world, *texts)
    page = world.open()
    for text in texts:
        page.click("input#search")
        page.replace(text)
        wait_equal(f"only the card {text} is there", lambda: fronts(page), {text})
        for path in (f"/?search={quote(text)}", f"/?search={quote_plus(text)}"):
            found = [card.front for card in read_markup(world.client.get(path).body).cards()]
            check_equal(found, [text], f"The cards of {path}")
        page.replace("")
        wait_until("all cards are back", lambda: len(fronts(page)) == 10)
