"""The documentation site: built from the pages, without dead links or other hosts, and used in a browser."""

from __future__ import annotations

import json
import re
import sys
import threading
from collections.abc import Iterator
from functools import partial
from html import unescape
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest
from click.testing import CliRunner
from selenium.webdriver import Chrome
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from shelfread.cli import COMMANDS, group
from support.browser import browser
from support.gitrepo import Run
from support.paths import ROOT

__all__ = ["browser"]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("zensical") is None, reason="the generator needs Python 3.11"),
]


class Page(HTMLParser):
    """The addresses that a page names: those of links, and those that it loads itself."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "a" and given.get("href"):
            self.links.append(str(given["href"]))
        source = given.get("src") or (
            given.get("href") if tag == "link" and given.get("rel") == "stylesheet" else None
        )
        if source:
            self.loaded.append(source)


class Handler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def html(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built site."""
    output = tmp_path_factory.mktemp("site")
    run(
        ["env", f"PYTHONPATH={ROOT / 'linter'}", sys.executable, ROOT / "site/build.py", "--output", output],
        ROOT,
    )
    return output / "html"


@pytest.fixture(scope="module")
def address(html: Path) -> Iterator[str]:
    """The address under which the site is served."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(html))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def pages(html: Path) -> dict[str, Page]:
    return {path.relative_to(html).as_posix(): Page(path.read_text("utf-8")) for path in html.rglob("*.html")}


def test_it_has_every_page(html: Path, pages: dict[str, Page]) -> None:
    rules = {f"rules/{path.parent.name}/{path.stem}.html" for path in (ROOT / "rules").glob("*/*.md")}
    docs = {f"docs/{path.stem}.html" for path in (ROOT / "docs").glob("*.md")}
    assert rules | docs | {"index.html", "rules/index.html", "CHANGELOG.html"} <= set(pages)
    commands = (html / "docs/commands.html").read_text("utf-8")
    assert all(f">shelfread {name}<" in commands for name in COMMANDS)
    assert "--unsafe-fixes" in commands
    assert "slugs" in (html / "docs/configuration.html").read_text("utf-8")


def test_the_navigation_leads_to_each_of_its_pages(pages: dict[str, Page]) -> None:
    text = (ROOT / "site/zensical.toml").read_text("utf-8")
    named = {path.replace(".md", ".html") for path in re.findall(r' = "(\S+\.md)"', text)}
    assert len(named) > 20 and named <= {link.removeprefix("./") for link in pages["index.html"].links}


def test_bars_in_tables_have_no_backslash(html: Path) -> None:
    text = (html / "docs/markdown.html").read_text("utf-8")
    assert "# a | b⏎--|--" in unescape(text) and r"\|" not in text


def test_no_page_loads_anything_from_another_host(pages: dict[str, Page]) -> None:
    assert [url for page in pages.values() for url in page.loaded if urlsplit(url).netloc] == []


def test_no_link_is_dead(address: str, pages: dict[str, Page], tmp_path: Path) -> None:
    """Asked by shelfread itself, anchors too."""
    found = {
        urljoin(address + name, link)
        for name, page in pages.items()
        for link in page.links
        if name != "404.html" and not urlsplit(link).scheme
    }
    listed = "".join(f"- [Page {number}]({url})\n" for number, url in enumerate(sorted(found)))
    (tmp_path / "list.md").write_text(f"# Site\n\n{listed}")
    words = ["--isolated", "--no-cache", "--select", "link", "--allow-private", urlsplit(address).netloc]
    done = CliRunner().invoke(group, ["links", str(tmp_path / "list.md"), *words, "--output-format", "json"])
    report = json.loads(done.stdout)
    assert len(found) > 300 and len(report["links"]) == len({urldefrag(url).url for url in found})
    assert [link["url"] for link in report["links"] if link["verdict"] != "alive"] == []
    rules = {"link/dead", "link/moved", "link/fragment"}
    assert [found["message"] for found in report["diagnostics"] if found["rule"] in rules] == []


def test_the_search_finds_a_rule(address: str, browser: Chrome) -> None:
    browser.set_window_size(1280, 900)
    browser.get(address)
    wait = WebDriverWait(browser, 20)
    wait.until(lambda driver: driver.find_elements(By.CSS_SELECTOR, "button.md-search__button"))
    browser.find_element(By.CSS_SELECTOR, "button.md-search__button").click()
    field = "document.activeElement.shadowRoot?.activeElement"
    wait.until(lambda driver: driver.execute_script(f"return {field}?.tagName === 'INPUT'"))
    ActionChains(browser).send_keys("venue-agrees").perform()
    found = "[...(document.activeElement.shadowRoot?.querySelectorAll('a') ?? [])].map(link => link.href)"
    wanted = f"{address}rules/paper/venue-agrees.html"
    wait.until(lambda driver: any(url.startswith(wanted) for url in driver.execute_script(f"return {found}")))
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


@pytest.mark.parametrize("name", ["index.html", "rules/paper/venue-agrees.html", "docs/commands.html"])
def test_a_page_fits_on_a_phone(address: str, browser: Chrome, name: str) -> None:
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": True},
    )
    browser.get(address + name)
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 390  # type: ignore[no-untyped-call]
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
