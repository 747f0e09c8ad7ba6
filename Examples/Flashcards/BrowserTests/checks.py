"""Waits for conditions, and comparisons whose failures show the expected value."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

Value = TypeVar("Value")

POLL_SECONDS = 0.01
WAIT_SECONDS = 5.0


class CheckFailed(AssertionError):
    """A statement of a test is false."""


def check(holds: object, statement: str) -> None:
    if not holds:
        raise CheckFailed(f"Does not hold: {statement}")


def check_equal(actual: object, expected: object, subject: str) -> None:
    if actual != expected:
        raise CheckFailed(f"{subject}: expected {shortened(expected)}, found {shortened(actual)}")


def wait_until(statement: str, condition: Callable[[], Value], seconds: float = WAIT_SECONDS) -> Value:
    """Evaluates the condition until it is truthy, and returns its value.

    Errors of a changing page count as "not yet"; a failed check inside the condition ends the wait.
    """
    start = time.monotonic()
    deadline = start + seconds
    while True:
        problem: Exception | None = None
        try:
            value = condition()
            if value:
                return value
        except CheckFailed:
            raise
        except Exception as error:  # A page that changes meanwhile makes elements stale.
            problem = error
        if time.monotonic() > deadline:
            detail = f" ({type(problem).__name__}: {problem})" if problem else ""
            raise CheckFailed(f"Did not happen within {seconds:g} s: {statement}{detail}")
        time.sleep(POLL_SECONDS)


def wait_equal(subject: str, read: Callable[[], object], expected: object, seconds: float = WAIT_SECONDS) -> None:
    """Waits until a value is the expected one. The failure shows the last value."""
    last: list[object] = [None]

    def matches() -> bool:
        last[0] = read()
        return last[0] == expected

    try:
        wait_until(subject, matches, seconds)
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}: expected {shortened(expected)}, last {shortened(last[0])}") from None


def shortened(value: object, limit: int = 400) -> str:
    text = repr(value)
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text)} characters)"
