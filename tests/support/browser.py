"""A headless Chromium, where there is one."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

_ARGUMENTS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --disable-dev-shm-usage"
)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    """A browser with a new profile; skips the tests if Chromium or its driver is missing."""
    program, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if program is None or driver is None:
        pytest.skip("needs chromium and chromedriver (Debian: chromium-driver)")
    options = Options()
    options.binary_location = program
    for argument in _ARGUMENTS.split():
        options.add_argument(argument)
    options.add_argument(f"--user-data-dir={tmp_path_factory.mktemp('profile')}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    options.set_capability("pageLoadStrategy", "normal")
    browser = Chrome(options=options, service=Service(driver, log_output=os.devnull))
    yield browser
    browser.quit()


def open_page(browser: Chrome, page: Path, fragment: str = "") -> None:
    """Load a file anew, even if only the fragment differs from the page that is shown."""
    browser.get("about:blank")
    browser.get_log("browser")
    browser.get_log("performance")
    browser.get(page.as_uri() + fragment)


def messages(browser: Chrome) -> list[str]:
    """What the page has said to the console."""
    return [entry["message"] for entry in browser.get_log("browser")]


def requests(browser: Chrome) -> list[str]:
    """The URLs that were requested, but for the page itself."""
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    urls = [
        event["params"]["request"]["url"]
        for event in events
        if event["method"] == "Network.requestWillBeSent"
    ]
    return [url for url in urls if not url.startswith(("file:", "data:", "about:"))]
