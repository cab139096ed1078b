"""The page of an audit in a real browser: it filters, sorts, says nothing to the console and asks nobody for anything."""

from __future__ import annotations

from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from support.browser import browser as browser
from support.browser import messages, open_page, requests
from support.command_line import process
from support.many_lists import LISTS, write_lists

pytestmark = pytest.mark.slow

HOSTILE = """\
# `</script><script>window.harmed = 1</script>`

- [`<img src=x onerror="window.harmed = 2">`](https://example.org/a) - An <b onclick="window.harmed = 3">end</b>.
- [Fd](htps://github.com/sharkdp/fd) - Finds teh files.
"""
MANY = {f"list-{number:02}": LISTS["tools"].replace("ripgrep", f"ripgrep{number}") for number in range(30)}


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    write_lists(folder / "lists", {**LISTS, **MANY, "hostile": HOSTILE, "broken": "# List\n"})
    (folder / "lists/broken/.shelfread.yaml").write_text("ruels: {}\n")
    done = process("audit", "lists", "--output", "out", "--format", "csv", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder / "out/index.html"


def names(browser: Chrome) -> list[str]:
    script = "return [...document.querySelectorAll('#list-table tbody tr')].map((row) => row.dataset.list)"
    found: list[str] = browser.execute_script(script)  # type: ignore[no-untyped-call]
    return found


def text(browser: Chrome, selector: str) -> str:
    return browser.find_element(By.CSS_SELECTOR, selector).text


def test_what_is_shown(browser: Chrome, page: Path) -> None:
    open_page(browser, page)
    assert text(browser, "h1") == "Audit of 35 lists"
    assert "1 list not read in full" in text(browser, "#summary")
    assert text(browser, "[data-rule='link/malformed'] .number") == "32 findings in 32 lists"
    assert names(browser)[0] == "broken" and len(names(browser)) == 25
    assert "unknown key 'ruels'" in text(browser, "[data-list=broken] .error")
    things = [item.text for item in browser.find_elements(By.CSS_SELECTOR, "#shared-things li")]
    assert things[0].startswith("Fd 33 lists: ") and things[0].endswith("and 3 more")
    flash = next(thing for thing in things if thing.startswith("Flash"))
    assert flash.endswith("2 lists: graphs, speed")
    rows = [row.text.split() for row in browser.find_elements(By.CSS_SELECTOR, "#published-table tbody tr")]
    assert [row[:3] for row in rows] == [["EuroSys", "1", "1"], ["NeurIPS", "1", "1"]]
    assert messages(browser) == [] and requests(browser) == []


def test_filters_and_order(browser: Chrome, page: Path) -> None:
    open_page(browser, page)
    browser.find_element(By.CSS_SELECTOR, "[data-rule='link/malformed']").click()
    assert "rule=link%2Fmalformed" in browser.current_url and "1 to 25 of 32 lists" in text(browser, "#count")
    assert browser.switch_to.active_element.get_attribute("data-rule") == "link/malformed"
    browser.find_element(By.ID, "search").send_keys("hostile")
    WebDriverWait(browser, 30).until(lambda browser: names(browser) == ["hostile"])
    browser.find_element(By.ID, "clear").click()
    assert "of 35 lists" in text(browser, "#count")
    browser.find_element(By.CSS_SELECTOR, "[data-sort=list]").click()
    assert names(browser)[:2] == ["broken", "graphs"]
    browser.find_element(By.CSS_SELECTOR, "[data-sort=papers]").click()
    assert names(browser)[:2] == ["graphs", "speed"]
    browser.find_element(By.XPATH, "//button[text()='Next']").click()
    assert "26 to 35 of 35 lists" in text(browser, "#count")
    browser.back()
    assert names(browser)[:2] == ["graphs", "speed"]
    open_page(browser, page, "#q=nothing&rule=none")
    assert "No list matches" in text(browser, "#count")


def test_a_list_leads_to_its_findings_and_a_finding_to_its_lists(browser: Chrome, page: Path) -> None:
    open_page(browser, page, "#q=hostile")
    browser.find_element(By.CSS_SELECTOR, "[data-list=hostile] summary").click()
    found = [item.text for item in browser.find_elements(By.CSS_SELECTOR, "[data-list=hostile] details li")]
    assert found == ["link/malformed 1"] and text(browser, "[data-list=hostile] summary") == "1 finding"
    browser.find_element(By.XPATH, "//details//button[text()='link/malformed']").click()
    assert "rule=link%2Fmalformed" in browser.current_url and "of 32 lists" in text(browser, "#count")
    assert messages(browser) == []


def test_the_parts_of_the_page(browser: Chrome, page: Path) -> None:
    """A link to a part is no state: the lists stay as they are."""
    open_page(browser, page, "#q=hostile")
    browser.find_element(By.CSS_SELECTOR, "main nav a[href='#published']").click()
    assert names(browser) == ["hostile"] and messages(browser) == []


def test_hostile_lists(browser: Chrome, page: Path) -> None:
    open_page(browser, page, "#q=hostile")
    harmed = browser.execute_script("return window.harmed")  # type: ignore[no-untyped-call]
    assert harmed is None and messages(browser) == []
    assert "<script>window.harmed = 1</script>" in text(browser, "[data-list=hostile]")


@pytest.mark.parametrize("width", [360, 1280])
def test_nothing_is_wider_than_the_screen(browser: Chrome, page: Path, width: int) -> None:
    metrics = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)  # type: ignore[no-untyped-call]
    try:
        open_page(browser, page)
        widths = browser.execute_script("return [document.documentElement.scrollWidth, innerWidth]")  # type: ignore[no-untyped-call]
        assert widths[0] <= widths[1] == width
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})  # type: ignore[no-untyped-call]
