"""Measures the server with many cards, many event streams and many edits: load.py BINARY FOLDER."""

from __future__ import annotations

import asyncio
import statistics
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from urllib.parse import urlencode

from checks import check_equal, wait_until
from client import FORM, Client
from event_streams import EventStream, delays, mark, open_streams
from markup import Card
from server import Server

CARDS = 20_000
STREAMS = 200
EDITS_A_SECOND = 50
SECONDS = 20
EDITS_FOR_MEMORY = 10_000
CONNECTIONS = 8
WINDOW = 100

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms"


def quantiles(values: list[float]) -> str:
    ordered = sorted(values)
    at = lambda part: ordered[min(len(ordered) - 1, int(len(ordered) * part))]
    return f"p50 {milliseconds(at(0.5))}, p99 {milliseconds(at(0.99))}, max {milliseconds(ordered[-1])}"


def seconds_of_page(client: Client) -> float:
    start = time.monotonic()
    check_equal(client.get("/").status, 200, "The answer to GET /")
    return time.monotonic() - start


def measure_import(client: Client) -> None:
    """Imports all cards, and requests pages meanwhile."""
    deck = client.deck("Spanish")
    csv = "".join(f"front {number},back {number}\n" for number in range(CARDS)).encode()
    pages: list[float] = []
    imported = threading.Event()

    def ask_for_pages() -> None:
        while not imported.is_set():
            pages.append(seconds_of_page(client))

    asking = threading.Thread(target=ask_for_pages)
    start = time.monotonic()
    asking.start()
    try:
        check_equal(client.import_cards(deck.id, csv).status, 202, "The answer to an import")
        wait_until("all cards are there", lambda: client.page(limit=1).deck("Spanish").count == CARDS + deck.count, 120)
    finally:
        imported.set()
        asking.join()
    print(f"Import of {CARDS:,} cards: {time.monotonic() - start:.2f} s; page requests meanwhile: {quantiles(pages)}")


def measure_pages(client: Client) -> None:
    times = [seconds_of_page(client) for _ in range(20)]
    size = len(client.get("/").body.encode())
    median = milliseconds(statistics.median(times))
    print(f"First page with {CARDS:,} cards: median {median}, max {milliseconds(max(times))}, {size // 1000} kB")


class Editor:
    """Edits the first cards of the document one after another, over connections that stay open."""

    def __init__(self, client: Client) -> None:
        self.port = client.server.port
        self.token = client.token
        cards = [card for deck in client.page(limit=WINDOW).decks for card in deck.cards]
        self.cards: list[Card] = cards[:WINDOW]
        self.texts = [card.front for card in self.cards]
        self.locks = [asyncio.Lock() for _ in self.cards]
        self.sent: dict[int, tuple[int, float]] = {}
        self.answers: list[float] = []
        self.edits = 0
        self.idle: asyncio.Queue[Connection] = asyncio.Queue()

    async def connect(self) -> None:
        for _ in range(CONNECTIONS):
            await self.idle.put(await asyncio.open_connection("127.0.0.1", self.port))

    async def edit(self) -> None:
        number = self.edits
        self.edits += 1
        position = number % len(self.cards)
        async with self.locks[position]:
            connection = await self.idle.get()
            try:
                text = mark(position, number)
                start = asyncio.get_running_loop().time()
                self.sent[number] = (position, start)
                await self._post(connection, self.cards[position].id, text, self.texts[position])
                self.answers.append(asyncio.get_running_loop().time() - start)
                self.texts[position] = text
            finally:
                self.idle.put_nowait(connection)

    async def _post(self, connection: Connection, card: str, text: str, base: str) -> None:
        reader, writer = connection
        body = urlencode({"front": text, "base": base})
        head = f"POST /cards/{card} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nX-Page-Token: {self.token}\r\n"
        head += f"Content-Type: {FORM}\r\nContent-Length: {len(body)}\r\n\r\n"
        writer.write((head + body).encode())
        answer = await reader.readuntil(b"\r\n\r\n")
        check_equal(answer.split(b" ", 2)[1], b"204", f"The answer to an edit: {answer!r}")


async def pace(edit: Callable[[], Awaitable[None]], number: int, a_second: int) -> float:
    """Starts edits at a steady rate. Returns how late the latest start was: this program's own share of the delays."""
    loop = asyncio.get_running_loop()
    start, latest, tasks = loop.time(), 0.0, []
    for position in range(number):
        planned = start + position / a_second
        if (pause := planned - loop.time()) > 0:
            await asyncio.sleep(pause)
        latest = max(latest, loop.time() - planned)
        tasks.append(asyncio.ensure_future(edit()))
    await asyncio.gather(*tasks)
    return latest


async def until_seen(streams: list[EventStream], sent: dict[int, tuple[int, float]]) -> None:
    last = {card: edit for edit, (card, _) in sorted(sent.items())}
    for _ in range(200):
        if all(stream.last.get(card, -1) >= edit for stream in streams for card, edit in last.items()):
            return
        await asyncio.sleep(0.05)


async def measure_streams(client: Client) -> None:
    editor = Editor(client)
    await editor.connect()
    streams = await open_streams(client.server.port, STREAMS, WINDOW)
    late = await pace(editor.edit, EDITS_A_SECOND * SECONDS, EDITS_A_SECOND)
    await until_seen(streams, editor.sent)
    found = delays(streams, editor.sent)
    lost = sum(stream.lost for stream in streams)
    print(f"{STREAMS} streams, {EDITS_A_SECOND} edits a second for {SECONDS} s (late by up to {milliseconds(late)}):")
    print(f"  from request to event, in each stream: {quantiles(found.each)}")
    print(f"  from request to event, in the last stream: {quantiles(found.last)}")
    print(f"  from request to answer: {quantiles(editor.answers)}")
    size = sum(stream.bytes for stream in streams) // len(streams) // editor.edits
    print(f"  events not received: {found.missing}; streams lost: {lost}; {size} bytes for each edit and stream")
    for stream in streams:
        stream.transport.close()


async def edit_many(client: Client, number: int) -> float:
    editor = Editor(client)
    await editor.connect()
    start = time.monotonic()
    running = set()
    for _ in range(number):
        running.add(asyncio.ensure_future(editor.edit()))
        if len(running) >= CONNECTIONS:
            done, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
    await asyncio.gather(*running)
    return time.monotonic() - start


def measure_memory(client: Client) -> None:
    before = client.server.resident_kilobytes()
    seconds = asyncio.run(edit_many(client, EDITS_FOR_MEMORY))
    after = client.server.resident_kilobytes()
    print(f"Resident memory: {before // 1024} MiB before and {after // 1024} MiB after {EDITS_FOR_MEMORY:,} edits")
    print(f"Edits without a pause: {EDITS_FOR_MEMORY / seconds:.0f} a second over {CONNECTIONS} connections")


def main() -> None:
    server = Server(Path(sys.argv[1]), Path(sys.argv[2]))
    server.start()
    client = Client(server)
    try:
        print(f"Resident memory after the start: {server.resident_kilobytes() // 1024} MiB")
        measure_import(client)
        measure_pages(client)
        asyncio.run(measure_streams(client))
        measure_memory(client)
        start = time.monotonic()
        check_equal(server.stop(30), 0, "The exit status")
        print(f"End by SIGTERM: {time.monotonic() - start:.2f} s")
    finally:
        server.close()


if __name__ == "__main__":
    main()
