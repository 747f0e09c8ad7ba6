"""Reads decks and cards from the page that the server renders, without a browser."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass(frozen=True)
class Card:
    id: str
    front: str
    back: str


@dataclass(frozen=True)
class Deck:
    id: str
    name: str
    count: int
    cards: tuple[Card, ...] = ()

    def texts(self) -> list[tuple[str, str]]:
        return [(card.front, card.back) for card in self.cards]


@dataclass
class _OpenDeck:
    id: str
    name: str = ""
    count: str = ""
    cards: list[Card] = field(default_factory=list)


def number(text: str) -> int:
    """The number in a text such as "20,000 cards"; -1 without one."""
    digits = "".join(character for character in text if character.isdigit())
    return int(digits) if digits else -1


class _PageParser(HTMLParser):
    """Collects text by what encloses it: the heading of a deck, its count, a field of a card."""

    VOID = {"meta", "link", "input", "br", "img", "hr"}

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.decks: list[_OpenDeck] = []
        self.token = ""
        self.card: dict[str, str] = {}
        self.stack: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        classes = values.get("class", "").split()
        if tag == "meta" and values.get("name") == "page-token":
            self.token = values.get("content", "")
        if tag in self.VOID:
            return
        self.stack.append((tag, self._role(tag, values, classes)))

    def _role(self, tag: str, values: dict[str, str], classes: list[str]) -> str:
        if tag == "section" and "data-deck" in values:
            self.decks.append(_OpenDeck(values["data-deck"]))
            return "deck"
        if tag == "li" and "data-card" in values:
            self.card = {"id": values["data-card"], "front": "", "back": ""}
            return "card"
        if tag == "button" and "text" in classes and "data-field" in values:
            return values["data-field"]
        if "count" in classes:
            return "count"
        is_in_deck = any(role == "deck" for _, role in self.stack)
        return "name" if tag == "h2" and is_in_deck else ""

    def handle_endtag(self, tag: str) -> None:
        while self.stack:
            open_tag, role = self.stack.pop()
            if role == "card" and self.decks:
                self.decks[-1].cards.append(Card(self.card["id"], self.card["front"], self.card["back"]))
            if open_tag == tag:
                return

    def handle_data(self, data: str) -> None:
        role = next((role for _, role in reversed(self.stack) if role), "")
        if role in ("front", "back"):
            self.card[role] += data
        elif role == "name" and self.decks:
            self.decks[-1].name += data
        elif role == "count" and self.decks:
            self.decks[-1].count += data


@dataclass(frozen=True)
class Markup:
    token: str
    decks: tuple[Deck, ...]

    def deck(self, name: str) -> Deck:
        return next(deck for deck in self.decks if deck.name == name)

    def cards(self) -> list[Card]:
        return [card for deck in self.decks for card in deck.cards]


def read_markup(html: str) -> Markup:
    parser = _PageParser()
    parser.feed(html)
    parser.close()
    decks = (Deck(deck.id, deck.name.strip(), number(deck.count), tuple(deck.cards)) for deck in parser.decks)
    return Markup(parser.token, tuple(decks))
