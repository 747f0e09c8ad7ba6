"""The main page and the study mode without a mouse."""

from __future__ import annotations

from typing import Any

from selenium.webdriver.common.keys import Keys

from checks import check, check_equal, wait_equal, wait_until
from page import Page, editor, item
from registry import World, test


def place(page: Page) -> tuple[str, str]:
    focused = page.focused()
    return focused["card"], focused["field"]


def tab_to(page: Page, is_there: Any, presses: int = 60) -> None:
    for _ in range(presses):
        if is_there(page.focused()):
            return
        page.press(Keys.TAB)
    check(False, f"the Tab key reaches it within {presses} presses")


@test("Keys focus the search and the first form for a card, and open the list of keys, without typing there")
def keys(world: World) -> None:
    page = world.open()
    page.press("/")
    wait_equal("the search has the focus", lambda: page.focused()["id"], "search")
    check_equal(page.value("input#search"), "", "The search text")
    page.press("n")
    wait_equal("in a field a key is text", lambda: page.value("input#search"), "n")
    page.replace("")
    wait_until("all cards are there", lambda: len(page.decks()) == 2)
    page.run("document.activeElement.blur()")
    page.press("n")
    form = f'section[data-deck="{page.decks()[0].id}"] form.add-card'
    wait_until("the first form for a card has the focus", lambda: page.has_focus(f"{form} [name=front]"))
    check_equal(page.focused()["value"], "", "The field's text")
    page.run("document.activeElement.blur()")
    page.press("?")
    wait_until("the list of keys is open", lambda: page.visible("dialog#keys"))
    page.press(Keys.ESCAPE)
    wait_until("the list of keys is closed", lambda: not page.visible("dialog#keys"))


@test("A card is edited by Tab, Enter, Escape and Ctrl+Enter, and the focus returns to its text")
def edit_by_keys(world: World) -> None:
    page = world.open()
    card = page.decks()[0].cards[0]
    page.press("n")
    tab_to(page, lambda focused: focused["card"] == card.id and focused["field"] == "front")
    page.press(Keys.ENTER)
    wait_until("the editor is open", lambda: page.focused()["tag"] == "textarea")
    page.replace("not to be saved")
    page.press(Keys.ESCAPE)
    wait_until("the editor is closed", lambda: not page.visible(editor(card, "front")))
    check_equal(page.decks()[0].cards[0], card, "The card after Escape")
    wait_equal("the text has the focus again", lambda: place(page), (card.id, "front"))
    page.press(Keys.ENTER)
    wait_until("the editor is open", lambda: page.focused()["tag"] == "textarea")
    page.replace("saved by keys")
    page.press(Keys.ENTER, ctrl=True)
    wait_equal("the text is saved", lambda: page.decks()[0].cards[0].front, "saved by keys")
    wait_equal("the text has the focus", lambda: (page.focused()["tag"], *place(page)), ("button", card.id, "front"))
    check_equal(world.client.deck("Capitals").count, 3, "The other deck's cards")


@test("The focus stays when another page makes changes")
def focus_stays(world: World) -> None:
    first, second = world.open_two()
    card, other = first.deck("Spanish").cards[:2]
    first.press("n")
    tab_to(first, lambda focused: focused["card"] == card.id and focused["field"] == "back")
    changes = [(other, "front", "other card"), (card, "front", "same card"), (card, "back", "same field")]
    for changed, field, text in changes:
        second.edit(changed, field, text)
        wait_until("the change is there", lambda: text in str(first.texts("Spanish")))
        check_equal(place(first), (card.id, "back"), f"The focus after a change of the {text}")
    second.add_card(second.deck("Spanish"), "new", "card")
    wait_until("the new card is there", lambda: first.card("new"))
    check_equal(place(first), (card.id, "back"), "The focus after an addition")


@test("Text typed into a form stays when another page makes changes")
def form_stays(world: World) -> None:
    first, second = world.open_two()
    first.press("n")
    first.insert("half a ca")
    deck = first.decks()[0]
    second.add_card(deck, "new", "card")
    second.add_deck("Rivers")
    wait_until("the changes are there", lambda: first.card("new") and "Rivers" in first.deck_names())
    focused = first.focused()
    check_equal((focused["deck"], focused["name"], focused["value"]), (deck.id, "front", "half a ca"), "The field")


@test("Deleting a card by keyboard leaves the focus near it")
def focus_after_deletion(world: World) -> None:
    page = world.open()
    card = page.deck("Spanish").cards[1]
    page.press("n")
    tab_to(page, lambda focused: focused["card"] == card.id and "delete-card" in focused["classes"])
    page.press(Keys.ENTER)
    wait_until("the card is gone", lambda: not page.visible(item(card)))
    wait_equal("the focus is in the same deck", lambda: page.focused()["deck"], page.deck("Spanish").id)


@test("Several cards are added by keyboard, one after another")
def add_by_keys(world: World) -> None:
    page = world.open()
    page.press("n")
    for front in ("one", "two"):
        page.insert(front)
        page.press(Keys.TAB)
        page.insert(f"back of {front}")
        page.press(Keys.TAB)
        check_equal(page.focused()["tag"], "button", "The element after the back")
        page.press(Keys.ENTER)
        wait_until("the card is there", lambda: page.card(front))
        wait_equal("the front has the focus", lambda: (page.focused()["name"], page.focused()["value"]), ("front", ""))
    expected = [("one", "back of one"), ("two", "back of two")]
    check_equal(page.decks()[0].texts()[-2:], expected, "The last cards of the first deck")
