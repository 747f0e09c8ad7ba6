"""Runs the browser tests: run.py BINARY FOLDER [NAME]. NAME runs only tests whose names contain it."""

from __future__ import annotations

import importlib
import signal
import sys
import time
import traceback
from pathlib import Path

from browser import Browser
from checks import CheckFailed
from registry import TESTS, Test, World

HTML_CHARACTERS = 20_000


def import_tests() -> None:
    for file in sorted(Path(__file__).parent.glob("test_*.py")):
        importlib.import_module(file.stem)


def unexpected_messages(test: Test, console: list[str]) -> list[str]:
    return [message for message in console if not any(part in message for part in test.allowed_in_console)]


def run_test(test: Test, world: World) -> str:
    """Runs a test, and returns its failures."""
    console: list[str] = []
    failure = ""
    try:
        world.server.start()
        test.run(world)
        console = world.browser.console()
        unexpected = unexpected_messages(test, console)
        if unexpected:
            raise CheckFailed("The browser's console has errors: " + "; ".join(unexpected))
    except CheckFailed as problem:
        failure = f"{problem}\n{traceback.format_exc(limit=-4)}"
    except Exception:
        failure = traceback.format_exc()
    if failure:
        failure += evidence(world, console)
    world.server.close()
    world.browser.clear()
    return failure


def evidence(world: World, console: list[str]) -> str:
    """The state of all pages, the console and the server's output."""
    parts = []
    for index, page in enumerate(world.pages):
        try:
            html = page.run("return document.documentElement.outerHTML")
        except Exception as problem:
            html = f"cannot be read: {problem}"
        parts.append(f"-- page {index + 1}\n{html[:HTML_CHARACTERS]}")
    parts.append("-- console\n" + "\n".join(console + world.browser.console()))
    parts.append(world.server.output())
    return "\n".join(parts)


def run_all(tests: list[Test], binary: Path, folder: Path) -> int:
    failed = 0
    browser = Browser(folder)
    try:
        for number, test in enumerate(tests):
            own_folder = folder / f"test-{number}"
            own_folder.mkdir()
            start = time.monotonic()
            failure = run_test(test, World(browser, binary, own_folder))
            seconds = time.monotonic() - start
            failed += bool(failure)
            print(f"{'✘' if failure else '✔'} {test.name} ({seconds:.1f} s)", flush=True)
            if failure:
                print(failure, flush=True)
    finally:
        browser.close()
    print(f"{len(tests) - failed} passed, {failed} failed")
    return 1 if failed else 0


def main() -> int:
    # A signal ends the run as an error does, so that the browser and the server are closed.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("The tests took too long, and were ended"))
    binary, folder = Path(sys.argv[1]), Path(sys.argv[2])
    part = sys.argv[3] if len(sys.argv) > 3 else ""
    import_tests()
    tests = [test for test in TESTS if part in test.name]
    if not tests:
        sys.exit(f"No test has a name with: {part}")
    return run_all(tests, binary, folder)


if __name__ == "__main__":
    sys.exit(main())
