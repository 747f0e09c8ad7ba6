"""The main page in a window: its contents, and a user's actions."""

from __future__ import annotations

from typing import Any

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from browser import Browser
from checks import wait_equal, wait_until
from markup import Card, Deck, number

HELPERS = """
const one = selector => document.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const visible = element => !!element && element.getClientRects().length > 0
  && getComputedStyle(element).visibility !== 'hidden';
const shown = (selector, root = document) => all(selector, root).filter(visible);
const name = section => {
  const heading = section.querySelector('h2').cloneNode(true);
  all('.count', heading).forEach(count => count.remove());
  return heading.textContent.trim();
};
const text = (card, field) => {
  const element = card.querySelector(`[data-field="${field}"]`);
  return element.matches('textarea') ? element.value : element.textContent;
};
"""

READ_DECKS = """
return shown('main#cards section[data-deck]').map(section => ({
  id: section.dataset.deck, name: name(section), count: section.querySelector('.count')?.textContent ?? '',
  cards: shown('ol.cards > li[data-card]', section)
    .map(card => [card.dataset.card, text(card, 'front'), text(card, 'back')])
}));
"""

FOCUSED = """
const element = document.activeElement;
return {
  tag: element.tagName.toLowerCase(), id: element.id, name: element.name ?? '', classes: [...element.classList],
  field: element.dataset.field ?? '', card: element.closest('li[data-card]')?.dataset.card ?? '',
  deck: element.closest('section[data-deck]')?.dataset.deck ?? '', value: element.value ?? ''
};
"""

ERROR_BESIDE = """
const field = one(arguments[0]);
const ids = (field.getAttribute('aria-describedby') ?? '').split(/\\s+/).filter(id => id);
const described = ids.map(id => document.getElementById(id));
const errors = described.filter(element => visible(element) && element.matches('.error'));
return errors.map(error => ({text: error.textContent.trim(), role: error.getAttribute('role') ?? ''}));
"""


class Page:
    """Drives one window. Every call makes it the current one."""

    def __init__(self, browser: Browser, window: int) -> None:
        self.browser = browser
        self.handle = browser.window(window)

    def load(self, url: str) -> None:
        self.browser.switch(self.handle)
        # Without it, the page of the other window would lose its focus: each page stands for a separate computer.
        self.browser.command("Emulation.setFocusEmulationEnabled", enabled=True)
        self.browser.driver.get(url)

    def wait_connected(self, seconds: float = 5.0) -> None:
        wait_equal("the page's event stream is open", self.connected, "true", seconds)

    def connected(self) -> str:
        return self.run("return document.body.dataset.connected ?? ''")

    # The contents of the page.

    def run(self, script: str, *arguments: Any) -> Any:
        self.browser.switch(self.handle)
        return self.browser.driver.execute_script(HELPERS + script, *arguments)

    def decks(self) -> list[Deck]:
        return [
            Deck(deck["id"], deck["name"], number(deck["count"]), tuple(Card(*card) for card in deck["cards"]))
            for deck in self.run(READ_DECKS)
        ]

    def deck(self, name: str) -> Deck:
        return next(deck for deck in self.decks() if deck.name == name)

    def deck_names(self) -> list[str]:
        return [deck.name for deck in self.decks()]

    def texts(self, deck: str) -> list[tuple[str, str]]:
        return self.deck(deck).texts()

    def card(self, front: str) -> Card:
        return next(card for deck in self.decks() for card in deck.cards if card.front == front)

    def visible(self, selector: str) -> bool:
        return self.run("return shown(arguments[0]).length > 0", selector)

    def text(self, selector: str) -> str:
        """The text of a visible element; empty without one."""
        return self.run("return shown(arguments[0])[0]?.textContent.trim() ?? ''", selector)

    def value(self, selector: str) -> str:
        return self.run("return one(arguments[0]).value", selector)

    def enabled(self, selector: str) -> bool:
        return self.run("return !one(arguments[0]).disabled", selector)

    def focused(self) -> dict[str, Any]:
        return self.run(FOCUSED)

    def has_focus(self, selector: str) -> bool:
        return self.run("return document.activeElement.matches(arguments[0])", selector)

    def errors_of(self, selector: str) -> list[dict[str, str]]:
        """The visible errors that describe a field."""
        return self.run(ERROR_BESIDE, selector)

    def fits_sideways(self) -> bool:
        return self.run("return one('html').scrollWidth <= one('html').clientWidth")

    # The state of the window.

    def set_size(self, width: int, height: int, scale: int = 1, mobile: bool = False) -> None:
        self.browser.switch(self.handle)
        size = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": mobile}
        self.browser.command("Emulation.setDeviceMetricsOverride", **size)
        wait_until("the page has its size", lambda: self.run("return innerWidth") == width)

    def set_color_scheme(self, name: str) -> None:
        self.browser.switch(self.handle)
        features = [{"name": "prefers-color-scheme", "value": name}]
        self.browser.command("Emulation.setEmulatedMedia", features=features)
        self.wait_still()

    def wait_still(self) -> None:
        """Waits for the end of animations."""
        wait_until("nothing moves", lambda: self.run("return document.getAnimations().length === 0"))

    # A user's actions.

    def find(self, selector: str) -> WebElement:
        self.browser.switch(self.handle)
        return self.browser.driver.find_element(By.CSS_SELECTOR, selector)

    def click(self, selector: str) -> None:
        def clicked() -> bool:
            self.find(selector).click()
            return True

        wait_until(f"{selector} is there", lambda: self.visible(selector) and self.enabled(selector))
        wait_until(f"{selector} can be clicked", clicked)

    def press(self, key: str, ctrl: bool = False, shift: bool = False) -> None:
        """Presses a key for the focused element."""
        self.browser.switch(self.handle)
        chain = ActionChains(self.browser.driver)
        modifiers = [Keys.CONTROL] * ctrl + [Keys.SHIFT] * shift
        for modifier in modifiers:
            chain.key_down(modifier)
        chain.send_keys(key)
        for modifier in reversed(modifiers):
            chain.key_up(modifier)
        chain.perform()

    def insert(self, text: str) -> None:
        """Inserts text at the cursor, like pasting."""
        self.browser.switch(self.handle)
        self.browser.command("Input.insertText", text=text)

    def replace(self, text: str) -> None:
        """Replaces the text of the focused field."""
        self.press("a", ctrl=True)
        if text:
            self.insert(text)
        else:
            self.press(Keys.DELETE)

    def fill(self, selector: str, text: str) -> None:
        self.click(selector)
        self.replace(text)

    def submit(self, form: str) -> None:
        self.click(f"{form} button:not([type=button])")

    def add_card(self, deck: Deck, front: str, back: str) -> None:
        form = f'section[data-deck="{deck.id}"] form.add-card'
        self.fill(f"{form} [name=front]", front)
        self.fill(f"{form} [name=back]", back)
        self.submit(form)

    def add_deck(self, name: str) -> None:
        self.fill("form#add-deck input[name=name]", name)
        self.submit("form#add-deck")

    def open_editor(self, card: Card, field: str) -> None:
        self.click(button(card, field))
        wait_until("the editor has the focus", lambda: self.has_focus(editor(card, field)))

    def save_editor(self) -> None:
        self.press(Keys.ENTER, ctrl=True)

    def edit(self, card: Card, field: str, text: str) -> None:
        self.open_editor(card, field)
        self.replace(text)
        self.save_editor()
        wait_until("the editor closes", lambda: not self.visible(editor(card, field)))


def item(card: Card) -> str:
    return f'li[data-card="{card.id}"]'


def button(card: Card, field: str) -> str:
    return f"{item(card)} button.text[data-field={field}]"


def editor(card: Card, field: str) -> str:
    return f"{item(card)} textarea.editor[data-field={field}]"
