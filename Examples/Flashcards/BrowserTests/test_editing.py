"""Editing in place, in two pages at once."""

from __future__ import annotations

from checks import check, check_equal, wait_equal, wait_until
from page import Page, button, editor, item
from registry import World, test

MESSAGES = "return shown('[role=alert], [role=status]').map(element => element.textContent.trim()).join('')"


def front(page: Page, position: int = 0) -> str:
    return page.deck("Spanish").cards[position].front


@test("An edit in place in one page appears in the other")
def edit_appears(world: World) -> None:
    first, second = world.open_two()
    card = first.deck("Spanish").cards[1]
    first.edit(card, "back", "changed back")
    for page in (first, second):
        wait_equal("the edited back is there", lambda: page.deck("Spanish").cards[1].back, "changed back")
        check_equal(page.deck("Spanish").cards[1].front, card.front, "The front")
        wait_until("the document is edited", lambda: page.visible("#edited"))


@test("Leaving an editor saves its text")
def leaving_saves(world: World) -> None:
    first, second = world.open_two()
    card = first.deck("Spanish").cards[0]
    first.open_editor(card, "front")
    first.replace("left text")
    first.click("input#search")
    for page in (first, second):
        wait_equal("the text is saved", lambda: front(page), "left text")


@test("Line breaks in a text are kept")
def several_lines(world: World) -> None:
    first, second = world.open_two()
    card = first.deck("Spanish").cards[0]
    first.edit(card, "front", "one\n\n  two & <b>three</b>")
    wait_equal("the text is in the other page", lambda: front(second), "one\n\n  two & <b>three</b>")
    second.open_editor(card, "front")
    check_equal(second.value(editor(card, "front")), "one\n\n  two & <b>three</b>", "The editor's text")


@test("An open editor keeps text, focus and selection while another page edits the other field, and both are saved")
def two_fields(world: World) -> None:
    first, second = world.open_two()
    card = second.deck("Spanish").cards[0]
    second.open_editor(card, "back")
    second.replace("typed here")
    second.run("document.activeElement.setSelectionRange(2, 4)")
    first.edit(card, "front", "edited elsewhere")
    wait_equal("the other field changes", lambda: second.text(button(card, "front")), "edited elsewhere")
    focused = second.focused()
    check_equal((focused["card"], focused["field"], focused["value"]), (card.id, "back", "typed here"), "The editor")
    selection = "return [document.activeElement.selectionStart, document.activeElement.selectionEnd]"
    check_equal(second.run(selection), [2, 4], "The selection")
    second.save_editor()
    for page in (first, second):
        expected = ("edited elsewhere", "typed here")
        wait_equal("both edits are there", lambda: page.deck("Spanish").texts()[0], expected)


@test("The second of two concurrent edits of a field shows the other text, keeps its own, and can be saved", allows=("409",))
def same_field(world: World) -> None:
    first, second = world.open_two()
    card = second.deck("Spanish").cards[0]
    field = editor(card, "front")
    second.open_editor(card, "front")
    second.replace("second text")
    first.edit(card, "front", "first text")
    wait_equal("the server has the first text", lambda: world.client.deck("Spanish").cards[0].front, "first text")
    check_equal(second.value(field), "second text", "The open editor")
    second.save_editor()
    errors = wait_until("the editor shows a message", lambda: second.errors_of(field))
    check("first text" in second.text(item(card)), "the card shows the other text")
    check_equal(errors[0]["role"], "alert", "The role of the message")
    check_equal(second.value(field), "second text", "The editor after the conflict")
    check_equal(world.client.deck("Spanish").cards[0].front, "first text", "The server's text after the conflict")
    second.save_editor()
    for page in (first, second):
        wait_equal("the second text is saved", lambda: front(page), "second text")
    wait_until("the editor closes", lambda: not second.visible(field))


@test("An editor opened without a change saves nothing")
def unchanged(world: World) -> None:
    page = world.open()
    card = page.deck("Spanish").cards[0]
    page.open_editor(card, "front")
    page.save_editor()
    wait_until("the editor closes", lambda: not page.visible(editor(card, "front")))
    check(not page.enabled("button#undo"), "there is nothing to undo")
    check(not page.visible("#edited"), "the document is not edited")


@test("Opening one editor after another keeps both texts")
def editor_after_editor(world: World) -> None:
    first, second = world.open_two()
    one, two = first.deck("Spanish").cards[:2]
    first.open_editor(one, "front")
    first.replace("text one")
    first.open_editor(two, "front")
    first.replace("text two")
    first.save_editor()
    wait_equal("both texts are saved", lambda: [front(second, 0), front(second, 1)], ["text one", "text two"])


@test("An empty text gets an error beside its field; the error disappears when the text is accepted", allows=("422",))
def empty_text(world: World) -> None:
    page = world.open()
    deck = page.deck("Spanish")
    form = f'section[data-deck="{deck.id}"] form.add-card'
    page.fill(f"{form} [name=back]", "only a back")
    page.submit(form)
    errors = wait_until("the front has an error", lambda: page.errors_of(f"{form} [name=front]"))
    check(len(errors) == 1 and errors[0]["role"] == "alert" and errors[0]["text"], "one error with the role alert")
    check_equal(page.value(f"{form} [name=back]"), "only a back", "The typed back")
    check_equal(page.errors_of(f"{form} [name=back]"), [], "The errors of the back")
    page.fill(f"{form} [name=front]", "now a front")
    page.submit(form)
    wait_until("the card is added", lambda: page.card("now a front"))
    wait_equal("the error is gone", lambda: page.errors_of(f"{form} [name=front]"), [])


@test("An editor with an empty text stays open with an error", allows=("422",))
def empty_editor(world: World) -> None:
    page = world.open()
    card = page.deck("Spanish").cards[0]
    for text in ("", "  \n "):
        page.open_editor(card, "front")
        page.replace(text)
        page.save_editor()
        wait_until("the editor has an error", lambda: page.errors_of(editor(card, "front")))
        check_equal(page.value(editor(card, "front")), text, "The editor's text")
        page.press("\ue00c")
        wait_equal("Escape brings the text back", lambda: front(page), card.front)
    check_equal(world.client.deck("Spanish").count, 3, "The deck's cards")


@test("A deck name that is empty, taken or too long gets an error beside its field", allows=("422",))
def deck_names(world: World) -> None:
    page = world.open()
    field = "form#add-deck input[name=name]"
    for name in ("Spanish", "", "x" * 101):
        page.run("one(arguments[0]).removeAttribute('maxlength')", field)
        page.add_deck(name)
        errors = wait_until("the name has an error", lambda: page.errors_of(field))
        check_equal(errors[0]["role"], "alert", "The role of the error")
        check_equal(page.value(field), name, "The typed name")
        check_equal(len(world.client.decks()), 2, "The number of decks")
    page.add_deck("Rivers")
    wait_until("the deck is added", lambda: "Rivers" in page.deck_names())
    wait_equal("the error is gone", lambda: page.errors_of(field), [])


@test("An editor of a card that another page deletes keeps the typed text or shows a message", allows=("404",))
def deleted_elsewhere(world: World) -> None:
    first, second = world.open_two()
    card = second.deck("Spanish").cards[1]
    second.open_editor(card, "front")
    second.replace("typed for nothing")
    first.click(f"{item(card)} button.delete-card")
    wait_until("the card is gone", lambda: first.deck("Spanish").count == 2)
    wait_until("the second page knows of it", lambda: second.deck("Spanish").count == 2)
    if second.visible(editor(card, "front")):
        check_equal(second.value(editor(card, "front")), "typed for nothing", "The editor's text")
        second.save_editor()
    wait_until("the page says what happened", lambda: second.run(MESSAGES))
    check_equal(world.client.deck("Spanish").count, 2, "The deck's cards")
