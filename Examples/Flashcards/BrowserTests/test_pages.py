"""The main page, and changes that one page makes and another shows."""

from __future__ import annotations

from checks import check, check_equal, wait_equal, wait_until
from page import Page
from registry import World, test

SAMPLE = [("Spanish", 3), ("Capitals", 3)]


def summary(page: Page) -> list[tuple[str, int, int]]:
    return [(deck.name, deck.count, len(deck.cards)) for deck in page.decks()]


@test("The page of a new document shows the sample, and connects its event stream")
def shows_sample(world: World) -> None:
    page = world.open()
    check_equal(sorted(summary(page)), sorted((name, count, count) for name, count in SAMPLE), "The decks")
    check(not page.visible("#edited"), "a new document is not edited")
    check(not page.visible("#empty"), "the page does not say that it is empty")
    check(not page.visible("#more"), "the page has all cards")
    check(page.visible("a#study-all"), "the page leads to the study mode")


@test("The page that the server renders is the one that the browser shows")
def renders_whole_page(world: World) -> None:
    page = world.open()
    check_equal(page.decks(), list(world.client.decks()), "The decks in the browser, beside those in the markup")


@test("A card added in one page appears in the other, in its deck's section, in order")
def added_card_appears(world: World) -> None:
    first, second = world.open_two()
    deck = first.deck("Spanish")
    first.add_card(deck, "la luna", "the moon")
    wait_until("the new card is in both pages", lambda: all(page.card("la luna") for page in (first, second)))
    form = f'section[data-deck="{deck.id}"] form.add-card'
    wait_equal("the form is empty again", lambda: first.value(f"{form} [name=front]"), "")
    first.add_card(deck, "el sol", "the sun")
    wait_until("the server has both cards", lambda: world.client.deck("Spanish").count == 5)
    rendered = world.client.deck("Spanish")
    for page in (first, second):
        wait_equal("the deck's cards are in the server's order", lambda: page.deck("Spanish"), rendered)
        check_equal(len(page.texts("Capitals")), 3, "The cards of the other deck")
    check_equal(rendered.texts()[-2:], [("la luna", "the moon"), ("el sol", "the sun")], "The last cards")


@test("A deck added, renamed or deleted in one page changes in all pages")
def decks_change(world: World) -> None:
    first, second = world.open_two()
    first.add_deck("Rivers")
    for page in (first, second):
        wait_until("the new deck is there", lambda: "Rivers" in page.deck_names())
    deck = second.deck("Rivers")
    second.add_card(deck, "Danube", "2,850 km")
    wait_until("the new deck has a card", lambda: first.card("Danube"))
    world.client.done(f"/decks/{deck.id}", {"name": "Long rivers"})
    for page in (first, second):
        wait_equal("the renamed deck has its card", lambda: page.texts("Long rivers"), [("Danube", "2,850 km")])
        check("Rivers" not in page.deck_names(), "the old name is gone")
    first.click(f'section[data-deck="{deck.id}"] button.delete-deck')
    for page in (first, second):
        wait_equal("the deck is gone", lambda: sorted(page.deck_names()), ["Capitals", "Spanish"])


@test("An import offers the existing decks")
def import_offers_decks(world: World) -> None:
    first, second = world.open_two()
    offered = "return all('form#import select[name=deck] option').map(option => option.textContent.trim())"
    first.add_deck("Rivers")
    for page in (first, second):
        wait_until("the new deck is offered", lambda: {"Capitals", "Rivers", "Spanish"} <= set(page.run(offered)))
    world.client.done(f"/decks/{world.client.deck('Rivers').id}/delete")
    for page in (first, second):
        wait_until("the deleted deck is not offered", lambda: "Rivers" not in page.run(offered))


@test("A page with more cards than its window shows the rest on request")
def shows_more(world: World) -> None:
    deck = world.client.deck("Spanish")
    for number in range(8):
        world.client.add_card(deck.id, f"word {number}", f"palabra {number}")
    page = world.open("/?limit=5")
    check_equal(sum(len(deck.cards) for deck in page.decks()), 5, "The cards in a window of 5")
    check_equal(sum(deck.count for deck in world.client.decks()), 14, "The cards of the document")
    page.click("#more")
    wait_until("more cards appear", lambda: sum(len(deck.cards) for deck in page.decks()) > 5)


@test("Saving removes the mark of an edited document in all pages")
def saving(world: World) -> None:
    first, second = world.open_two()
    world.client.add_card(world.client.deck("Spanish").id, "la mesa", "the table")
    wait_until("the card is there", lambda: first.card("la mesa"))
    first.click("button#save")
    for page in (first, second):
        wait_until("the document is not edited", lambda: not page.visible("#edited"))
    check(world.client.deck("Spanish").count == 4, "the card is saved")


@test("A page without decks shows a hint")
def empty_document(world: World) -> None:
    page = world.open()
    for deck in world.client.decks():
        world.client.done(f"/decks/{deck.id}/delete")
    wait_equal("all decks are gone", page.deck_names, [])
    wait_until("the page says what to do", lambda: len(page.text("#empty")) > 10)
    page.add_deck("Rivers")
    wait_equal("the new deck is there", page.deck_names, ["Rivers"])
    wait_until("the page is not empty", lambda: not page.visible("#empty"))


@test("A page shows changes that were made before the user comes back to it")
def back(world: World) -> None:
    page = world.open()
    page.click("a#study-all")
    wait_until("the study mode is there", lambda: page.visible("#question"))
    world.client.add_card(world.client.deck("Spanish").id, "la luna", "the moon")
    world.browser.driver.back()
    wait_until("the new card is there", lambda: page.card("la luna"))
    page.wait_connected()
    world.client.add_card(world.client.deck("Spanish").id, "el sol", "the sun")
    wait_until("the next card comes by an event", lambda: page.card("el sol"))


@test("A page requested after an acknowledged change shows it, while other pages are open")
def acknowledged_is_shown(world: World) -> None:
    world.open()
    deck = world.client.deck("Spanish").id
    shown = []
    for number in range(20):
        world.client.add_card(deck, f"added {number}", "card")
        # A page of the same address as the open one, which the server may have ready.
        shown.append(world.client.page().deck("Spanish").texts()[-1][0])
    check_equal(shown, [f"added {number}" for number in range(20)], "The last card of a new page after each addition")
