"""Import of many cards, and the pages meanwhile."""

from __future__ import annotations

import time
from pathlib import Path

from checks import check, check_equal, wait_equal, wait_until
from markup import number
from page import Page
from registry import World, test

CARDS = 20_000
NOT_TABLES = {
    "unclosed.csv": b'"never closed,text\n',
    "empty.csv": b"",
    "binary.csv": b"\xff\xfe\x00,\x80\n",
}
RECORD_STATUS = """
const status = one('#import-status');
window.statuses = [];
new MutationObserver(() => window.statuses.push(status.textContent.trim()))
  .observe(status, {childList: true, characterData: true, subtree: true});
"""


def csv_file(folder: Path, cards: int) -> Path:
    file = folder / f"{cards}.csv"
    file.write_text("".join(f'front {number},"back, {number}"\n' for number in range(cards)))
    return file


def start_import(page: Page, file: Path, deck: str) -> None:
    page.run(RECORD_STATUS)
    page.find("form#import input[type=file]").send_keys(str(file))
    choose = "one('form#import select[name=deck]').value = arguments[0]"
    page.run(choose, page.deck(deck).id)
    page.submit("form#import")


def statuses(page: Page) -> list[str]:
    return page.run("return window.statuses")


def seconds_until_seen(editing: Page, seeing: Page, text: str) -> float:
    """Edits a card in one page, and returns how long the other takes to show it."""
    card = editing.decks()[0].cards[0]
    editing.open_editor(card, "front")
    editing.replace(text)
    start = time.monotonic()
    editing.save_editor()
    wait_until("the edit is in the other page", lambda: seeing.decks()[0].cards[0].front == text)
    return time.monotonic() - start


@test("An import of 20,000 cards shows its progress, pages respond meanwhile, and all cards are imported at the end")
def imports(world: World) -> None:
    file = csv_file(world.folder, CARDS)
    first, second = world.open_two()
    # The cards of the first deck stay in the window.
    deck = first.decks()[-1].name
    start_import(first, file, deck)
    wait_until("the import shows progress", lambda: any("of 20,000" in status for status in statuses(first)), 10)
    times = []
    while not times or (len(times) < 20 and "imported" not in first.text("#import-status")):
        times.append(seconds_until_seen(second, first, f"edit {len(times)}"))
    check(max(times) < 1, f"each edit appears within a second during the import (slowest: {max(times):.2f} s)")
    wait_equal("the import ends", lambda: first.text("#import-status"), "20,000 cards imported", 60)
    for page in (first, second):
        wait_equal("the deck has all cards", lambda: page.deck(deck).count, CARDS + 3)
        check(page.visible("#more"), "the page has more cards than its window")
    steps = [number(status.split(" of ")[0]) for status in statuses(first) if " of " in status]
    check(len(set(steps)) >= 3 and steps == sorted(steps), f"the progress grows step by step: {steps}")
    last = world.client.page(search="front 19999").deck(deck)
    check_equal(last.texts(), [("front 19999", "back, 19999")], "The last card")


@test("A cancelled import leaves no cards")
def cancelled(world: World) -> None:
    file = csv_file(world.folder, CARDS)
    first, second = world.open_two()
    before = world.client.deck("Spanish")
    start_import(first, file, "Spanish")
    wait_until("the import shows progress", lambda: first.text("#import-status").startswith("Importing"), 10)
    first.click("button#import-cancel")
    wait_equal("the page says that it is cancelled", lambda: first.text("#import-status"), "Import cancelled", 10)
    check_equal(world.client.deck("Spanish"), before, "The deck")
    for page in (first, second):
        wait_equal("the pages show the deck as before", lambda: page.deck("Spanish"), before)
    check(not first.visible("button#import-cancel"), "there is nothing to cancel")


@test("An imported text keeps its quotes, commas and line breaks")
def quoted(world: World) -> None:
    file = world.folder / "quoted.csv"
    file.write_text('"say ""hola"", please","two\nlines"\nplain,<b>text</b>\n')
    page = world.open()
    start_import(page, file, "Spanish")
    expected = [('say "hola", please', "two\nlines"), ("plain", "<b>text</b>")]
    wait_equal("both cards are there", lambda: page.texts("Spanish")[3:], expected)


@test("A file that is not a table of cards gets a message, and changes nothing", allows=("422",))
def not_a_table(world: World) -> None:
    page = world.open()
    before = world.client.decks()
    for name, content in NOT_TABLES.items():
        file = world.folder / name
        file.write_bytes(content)
        start_import(page, file, "Spanish")
        field = "form#import input[type=file]"
        wait_until(f"the file {name} gets a message", lambda: page.errors_of(field))
        check_equal(world.client.decks(), before, "The decks")
        page.load(world.server.url)
        page.wait_connected()


@test("An invalid card stops an import before it begins", allows=("422",))
def card_not_taken(world: World) -> None:
    before = world.client.decks()
    deck = world.client.deck("Spanish").id
    for line in ("only one column", ",no front", "x" * 2_001 + ",too long"):
        answer = world.client.import_cards(deck, f"good,card\n{line}\n".encode())
        check_equal(answer.status, 422, f"The answer to an import with the line {line[:30]}")
        check(answer.json()["message"], "the answer has a message")
    check_equal(world.client.decks(), before, "The decks")
