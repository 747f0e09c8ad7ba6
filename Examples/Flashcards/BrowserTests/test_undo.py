"""Deletion, undo and redo, by buttons and by keys."""

from __future__ import annotations

from checks import check_equal, wait_equal, wait_until
from page import Page, item
from registry import World, test

BUTTONS = ("button#undo", "button#redo")


def wait_buttons(pages: tuple[Page, ...], undo: bool, redo: bool) -> None:
    for page in pages:
        enabled = lambda: [page.enabled(selector) for selector in BUTTONS]
        wait_equal("the undo and redo buttons are enabled", enabled, [undo, redo])


def wait_deck(pages: tuple[Page, ...], name: str, texts: list[tuple[str, str]]) -> None:
    for page in pages:
        wait_equal(f"the cards of {name} in both pages", lambda: page.texts(name), texts)
        check_equal(page.deck(name).count, len(texts), f"The count of {name}")


@test("Undo restores a deleted card and redo deletes it, by buttons and by keys, in both pages")
def delete_undo_redo(world: World) -> None:
    first, second = pages = world.open_two()
    before = first.texts("Spanish")
    after = [before[0], before[2]]
    wait_buttons(pages, undo=False, redo=False)
    first.click(f"{item(first.deck('Spanish').cards[1])} button.delete-card")
    wait_deck(pages, "Spanish", after)
    wait_buttons(pages, undo=True, redo=False)
    second.click("button#undo")
    wait_deck(pages, "Spanish", before)
    wait_buttons(pages, undo=False, redo=True)
    first.click("button#redo")
    wait_deck(pages, "Spanish", after)
    leave_fields(second)
    second.press("z", ctrl=True)
    wait_deck(pages, "Spanish", before)
    wait_buttons(pages, undo=False, redo=True)
    second.press("z", ctrl=True, shift=True)
    wait_deck(pages, "Spanish", after)
    wait_buttons(pages, undo=True, redo=False)


def leave_fields(page: Page) -> None:
    page.run("document.activeElement.blur()")


@test("Undo restores a deleted deck with its cards")
def deleted_deck(world: World) -> None:
    first, second = pages = world.open_two()
    before = first.texts("Capitals")
    names = first.deck_names()
    first.click(f'section[data-deck="{first.deck("Capitals").id}"] button.delete-deck')
    for page in pages:
        wait_equal("the deck is gone", page.deck_names, ["Spanish"])
    second.click("button#undo")
    for page in pages:
        wait_equal("the deck is at its place", page.deck_names, names)
    wait_deck(pages, "Capitals", before)


@test("Undo reverts edits, additions and deletions one by one, and redo repeats them")
def sequence(world: World) -> None:
    first, second = pages = world.open_two()
    states = [first.texts("Spanish")]
    card = first.deck("Spanish").cards[0]
    first.edit(card, "front", "edited")
    wait_until("the edit is there", lambda: second.texts("Spanish") != states[-1])
    states.append(second.texts("Spanish"))
    second.add_card(second.deck("Spanish"), "added", "card")
    wait_until("the card is there", lambda: first.deck("Spanish").count == 4)
    states.append(first.texts("Spanish"))
    first.click(f"{item(card)} button.delete-card")
    wait_until("the card is gone", lambda: second.deck("Spanish").count == 3)
    states.append(second.texts("Spanish"))
    for page, state in zip((second, first, second), reversed(states[:-1])):
        page.click("button#undo")
        wait_deck(pages, "Spanish", state)
    wait_buttons(pages, undo=False, redo=True)
    for page, state in zip((first, second, first), states[1:]):
        page.click("button#redo")
        wait_deck(pages, "Spanish", state)
    wait_buttons(pages, undo=True, redo=False)


@test("A new change after undo clears the redo stack")
def change_after_undo(world: World) -> None:
    first, second = pages = world.open_two()
    first.add_card(first.deck("Spanish"), "added", "card")
    wait_buttons(pages, undo=True, redo=False)
    first.click("button#undo")
    wait_buttons(pages, undo=False, redo=True)
    second.add_card(second.deck("Spanish"), "another", "card")
    wait_buttons(pages, undo=True, redo=False)


@test("The undo key in a field undoes typing in the field")
def undo_in_field(world: World) -> None:
    page = world.open()
    page.add_card(page.deck("Spanish"), "added", "card")
    wait_until("the card is there", lambda: page.card("added"))
    page.click("input#search")
    page.press("a")
    page.press("z", ctrl=True)
    wait_equal("the field's text is undone", lambda: page.value("input#search"), "")
    check_equal(world.client.deck("Spanish").count, 4, "The deck's cards")
