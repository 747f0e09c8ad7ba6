"""One headless Chromium for all tests, with two windows that are empty at the start of each test."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

FLAGS = [
    "--headless=new",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--hide-scrollbars",
    "--no-first-run",
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--lang=en",
    "--window-size=1280,860",
]


def _options(profile: Path) -> Options:
    options = Options()
    options.binary_location = shutil.which("chromium") or ""
    for flag in FLAGS + (["--no-sandbox"] if os.geteuid() == 0 else []):
        options.add_argument(flag)
    options.add_argument(f"--user-data-dir={profile}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    # A page may ask before it deletes a deck; the tests say yes.
    options.set_capability("unhandledPromptBehavior", "accept")
    return options


class Browser:
    """Runs the browser, and tracks the current window."""

    def __init__(self, folder: Path) -> None:
        service = Service(shutil.which("chromedriver") or "", log_path=str(folder / "chromedriver.log"))
        self.driver = webdriver.Chrome(service=service, options=_options(folder / "profile"))
        self.driver.set_page_load_timeout(20)
        self.driver.set_script_timeout(20)
        self.current = self.driver.current_window_handle
        self.windows = [self.current]

    def window(self, index: int) -> str:
        while len(self.windows) <= index:
            self.driver.switch_to.new_window("window")
            self.current = self.driver.current_window_handle
            self.windows.append(self.current)
        return self.windows[index]

    def switch(self, handle: str) -> None:
        if handle != self.current:
            self.driver.switch_to.window(handle)
            self.current = handle

    def command(self, name: str, **arguments: Any) -> Any:
        """A command of the DevTools protocol, for the current window."""
        return self.driver.execute_cdp_cmd(name, arguments)

    def console(self) -> list[str]:
        """The errors and warnings in the consoles of all windows since the last call."""
        entries = self.driver.get_log("browser")
        return [f"{entry['level']} {entry['source']}: {entry['message']}" for entry in entries if _counts(entry)]

    def clear(self) -> None:
        """Leaves every window empty, without cookies, at its usual size."""
        for handle in self.windows:
            self.switch(handle)
            self.driver.get("about:blank")
            self.command("Emulation.clearDeviceMetricsOverride")
            self.command("Emulation.setEmulatedMedia", features=[])
        self.command("Network.clearBrowserCookies")
        self.console()

    def close(self) -> None:
        self.driver.quit()


def _counts(entry: dict[str, str]) -> bool:
    return entry["level"] in ("SEVERE", "WARNING")
