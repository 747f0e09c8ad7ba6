"""Ends the server with SIGTERM again and again while changes and streams go on: stops.py BINARY FOLDER TIMES.

Each time the exit status must be 0, and everything that the server acknowledged must be there after the next start.
"""

from __future__ import annotations

import http.client
import random
import socket
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

from checks import CheckFailed, check, check_equal
from client import FORM, Client, open_stream
from server import Server

WRITERS = 4
STREAMS = 20
LONGEST_SECONDS = 5.0


@dataclass
class Writer:
    """Adds cards over one connection until the server ends, and records the acknowledged cards."""

    server: Server
    token: str
    deck: str
    number: int
    sent: int = 0
    acknowledged: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def run(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=10)
        try:
            while True:
                self._add(connection)
        except (OSError, http.client.HTTPException):
            pass
        finally:
            connection.close()

    def _add(self, connection: http.client.HTTPConnection) -> None:
        front = f"writer {self.number} card {self.sent}"
        self.sent += 1
        body = urlencode({"deck": self.deck, "front": front, "back": "added"})
        connection.request("POST", "/cards", body, {"Content-Type": FORM, "X-Page-Token": self.token})
        response = connection.getresponse()
        response.read()
        if response.status == 204:
            self.acknowledged.append(front)
        elif response.status != 503:
            self.refused.append(f"{front}: {response.status}")


def read_to_end(stream: socket.socket) -> None:
    try:
        while stream.recv(65_536):
            pass
    except OSError:
        pass
    finally:
        stream.close()


def threads(targets: list[object], *arguments: object) -> list[threading.Thread]:
    started = [threading.Thread(target=target, args=arguments, daemon=True) for target in targets]
    for thread in started:
        thread.start()
    return started


def new_deck(client: Client, name: str) -> str:
    client.done("/decks", {"name": name})
    return client.deck(name).id


def stop_under_load(server: Server, round_number: int, pause: float) -> tuple[set[str], float]:
    """Ends the server after a while. Returns the acknowledged cards, and the time until its end."""
    client = Client(server)
    deck = new_deck(client, f"Round {round_number}")
    readers = [threads([read_to_end], open_stream(server))[0] for _ in range(STREAMS)]
    writers = [Writer(server, client.token, deck, number) for number in range(WRITERS)]
    running = threads([writer.run for writer in writers])
    time.sleep(pause)
    start = time.monotonic()
    status = server.stop(LONGEST_SECONDS)
    seconds = time.monotonic() - start
    for thread in running + readers:
        thread.join(10)
    check_equal(status, 0, f"The exit status of round {round_number}")
    refused = [text for writer in writers for text in writer.refused]
    check(not refused, f"no card of round {round_number} is refused: {refused[:5]}")
    acknowledged = {front for writer in writers for front in writer.acknowledged}
    check(acknowledged, f"round {round_number} has acknowledged cards")
    return acknowledged, seconds


def check_document(server: Server, round_number: int, acknowledged: set[str]) -> None:
    """Looks for the cards of a round after the next start, then deletes its deck so that the document stays small."""
    client = Client(server)
    deck = client.deck(f"Round {round_number}")
    fronts = [card.front for card in deck.cards]
    missing = acknowledged - set(fronts)
    check(not missing, f"the cards that round {round_number} acknowledged are there; missing: {sorted(missing)[:5]}")
    check_equal(len(set(fronts)), len(fronts), f"The number of different cards of round {round_number}")
    client.done(f"/decks/{deck.id}/delete")


def leftovers(server: Server) -> list[str]:
    return [file.name for file in server.document.rglob("*") if file.name.endswith(("-wal", "-shm"))]


def main() -> int:
    binary, folder, times = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    pauses = random.Random(20_261_121)
    server = Server(binary, folder)
    total, slowest = 0, 0.0
    server.start()
    try:
        for round_number in range(times):
            acknowledged, seconds = stop_under_load(server, round_number, pauses.uniform(0.05, 0.4))
            check_equal(leftovers(server), [], f"The -wal and -shm files after round {round_number}")
            server.start()
            check_document(server, round_number, acknowledged)
            total += len(acknowledged)
            slowest = max(slowest, seconds)
    except CheckFailed as failure:
        print(f"✘ {failure}\n{server.output()[-20_000:]}")
        return 1
    finally:
        server.close()
    print(f"✔ {times} stops under load: status 0, {total:,} acknowledged cards found, slowest end {slowest:.2f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
