"""Two processes with one document."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from checks import check_equal, wait_equal, wait_until
from client import Client
from registry import World, test
from server import Server


@contextmanager
def second_server(world: World) -> Iterator[Server]:
    """Another process that shows the document of the test's server."""
    folder = world.folder / "second"
    folder.mkdir()
    server = Server(world.binary, folder)
    server.document = world.server.document
    server.start()
    try:
        yield server
    finally:
        server.close()


@test("Pages show the changes that another process makes to the document")
def other_process(world: World) -> None:
    first, second = world.open_two()
    with second_server(world) as server:
        other = Client(server)
        deck = other.deck("Spanish")
        other.add_card(deck.id, "from", "another process")
        other.edit(deck.cards[0].id, "back", "edited by another process", deck.cards[0].back)
        other.done(f"/cards/{deck.cards[1].id}/delete")
        expected = [(deck.cards[0].front, "edited by another process"), deck.texts()[2], ("from", "another process")]
        for page in (first, second):
            wait_equal("the pages show the changes", lambda: page.texts("Spanish"), expected)
        first.edit(first.card("from"), "back", "edited in a page")
        edited = ("from", "edited in a page")
        wait_equal("the other process has the edit", lambda: other.deck("Spanish").texts()[-1], edited)
        check_equal(server.stop(2.0), 0, "The exit status of the other process")
    first.add_card(first.deck("Spanish"), "after", "the other's end")
    wait_until("the first process goes on", lambda: second.card("after"))
