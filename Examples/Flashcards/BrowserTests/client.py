"""Requests without a browser, as another program sends them."""

from __future__ import annotations

import http.client
import json
import socket
from dataclasses import dataclass
from urllib.parse import urlencode

from checks import check_equal
from markup import Deck, Markup, read_markup
from server import Server

FORM = "application/x-www-form-urlencoded"
SECONDS = 20.0


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: str

    def json(self) -> dict[str, str]:
        return json.loads(self.body)


class Client:
    """Sends requests with the token of the page, each over its own connection."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self._token = ""
        self._start = 0

    @property
    def token(self) -> str:
        """The token of a page that the running process rendered."""
        if self._start != self.server.starts:
            self._token = self.page(limit=1).token
            self._start = self.server.starts
        return self._token

    def request(self, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=SECONDS)
        try:
            connection.request(method, path, body or None, headers or {})
            response = connection.getresponse()
            text = response.read().decode()
            return Answer(response.status, {name.lower(): value for name, value in response.getheaders()}, text)
        finally:
            connection.close()

    def get(self, path: str, headers: dict[str, str] | None = None) -> Answer:
        return self.request("GET", path, headers=headers)

    def page(self, **query: object) -> Markup:
        return read_markup(self.get("/?" + urlencode(query)).body)

    def decks(self) -> tuple[Deck, ...]:
        """All decks with all cards."""
        return self.page(limit=1_000_000).decks

    def deck(self, name: str) -> Deck:
        return self.page(limit=1_000_000).deck(name)

    def post(self, path: str, fields: dict[str, str] | None = None) -> Answer:
        headers = {"Content-Type": FORM, "X-Page-Token": self.token}
        return self.request("POST", path, urlencode(fields or {}).encode(), headers)

    def import_cards(self, deck: str, csv: bytes) -> Answer:
        headers = {"Content-Type": "text/csv", "X-Page-Token": self.token}
        return self.request("POST", "/import?" + urlencode({"deck": deck}), csv, headers)

    def done(self, path: str, fields: dict[str, str] | None = None) -> None:
        """Sends a change that the server must accept."""
        answer = self.post(path, fields)
        check_equal((answer.status, answer.body), (204, ""), f"The answer to POST {path}")

    def add_card(self, deck: str, front: str, back: str) -> None:
        self.done("/cards", {"deck": deck, "front": front, "back": back})

    def edit(self, card: str, field: str, text: str, base: str) -> None:
        self.done(f"/cards/{card}", {field: text, "base": base})


def open_stream(server: Server, limit: int = 100) -> socket.socket:
    """A connection that receives events, like a page's. Returns after the head of the response."""
    connection = socket.create_connection(("127.0.0.1", server.port), SECONDS)
    request = f"GET /events?search=&limit={limit} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
    connection.sendall(f"{request}Accept: text/event-stream\r\n\r\n".encode())
    head = connection.recv(4096)
    check_equal(head.split(b"\r\n")[0], b"HTTP/1.1 200 OK", "The answer to GET /events")
    return connection
