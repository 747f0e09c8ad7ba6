"""Many event streams in one thread, and the times at which each received the marks of edits."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field

MARK = re.compile(rb"mark(\d{4})of(\d{7})end")
MARK_LENGTH = len(b"mark0000of0000000end")


def mark(card: int, edit: int) -> str:
    """The text that an edit gives a card: the card's position and the edit's number."""
    return f"mark{card:04}of{edit:07}end"


class EventStream(asyncio.Protocol):
    """Records the time of the first event for each edit. A later edit of the same card counts for earlier ones too."""

    def __init__(self, port: int, limit: int) -> None:
        self.request = (
            f"GET /events?search=&limit={limit} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
            "Accept: text/event-stream\r\n\r\n"
        )
        self.loop = asyncio.get_running_loop()
        self.opened = self.loop.create_future()
        self.tail = b""
        self.bytes = 0
        self.lost = False
        self.last: dict[int, int] = {}
        self.seen: list[tuple[float, int, int]] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        assert isinstance(transport, asyncio.Transport)
        transport.write(self.request.encode())

    def data_received(self, data: bytes) -> None:
        now = self.loop.time()
        self.bytes += len(data)
        if not self.opened.done():
            self.opened.set_result(data.split(b"\r\n", 1)[0])
        text = self.tail + data
        for match in MARK.finditer(text):
            card, edit = int(match[1]), int(match[2])
            if edit > self.last.get(card, -1):
                self.last[card] = edit
                self.seen.append((now, card, edit))
        self.tail = text[-(MARK_LENGTH - 1) :]

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost = True
        if not self.opened.done():
            self.opened.set_exception(exc or ConnectionError("The stream was closed"))


async def open_streams(port: int, number: int, limit: int) -> list[EventStream]:
    loop = asyncio.get_running_loop()
    streams = []
    for _ in range(number):
        _, stream = await loop.create_connection(lambda: EventStream(port, limit), "127.0.0.1", port)
        streams.append(stream)
        status = await asyncio.wait_for(stream.opened, 20)
        if b" 200 " not in status + b" ":
            raise ConnectionError(f"A stream was answered with {status!r}")
    return streams


@dataclass
class Delays:
    """The seconds from the sending of each edit to its event, in each stream and in the last one."""

    each: list[float] = field(default_factory=list)
    last: list[float] = field(default_factory=list)
    missing: int = 0


def delays(streams: list[EventStream], sent: dict[int, tuple[int, float]]) -> Delays:
    """Compares the received events with the sent edits: by edit, the card and the time."""
    by_card: dict[int, list[int]] = {}
    for edit, (card, _) in sorted(sent.items()):
        by_card.setdefault(card, []).append(edit)
    result = Delays()
    slowest: dict[int, float] = {}
    for stream in streams:
        positions = dict.fromkeys(by_card, 0)
        for now, card, edit in stream.seen:
            while positions[card] < len(by_card[card]) and by_card[card][positions[card]] <= edit:
                seen_edit = by_card[card][positions[card]]
                seconds = now - sent[seen_edit][1]
                result.each.append(seconds)
                slowest[seen_edit] = max(slowest.get(seen_edit, 0), seconds)
                positions[card] += 1
        result.missing += sum(len(edits) - positions[card] for card, edits in by_card.items())
    result.last = list(slowest.values())
    return result
