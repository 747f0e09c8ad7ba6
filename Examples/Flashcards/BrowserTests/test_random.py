"""Random changes, after which every page shows what a new page shows."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from checks import check, wait_equal
from client import Client
from markup import Deck
from registry import World, test

CHANGES = 250
WORDS = ["alpha", "beta", "gamma", "delta"]
QUERIES: list[dict[str, Any]] = [{"limit": 100}, {"search": "beta", "limit": 100}, {"limit": 7}]


def differences(shown: list[Deck], rendered: list[Deck]) -> list[str]:
    """The differences between a page and a new one."""
    if [deck.id for deck in shown] != [deck.id for deck in rendered]:
        return [f"decks {[deck.name for deck in shown]} instead of {[deck.name for deck in rendered]}"]
    return [f"{deck} instead of {new}" for deck, new in zip(shown, rendered) if deck != new]


class RandomChanges:
    """Sends changes that another page could send. Refused changes count, too."""

    def __init__(self, client: Client, seed: int) -> None:
        self.client = client
        self.random = random.Random(seed)
        self.number = 0
        self.done = 0

    def text(self) -> str:
        self.number += 1
        return f"{self.random.choice(WORDS)} {self.random.choice(WORDS)} {self.number}"

    def send(self) -> None:
        decks = self.client.decks()
        cards = [card for deck in decks for card in deck.cards]
        changes: list[tuple[int, Callable[[], tuple[str, dict[str, str]]]]] = [(1, self.new_deck), (4, self.step_back)]
        if decks:
            deck = self.random.choice(decks).id
            changes += [(8, lambda: ("/cards", {"deck": deck, "front": self.text(), "back": self.text()}))]
            changes += [(1, lambda: (f"/decks/{deck}", {"name": self.text()}))]
        if len(decks) > 3:
            changes += [(1, lambda: (f"/decks/{deck}/delete", {}))]
        if cards:
            card = self.random.choice(cards)
            changes += [(6, lambda: (f"/cards/{card.id}", {"front": self.text(), "base": card.front}))]
            changes += [(4, lambda: (f"/cards/{card.id}/delete", {}))]
        weights, choices = zip(*changes)
        path, fields = self.random.choices(choices, weights)[0]()
        self.done += self.client.post(path, fields).status == 204

    def new_deck(self) -> tuple[str, dict[str, str]]:
        return "/decks", {"name": self.text()}

    def step_back(self) -> tuple[str, dict[str, str]]:
        return self.random.choice(["/undo", "/undo", "/redo"]), {}


@test("After random changes, undo and redo every page shows what a new page shows: all cards, a search, a window")
def random_changes(world: World) -> None:
    pages = []
    for query in QUERIES:
        pages.append(world.open("/?" + "&".join(f"{name}={value}" for name, value in query.items())))
    changes = RandomChanges(world.client, 20_261_121)
    for part in range(5):
        for _ in range(CHANGES // 5):
            changes.send()
        for page, query in zip(pages, QUERIES):
            subject = f"the page with {query} after {(part + 1) * CHANGES // 5} changes"
            wait_equal(subject, lambda: differences(page.decks(), list(world.client.page(**query).decks)), [])
    check(changes.done > CHANGES // 2, f"most changes are taken ({changes.done} of {CHANGES})")
