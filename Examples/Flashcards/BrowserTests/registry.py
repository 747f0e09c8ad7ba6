"""The tests of this folder, and the fixture of each test: a server, a document, two windows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from browser import Browser
from client import Client
from page import Page
from server import Server


@dataclass
class World:
    """The fixture of a test. Its server shows the sample when the test begins."""

    browser: Browser
    binary: Path
    folder: Path
    server: Server = field(init=False)
    client: Client = field(init=False)
    pages: list[Page] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.server = Server(self.binary, self.folder)
        self.client = Client(self.server)

    def open(self, path: str = "/") -> Page:
        """A page in a separate window, with an open event stream."""
        page = self.load(path)
        page.wait_connected()
        return page

    def load(self, path: str) -> Page:
        page = Page(self.browser, len(self.pages))
        self.pages.append(page)
        page.load(self.server.url + path)
        return page

    def open_two(self) -> tuple[Page, Page]:
        return self.open(), self.open()


@dataclass(frozen=True)
class Test:
    name: str
    run: Callable[[World], None]
    allowed_in_console: tuple[str, ...]


TESTS: list[Test] = []


def test(name: str, allows: tuple[str, ...] = ()) -> Callable[[Callable[[World], None]], Callable[[World], None]]:
    """Registers a test. `allows` are parts of console messages that the test causes on purpose."""

    def register(run: Callable[[World], None]) -> Callable[[World], None]:
        TESTS.append(Test(name, run, allows))
        return run

    return register
