"""Makes the pictures of the guide: screenshots.py BINARY FOLDER PICTURES."""

from __future__ import annotations

import base64
import sys
from pathlib import Path

from browser import Browser
from checks import wait_until
from client import Client
from page import Page
from server import Server

DECKS = {
    "Spanish": [
        ("la madrugada", "the hours between midnight and dawn"),
        ("estrenar", "to wear or use something for the first time"),
        ("la sobremesa", "the talk at the table after a meal"),
        ("¿Qué hora es?", "What time is it?"),
    ],
    "Capitals": [
        ("Australia", "Canberra"),
        ("Canada", "Ottawa"),
        ("Kazakhstan", "Astana"),
        ("Bhutan", "Thimphu"),
    ],
    "Periodic table": [
        ("Au", "gold, from the Latin aurum"),
        ("Hg", "mercury, from hydrargyrum: liquid silver"),
        ("W", "tungsten, whose German name is Wolfram"),
        ("Sn", "tin, from stannum"),
    ],
}


def fill_document(client: Client) -> None:
    """Replaces the sample by three decks."""
    for deck in client.decks():
        client.done(f"/decks/{deck.id}/delete")
    for name, cards in DECKS.items():
        client.done("/decks", {"name": name})
        deck = client.deck(name)
        for front, back in cards:
            client.add_card(deck.id, front, back)
    client.done("/save")


def take(page: Page, file: Path) -> None:
    page.wait_still()
    picture = base64.b64decode(page.browser.command("Page.captureScreenshot", format="png")["data"])
    file.write_bytes(picture)
    print(f"{file.name}: {len(picture) // 1000} kB")


def take_all(browser: Browser, server: Server, pictures: Path) -> None:
    page = Page(browser, 0)
    page.load(server.url)
    page.wait_connected()
    page.set_size(1280, 860)
    for scheme in ("dark", "light"):
        page.set_color_scheme(scheme)
        take(page, pictures / f"flashcards-{scheme}.png")
    page.set_size(390, 844, scale=2, mobile=True)
    take(page, pictures / "flashcards-phone.png")
    deck = Client(server).deck("Spanish")
    page.load(f"{server.url}/study?deck={deck.id}")
    page.set_size(1280, 860)
    wait_until("there is a question", lambda: page.text("#question"))
    page.click("button#show")
    wait_until("there is an answer", lambda: page.text("#answer"))
    take(page, pictures / "flashcards-study.png")


def main() -> None:
    binary, folder, pictures = (Path(argument) for argument in sys.argv[1:4])
    server = Server(binary, folder / "pictures", "Things to know.flashcards")
    browser = Browser(folder)
    try:
        server.start()
        fill_document(Client(server))
        take_all(browser, server, pictures)
    finally:
        browser.close()
        server.close()


if __name__ == "__main__":
    main()
