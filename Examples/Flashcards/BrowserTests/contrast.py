"""Checks a page's accessibility: names of controls, landmarks, labels, and the contrast of text."""

from __future__ import annotations

from dataclasses import dataclass

from page import Page

CONTROL_ROLES = {
    "button",
    "checkbox",
    "combobox",
    "link",
    "listbox",
    "radio",
    "searchbox",
    "slider",
    "spinbutton",
    "textbox",
}

UNLABELLED = """
return shown('input:not([type=hidden]), textarea, select').filter(field => {
  const labels = (field.getAttribute('aria-labelledby') ?? '').split(/\\s+/);
  const named = labels.some(id => id && document.getElementById(id));
  return !(field.labels?.length > 0 || field.getAttribute('aria-label')?.trim() || named);
}).map(field => field.outerHTML.slice(0, 200));
"""

# Colours come from a canvas, so that every notation of CSS counts. Disabled controls are exempt, as in WCAG 1.4.3.
CONTRASTS = """
const canvas = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
const parse = color => {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = color;
  canvas.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
  return [red, green, blue, alpha / 255];
};
const over = (top, bottom) => [0, 1, 2].map(i => top[i] * top[3] + bottom[i] * (1 - top[3])).concat(1);
const dark = matchMedia('(prefers-color-scheme: dark)').matches
  && getComputedStyle(document.documentElement).colorScheme.includes('dark');
const canvasColor = dark ? [18, 18, 18, 1] : [255, 255, 255, 1];
const background = element => {
  if (!element) return canvasColor;
  const color = parse(getComputedStyle(element).backgroundColor);
  return color[3] === 1 ? color : over(color, background(element.parentElement));
};
const opacity = element => element ? Number(getComputedStyle(element).opacity) * opacity(element.parentElement) : 1;
const luminance = color => {
  const linear = value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const [red, green, blue] = color.map(value => linear(value / 255));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const contrast = (element, notation) => {
  const behind = background(element), color = parse(notation);
  color[3] *= opacity(element);
  const [low, high] = [luminance(over(color, behind)), luminance(behind)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};
const found = [];
const look = (element, notation, words) => {
  if (!visible(element) || element.closest(':disabled')) return;
  const tag = `<${element.tagName.toLowerCase()} ${element.id || element.className}>`;
  found.push([`${tag} ${words.trim().slice(0, 40)}`, contrast(element, notation)]);
};
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  if (walker.currentNode.data.trim()) look(element, getComputedStyle(element).color, walker.currentNode.data);
}
all('input:not([type=hidden]), textarea').forEach(field => {
  look(field, getComputedStyle(field).color, field.value);
  if (field.placeholder) look(field, getComputedStyle(field, '::placeholder').color, field.placeholder);
});
return found;
"""


@dataclass(frozen=True)
class Node:
    role: str
    name: str


def nodes(page: Page) -> list[Node]:
    """The nodes of the tree that the browser offers to assistive software."""
    page.browser.switch(page.handle)
    page.browser.command("Accessibility.enable")
    tree = page.browser.command("Accessibility.getFullAXTree")["nodes"]
    page.browser.command("Accessibility.disable")
    return [
        Node(node["role"]["value"], str(node.get("name", {}).get("value", "")).strip())
        for node in tree
        if not node["ignored"] and "role" in node
    ]


def controls_without_name(page: Page) -> list[str]:
    return [node.role for node in nodes(page) if node.role in CONTROL_ROLES and not node.name]


def fields_without_label(page: Page) -> list[str]:
    return page.run(UNLABELLED)


def low_contrasts(page: Page, least: float = 4.5) -> list[str]:
    """Texts whose contrast with their background is below a limit."""
    contrasts: list[tuple[str, float]] = page.run(CONTRASTS)
    if len(contrasts) < 3:
        return [f"only {len(contrasts)} texts were found"]
    return sorted({f"{words}: {ratio:.2f}" for words, ratio in contrasts if ratio < least})
