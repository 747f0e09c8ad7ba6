"""Accessibility: assistive software, contrast and small screens."""

from __future__ import annotations

from checks import check, check_equal, wait_until
from contrast import controls_without_name, fields_without_label, low_contrasts, nodes
from page import Page, editor
from registry import World, test

NAMES = """
return shown('button.delete-card, button.delete-deck, a.study')
  .map(element => element.getAttribute('aria-label') ?? element.textContent.trim());
"""
LOOK_WITH_AND_WITHOUT_FOCUS = """
const element = document.activeElement;
const look = () => {
  const style = getComputedStyle(element);
  return [style.outlineStyle, style.outlineWidth, style.boxShadow, style.borderColor, style.backgroundColor].join();
};
const withFocus = look();
element.blur();
const without = look();
element.focus({focusVisible: true});
return [withFocus, without];
"""
NARROW = """
return shown('input:not([type=hidden]), textarea, select').filter(field => field.getBoundingClientRect().width < 120)
  .map(field => `${field.id || field.name}: ${Math.round(field.getBoundingClientRect().width)} pixels`);
"""
WIDEST = """
const width = one('html').clientWidth;
return shown('body *').filter(element => element.getBoundingClientRect().right > width + 1)
  .slice(0, 5).map(element => element.outerHTML.slice(0, 120));
"""


def main_page(world: World) -> Page:
    """The main page with an error beside a field and an open editor."""
    page = world.open()
    page.submit(f'section[data-deck="{page.decks()[0].id}"] form.add-card')
    wait_until("there is an error", lambda: page.visible(".error"))
    page.open_editor(page.decks()[1].cards[0], "front")
    return page


def study_page(world: World) -> Page:
    page = world.load("/study")
    wait_until("there is a question", lambda: page.text("#question"))
    return page


@test("Every control has a name, and every field a label", allows=("422",))
def names(world: World) -> None:
    for page in (main_page(world), study_page(world)):
        check_equal(controls_without_name(page), [], "Controls without an accessible name")
        check_equal(fields_without_label(page), [], "Fields without a label")
        check(page.run("return document.documentElement.lang"), "the page states its language")
        check(page.run("return document.title"), "the page has a title")


@test("Both pages have one first-level heading, and landmarks", allows=("422",))
def structure(world: World) -> None:
    for page in (main_page(world), study_page(world)):
        check_equal(page.run("return shown('h1').length"), 1, "The number of visible h1 elements")
        roles = [node.role for node in nodes(page)]
        check_equal(roles.count("main"), 1, "The number of main landmarks")
        check({"banner", "contentinfo", "navigation", "region", "search"} & set(roles), "main is not the only landmark")
        levels = page.run("return shown('h1, h2, h3, h4').map(heading => Number(heading.tagName[1]))")
        steps = [after - before for before, after in zip(levels, levels[1:])]
        check(all(step <= 1 for step in steps), f"no level of headings is left out: {levels}")


@test("Controls that look alike have different names", allows=("422",))
def distinct_names(world: World) -> None:
    page = world.open()
    names = page.run(NAMES)
    check_equal(len(set(names)), len(names), f"The number of different names among {names}")


@test("Text has a contrast of at least 4.5 in light and in dark", allows=("422",))
def contrasts(world: World) -> None:
    for page in (main_page(world), study_page(world)):
        for scheme in ("light", "dark"):
            page.set_color_scheme(scheme)
            check_equal(low_contrasts(page), [], f"Texts with a low contrast in {scheme}")


@test("Nothing scrolls sideways at a width of 360 pixels, and every field is wide enough for text", allows=("422",))
def small_screen(world: World) -> None:
    world.client.done("/decks", {"name": "W" * 100})
    world.client.add_card(world.client.deck("W" * 100).id, "W" * 300, "W" * 300)
    for page in (main_page(world), study_page(world)):
        page.set_size(360, 740)
        check(page.fits_sideways(), f"the page fits into its window; too far right: {page.run(WIDEST)}")
        check_equal(page.run(NARROW), [], "Fields that are too narrow to type in")


@test("The focus is visible", allows=("422",))
def focus_seen(world: World) -> None:
    page = world.open()
    for _ in range(12):
        page.press("\ue004")
        with_focus, without = page.run(LOOK_WITH_AND_WITHOUT_FOCUS)
        check(with_focus != without, f"the focused element looks different: {page.focused()}")


@test("An editor has a label and its error describes it", allows=("422",))
def editor_described(world: World) -> None:
    page = world.open()
    card = page.decks()[0].cards[0]
    page.open_editor(card, "front")
    page.replace("")
    page.save_editor()
    wait_until("the editor has an error", lambda: page.errors_of(editor(card, "front")))
    invalid = page.run("return one(arguments[0]).getAttribute('aria-invalid')", editor(card, "front"))
    check_equal(invalid, "true", "aria-invalid of the editor")
    check_equal(fields_without_label(page), [], "Fields without a label")
