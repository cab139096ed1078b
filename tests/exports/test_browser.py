"""The page in a real browser: it searches, sorts, draws, says nothing to the console and asks nobody for anything."""

from __future__ import annotations

from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from support.browser import browser as browser
from support.browser import messages, open_page, requests
from support.command_line import process

pytestmark = pytest.mark.slow

LIST = """\
# Papers on Systems

## Training

- Zebra: Training on Striped Disks ([OSDI 2020](https://example.org/zebra)) [[Paper](https://example.org/zebra.pdf)]
- Apple: Growing Models on Trees ([SOSP 2021](https://example.org/apple)) [[Paper](https://example.org/apple.pdf)]

### Parallel

- Émile: Learning Naturally ([OSDI 2021](https://example.org/emile)) [[Paper](https://example.org/emile.pdf)]

## Serving

- Quick: Answers Before Questions ([OSDI 2020](https://example.org/quick)) [[Paper](https://example.org/quick.pdf)]
"""
HOSTILE = """\
# List </title><script>window.harmed = 1</script>

## <img src=x onerror="window.harmed = 2"> section

- [`</script><script>window.harmed = 3</script>`](https://example.org/a) - An <b onclick="window.harmed = 4">end</b> \u202ereversed\u202c.
- [Script](javascript:window.harmed=5) - A [link](data:text/html,<script>window.harmed=6</script>) that runs.
- [Shown](https://example.org/b) - ![picture](https://example.org/picture.png) of it.
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("page"), LIST)


def made(folder: Path, text: str) -> Path:
    """The page of a list, made by the command."""
    (folder / "list.md").write_text(text, "utf-8")
    done = process("page", "list.md", "--isolated", "--no-cache", "--output-file", "list.html", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder / "list.html"


def titles(browser: Chrome) -> list[str]:
    """The titles in the table, without what follows them; read at once, as the page may draw anew."""
    script = 'return [...document.querySelectorAll(".entry .title")].map((cell) => cell.innerText)'
    found: list[str] = browser.execute_script(script)  # type: ignore[no-untyped-call]
    return [title.partition(":")[0] for title in found]


def chart(browser: Chrome, name: str) -> dict[str, str]:
    """The numbers of a chart, by the names of its bars."""
    script = """
        const bars = [...document.querySelectorAll(`[data-chart=${arguments[0]}] .bars button`)];
        return bars.map((bar) => [bar.querySelector(".name").innerText, bar.querySelector(".number").innerText]);
    """
    found: list[tuple[str, str]] = browser.execute_script(script, name)  # type: ignore[no-untyped-call]
    return dict(found)


def open_filters(browser: Chrome) -> None:
    """Show the charts, and wait until they are drawn."""
    click(browser, "#filters summary")
    WebDriverWait(browser, 30).until(lambda browser: browser.find_elements(By.CSS_SELECTOR, "figure"))


def choose(browser: Chrome, order: str) -> None:
    Select(browser.find_element(By.ID, "sort")).select_by_visible_text(order)


def groups(browser: Chrome) -> list[str]:
    return [group.text.replace("\n", " / ") for group in browser.find_elements(By.CSS_SELECTOR, "h2.group")]


def click(browser: Chrome, selector: str) -> None:
    browser.find_element(By.CSS_SELECTOR, selector).click()


def test_charts_are_drawn(browser: Chrome, page: Path) -> None:
    open_page(browser, page)
    assert browser.find_elements(By.CSS_SELECTOR, "figure") == []
    open_filters(browser)
    assert chart(browser, "year") == {"2020": "2", "2021": "2"}
    assert chart(browser, "venue") == {"OSDI": "3", "SOSP": "1"}
    assert chart(browser, "section") == {"Training": "3", "Parallel": "1", "Serving": "1"}
    bars = browser.find_elements(By.CSS_SELECTOR, "[data-chart=venue] .bar")
    assert bars[0].size["width"] == pytest.approx(3 * bars[1].size["width"], rel=0.05)
    assert messages(browser) == [] and requests(browser) == []


def test_search(browser: Chrome, page: Path) -> None:
    open_page(browser, page)
    field = browser.find_element(By.ID, "search")
    assert browser.switch_to.active_element == field
    open_filters(browser)
    field.send_keys("emile OSDI")
    WebDriverWait(browser, 30).until(lambda browser: titles(browser) == ["Émile"])
    assert "q=emile+OSDI" in browser.current_url
    assert chart(browser, "year") == {"2021": "1"}
    field.send_keys(Keys.BACKSPACE * 20 + "nothing like it")
    WebDriverWait(browser, 30).until(lambda browser: titles(browser) == [])
    assert "No entry matches" in browser.find_element(By.ID, "count").text
    click(browser, "#clear")
    assert len(titles(browser)) == 4 and browser.switch_to.active_element == field


def test_orders(browser: Chrome, page: Path) -> None:
    open_page(browser, page)
    assert titles(browser) == ["Zebra", "Apple", "Émile", "Quick"]
    assert groups(browser) == ["Training", "Training / Parallel", "Serving"]
    choose(browser, "Newest first")
    assert titles(browser) == ["Apple", "Émile", "Zebra", "Quick"] and groups(browser) == ["2021", "2020"]
    choose(browser, "By title")
    assert titles(browser) == ["Apple", "Émile", "Quick", "Zebra"] and groups(browser) == []
    assert "sort=title" in browser.current_url


def test_citing(browser: Chrome, page: Path) -> None:
    open_page(browser, page)
    click(browser, "[data-line='6'] .meta button")
    assert browser.find_element(By.ID, "bibtex").get_property("value") == (
        "@inproceedings{2021apple,\n"
        "  title = {{Apple: Growing Models on Trees}},\n"
        "  year = {2021},\n"
        "  booktitle = {ACM Symposium on Operating Systems Principles},\n"
        "  url = {https://example.org/apple},\n"
        "}\n"
    )
    browser.switch_to.active_element.send_keys(Keys.ESCAPE)
    click(browser, "#cite-shown")
    assert str(browser.find_element(By.ID, "bibtex").get_property("value")).count("@inproceedings") == 4
    assert messages(browser) == []


def test_filters_are_in_the_address(browser: Chrome, page: Path) -> None:
    open_page(browser, page)
    open_filters(browser)
    click(browser, "[data-facet=section][data-value=Training]")
    click(browser, "[data-facet=year][data-value='2021']")
    assert titles(browser) == ["Apple", "Émile"]
    address = browser.current_url
    browser.back()
    WebDriverWait(browser, 30).until(lambda browser: len(titles(browser)) == 3)
    open_page(browser, page, "#" + address.partition("#")[2])
    assert titles(browser) == ["Apple", "Émile"]
    removers = browser.find_elements(By.CSS_SELECTOR, "#active button")
    assert [button.get_attribute("aria-label") for button in removers] == [
        "Remove the filter Years: 2021",
        "Remove the filter Sections: Training",
    ]
    removers[0].click()
    assert titles(browser) == ["Zebra", "Apple", "Émile"]


@pytest.mark.parametrize(
    "fragment", ["#page=9", "#page=-3&sort=nonsense&year=", "#q=%", "#entries", "#year=1700"]
)
def test_addresses_that_were_typed(browser: Chrome, page: Path, fragment: str) -> None:
    open_page(browser, page, fragment)
    assert len(titles(browser)) == (0 if "1700" in fragment or "%" in fragment else 4)
    assert messages(browser) == []


def test_hostile_titles_are_text(browser: Chrome, tmp_path: Path) -> None:
    open_page(browser, made(tmp_path, HOSTILE))
    assert browser.execute_script("return window.harmed") is None  # type: ignore[no-untyped-call]
    assert len(titles(browser)) == 3
    assert "</script><script>window.harmed = 3</script>" in browser.find_element(By.TAG_NAME, "main").text
    targets = [link.get_attribute("href") or "" for link in browser.find_elements(By.CSS_SELECTOR, "main a")]
    assert targets and all(target.startswith("https://example.org/") for target in targets)
    assert messages(browser) == [] and requests(browser) == []


def test_the_policy_stops_other_scripts(browser: Chrome, tmp_path: Path) -> None:
    """The script of the page is named by its hash; one that somebody adds does not run."""
    page = made(tmp_path, LIST)
    text = page.read_text("utf-8").replace("</footer>", "</footer><script>window.harmed = 1</script>")
    page.write_text(text, "utf-8")
    open_page(browser, page)
    assert browser.execute_script("return window.harmed") is None  # type: ignore[no-untyped-call]
    assert any("Content Security Policy" in message for message in messages(browser))
    assert len(titles(browser)) == 4


@pytest.mark.parametrize("width", [390, 768, 1280, 1920])
def test_widths(browser: Chrome, page: Path, width: int) -> None:
    """Nothing is wider than the window, and the first entry stands in its upper half."""
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)  # type: ignore[no-untyped-call]
    try:
        open_page(browser, page)
        wide = browser.execute_script("return document.documentElement.scrollWidth - innerWidth")  # type: ignore[no-untyped-call]
        assert wide <= 0
        assert browser.find_element(By.CLASS_NAME, "entry").location["y"] < 450
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})  # type: ignore[no-untyped-call]


def test_a_phone_sees_the_latest_years_and_charts_stay_where_they_were(
    browser: Chrome, tmp_path: Path
) -> None:
    papers = (
        f"- {chr(65 + year - 2000)}-Shelves: Sorting on Time (OSDI {year}) [[Paper](https://example.org/{year})]\n"
        for year in range(2000, 2026)
    )
    metrics = {"width": 390, "height": 900, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)  # type: ignore[no-untyped-call]
    place = "const bars = document.querySelector('.years .bars'); return bars ? [bars.scrollLeft, bars.scrollWidth - bars.clientWidth] : [0, 0]"
    try:
        open_page(browser, made(tmp_path, "# Papers\n\n" + "".join(papers)))
        click(browser, "#filters summary")
        at_end = WebDriverWait(browser, 30).until(
            lambda browser: (found := browser.execute_script(place))[0] == found[1] > 0 and found[1]
        )
        click(browser, "[data-value='2020']")
        assert titles(browser) == ["U-Shelves"]
        assert browser.execute_script(place) == [at_end, at_end]  # type: ignore[no-untyped-call]
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})  # type: ignore[no-untyped-call]


def test_a_title_begins_where_its_description_does(browser: Chrome, tmp_path: Path) -> None:
    text = "# أدوات\n\n- [بحث](https://example.org/1) - أداة بحث.\n- [Find](https://example.org/2) - Finds.\n"
    open_page(browser, made(tmp_path, text))
    script = (
        "return [...document.querySelectorAll('.entry')].map((entry) => "
        "[...entry.children].map((child) => getComputedStyle(child).direction))"
    )
    assert browser.execute_script(script) == [["rtl", "rtl"], ["ltr", "ltr"]]  # type: ignore[no-untyped-call]


def test_a_link_around_a_whole_title_stands_once(browser: Chrome, tmp_path: Path) -> None:
    lines = (
        f"- [[{name}] Learning to {name} Well (OSDI 2020)](https://example.org/{name})\n"
        for name in ("Sort", "Stack", "Lend", "Read")
    )
    open_page(browser, made(tmp_path, "# Papers\n\n" + "".join(lines)))
    links = browser.find_elements(By.CSS_SELECTOR, ".entry a")
    assert [link.text for link in links] == [
        f"Learning to {name} Well" for name in ("Sort", "Stack", "Lend", "Read")
    ]


def test_what_nearly_all_entries_lack_or_share_is_no_chart(browser: Chrome, tmp_path: Path) -> None:
    """One of sixty states a venue; the heading above all but one is the page's title."""
    tools = "".join(f"- [Tool {number}](https://example.org/{number}) - Helps.\n" for number in range(60))
    paper = "- Paper: On Tools (OSDI 2020) [[Paper](https://example.org/p)]\n"
    other = "# Other\n\n- [Last](https://example.org/last) - Ends.\n"
    open_page(browser, made(tmp_path, f"# Tools\n\n## Files\n\n{tools}\n## Papers\n\n{paper}\n{other}"))
    open_filters(browser)
    shown = browser.find_elements(By.CSS_SELECTOR, "figure")
    assert "venue" not in [figure.get_attribute("data-chart") for figure in shown]
    assert chart(browser, "section") == {"Files": "60", "Papers": "1", "Other": "1"}
    open_page(browser, tmp_path / "list.html", "#q=OSDI")
    assert titles(browser) == ["Paper"]


def test_many_entries_are_shown_in_pages(browser: Chrome, tmp_path: Path) -> None:
    lines = (
        f"- [Tool {number}](https://example.org/{number}) - Does {number} things." for number in range(250)
    )
    open_page(browser, made(tmp_path, "# Tools\n\n" + "\n".join(lines) + "\n"))
    assert len(titles(browser)) == 100
    click(browser, "#pages button:last-child")
    click(browser, "#pages button:last-child")
    assert titles(browser)[0] == "Tool 200" and len(titles(browser)) == 50
    assert browser.find_element(By.ID, "count").text == "201 to 250 of 250 entries"
    assert not browser.find_element(By.CSS_SELECTOR, "#pages button:last-child").is_enabled()


def accessible_nodes(browser: Chrome) -> list[tuple[str, str]]:
    """Return the role and name of each node that a screen reader is given."""
    nodes = browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]  # type: ignore[no-untyped-call]
    return [
        (node["role"]["value"], node.get("name", {}).get("value", ""))
        for node in nodes
        if not node["ignored"]
    ]


def test_a_screen_reader_hears_names(browser: Chrome, page: Path) -> None:
    """Every control has a name, sections are headings, and the entries are lists."""
    metrics = {"width": 390, "height": 900, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)  # type: ignore[no-untyped-call]
    try:
        open_page(browser, page)
        # The browser builds the tree behind the page: at first it has the page alone.
        shown = WebDriverWait(browser, 30).until(
            lambda browser: "listitem" in dict(nodes := accessible_nodes(browser)) and nodes
        )
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})  # type: ignore[no-untyped-call]
    roles = [role for role, _ in shown]
    assert roles.count("heading") == 4 and roles.count("listitem") >= 4
    assert all(name for role, name in shown if role in ("button", "link", "searchbox"))
