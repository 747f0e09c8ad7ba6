"""The end of a server while pages are open, and its next start."""

from __future__ import annotations

import time

from checks import check, check_equal, wait_equal, wait_until
from client import open_stream
from registry import World, test

OFFLINE = ("ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE")
STREAMS = 20


@test("After a kill and a restart pages reconnect by themselves, and show all acknowledged changes", allows=OFFLINE)
def killed(world: World) -> None:
    first, second = world.open_two()
    deck = first.deck("Spanish")
    card = deck.cards[0]
    first.edit(card, "front", "edited before")
    for number in range(20):
        world.client.add_card(deck.id, f"added {number}", "before the kill")
    world.server.kill()
    for page in (first, second):
        wait_equal("the page knows that it is not connected", page.connected, "false")
    world.server.start(world.server.port)
    world.client.add_card(deck.id, "after", "the restart")
    expected = [f"added {number}" for number in range(20)] + ["after"]
    for page in (first, second):
        page.wait_connected(10)
        fronts = lambda: [front for front, _ in page.texts("Spanish")[3:]]
        wait_equal("everything acknowledged is there", fronts, expected)
        check_equal(page.deck("Spanish").cards[0].front, "edited before", "The edited card")
    first.edit(first.card("after"), "back", "edited after the restart")
    wait_equal("an edit needs no new page", lambda: second.card("after").back, "edited after the restart")


@test("An open editor keeps its text while the server restarts, and can save it", allows=OFFLINE)
def editor_survives(world: World) -> None:
    page = world.open()
    card = page.deck("Spanish").cards[0]
    page.open_editor(card, "front")
    page.replace("typed before")
    world.server.kill()
    wait_equal("the page knows that it is not connected", page.connected, "false")
    world.server.start(world.server.port)
    page.wait_connected(10)
    check_equal(page.focused()["value"], "typed before", "The editor's text")
    page.save_editor()
    wait_equal("the text is saved", lambda: world.client.deck("Spanish").cards[0].front, "typed before")


@test("SIGTERM with open streams ends the server within two seconds, without -wal and -shm files", allows=OFFLINE)
def stopped(world: World) -> None:
    page = world.open()
    deck = page.deck("Spanish")
    page.add_card(deck, "added", "before the end")
    wait_until("the card is there", lambda: page.card("added"))
    streams = [open_stream(world.server) for _ in range(STREAMS)]
    start = time.monotonic()
    check_equal(world.server.stop(2.0), 0, "The exit status")
    seconds = time.monotonic() - start
    check(seconds < 2, f"the server ends within 2 s (it took {seconds:.1f} s)")
    for stream in streams:
        stream.close()
    files = sorted(file.name for file in world.server.document.rglob("*") if file.is_file())
    check(files, "the document has files")
    check(not [name for name in files if name.endswith(("-wal", "-shm"))], f"no -wal or -shm file is left: {files}")
    check_equal(len(world.server.printed().splitlines()), 1, "The number of lines on standard output")
    world.server.start(world.server.port)
    page.wait_connected(10)
    added = ("added", "before the end")
    check_equal(world.client.deck("Spanish").texts()[-1], added, "The added card after the restart")
    check_equal(page.texts("Spanish")[-1], added, "The added card in the page")
