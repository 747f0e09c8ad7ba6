"""The study mode, by keyboard."""

from __future__ import annotations

from selenium.webdriver.common.keys import Keys

from checks import check, check_equal, wait_equal, wait_until
from markup import number
from page import Page
from registry import World, test


def answer(page: Page, key: str, backs: dict[str, str]) -> str:
    """Shows the answer of the question, grades it by a key, and returns the question."""
    question = page.text("#question")
    check(not page.visible("#answer"), "the answer is hidden at first")
    page.press(Keys.SPACE)
    wait_equal("the answer is shown", lambda: page.text("#answer"), backs[question])
    remaining = page.text("#remaining")
    page.press(key)
    seen = (question, remaining)
    wait_until("the next question comes", lambda: (page.text("#question"), page.text("#remaining")) != seen)
    return question


@test("The study mode shows a deck by keyboard, and repeats cards with unknown answers")
def by_keyboard(world: World) -> None:
    page = world.open()
    deck = page.deck("Spanish")
    backs = {card.front: card.back for card in deck.cards}
    page.click(f'section[data-deck="{deck.id}"] a.study')
    wait_until("there is a question", lambda: page.text("#question") in backs)
    check_equal(number(page.text("#remaining")), 3, "The remaining cards")
    asked = [answer(page, "1", backs)]
    while page.visible("#show") and len(asked) < 10:
        asked.append(answer(page, "2", backs))
    check_equal((len(asked), set(asked)), (4, set(backs)), "The questions")
    check_equal(asked.count(asked[0]), 2, "How often the card that was not known is asked")
    check(not page.visible("#good"), "nothing is left to judge")
    check(number(page.text("#remaining")) in (0, -1), "no card remains")


@test("The study mode of all decks shows all cards")
def all_decks(world: World) -> None:
    page = world.open()
    backs = {card.front: card.back for deck in page.decks() for card in deck.cards}
    page.click("a#study-all")
    wait_until("there is a question", lambda: page.text("#question") in backs)
    check_equal(number(page.text("#remaining")), 6, "The remaining cards")
    asked = []
    while page.visible("#show") and len(asked) < 10:
        asked.append(answer(page, "2", backs))
    check_equal(sorted(asked), sorted(backs), "The questions")
