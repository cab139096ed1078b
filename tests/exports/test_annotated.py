"""Annotated lists, from a text to lines."""

from __future__ import annotations

import dataclasses
import re
import sys
from collections.abc import Mapping
from types import FrameType

import pytest

from shelfread.document.file_kind import FileKind
from shelfread.exports.annotated import annotated as render
from shelfread.exports.annotated import excerpt
from shelfread.report.rendering import TerminalStyle
from support.project import read_text


def lines(text: str) -> list[str]:
    """The rows of a list in which nothing is uncertain, with single spaces between columns."""
    document = read_text(text)
    certain = tuple(entry._replace(uncertain=frozenset()) for entry in document.entries)
    shown = list(render([dataclasses.replace(document, entries=certain)], TerminalStyle()))
    if "```text" not in shown:
        return []
    rows = shown[shown.index("```text") + 1 : shown.index("```")]
    return [" ".join(row.split()) for row in rows if row]


def counts(text: str) -> list[str]:
    """The counts after a list."""
    return [line for line in render([read_text(text)], TerminalStyle()) if line.startswith("- ")]


PAPER = "- Tidy Shelves: A Study of Rows ({}) [[Paper](https://arxiv.org/abs/2001.00001)]\n"


@pytest.mark.parametrize(
    ("venue", "stated"),
    [
        ("OSDI 2020", ["3 venue OSDI 2020"]),
        ("OSDI'20", ["3 venue OSDI 2020, written OSDI'20"]),
        ("NIPS 2019", ["3 venue NeurIPS 2019, written NIPS 2019"]),
    ],
)
def test_a_venue_as_written(venue: str, stated: list[str]) -> None:
    found = lines("# Papers\n\n" + PAPER.format(venue))
    assert [line for line in found if line.startswith(("3 venue", "3 year"))] == stated


def test_a_venue_of_a_heading() -> None:
    text = "# Papers\n\n## OSDI 2020\n\n- Tidy Shelves: A Study of Rows [[Paper](https://a.org/x.pdf)]\n"
    found = lines(text)
    assert "3 section ## OSDI 2020 [venue OSDI, year 2020]" in found
    assert "5 venue OSDI 2020, from a heading" in found


def test_authors_and_notes() -> None:
    found = lines(PAPER.format("OSDI 2020") + "  - Ada Stone, Ben Field\n  - Moves the books.\n")
    assert found[0].startswith("1-3 paper | - Tidy Shelves: A Study of Rows (OSDI 2020)")
    assert "1 authors Ada Stone; Ben Field" in found
    assert "1 notes 1" in found


def test_affiliations() -> None:
    assert "1 affiliations NYU; UC Berkeley" in lines(PAPER.format("OSDI 2020") + "  - NYU, UC Berkeley\n")


def test_lines_without_a_link_that_are_no_entries() -> None:
    text = "# Tools\n\n- [One](https://one.org) - A tool.\n- [Two](https://two.org) - A tool.\n- Nothing to see here\n"
    assert "5 no entry: words without a link | - Nothing to see here" in lines(text)
    assert "- 1 part with no entry: words without a link (1)" in counts(text)


def test_a_missing_field_that_is_uncertain() -> None:
    text = (
        "- **Tidy Shelves for Readers**. ICML 2019. [[pdf](https://arxiv.org/abs/2001.00001)] (**TShelf**)\n"
    )
    assert "1 name? none was read" in [
        " ".join(line.split()) for line in render([read_text(text)], TerminalStyle())
    ]


def test_a_section_that_is_no_heading() -> None:
    found = lines("**Tools**\n\n- [One](https://one.org) - A tool.\n")
    assert found[0] == "1 section Tools (bold words)"


def test_links_in_an_entry_that_no_field_holds() -> None:
    document = read_text("# Tools\n\n- [One](https://one.org) - Of [two](https://two.org).\n")
    (entry,) = document.entries
    unread = dataclasses.replace(document, entries=(entry._replace(links=()),))
    shown = list(render([unread], TerminalStyle()))
    # What is in a description is read.
    assert [line for line in shown if "unread" in line] == [
        "3    unread        One <https://one.org>",
        "- 1 unread link in entries",
    ]


def test_lines_with_links_that_are_in_no_entry() -> None:
    text = (
        "# List\n\n[![Badge](https://b.org/b.svg)](https://b.org)\n![Image](https://b.org/i.png)\n\n"
        "- See [a](https://a.org) and [b](https://b.org),\n  or [c](#list), or mail <a@b.org>,\n  or https://c.org\n"
    )
    assert [line for line in lines(text) if "not read" in line] == [
        "6 not read: | - See [a](https://a.org) and [b](https://b.org),",
        "8 not read: | or https://c.org",
    ]
    assert counts(text)[-1] == "- 2 lines with links not read"


def test_a_row_of_html_shows_its_title() -> None:
    text = "<table>\n<tr>\n<td><a href='https://arxiv.org/abs/2001.00001'>Tidy Shelves: A Study of Rows</a></td>\n</tr>\n</table>\n"
    found = [line for line in lines(text) if " paper |" in line or " entry |" in line]
    assert found and all("Tidy Shelves" in line for line in found)


def test_colours_are_the_terminal_s_only() -> None:
    document = read_text("# List\n\n" + PAPER.format("OSDI 2020"))
    plain = list(render([document], TerminalStyle()))
    coloured = list(render([document], TerminalStyle(colour=True)))
    assert plain != coloured
    assert plain == [re.sub(r"\033\[\d+m", "", line) for line in coloured]


@pytest.mark.parametrize("length", [0, 1, 159, 160, 161, 100_000])
def test_long_text_loses_its_middle(length: int) -> None:
    text = "".join(chr(97 + index % 26) for index in range(length))
    shown = excerpt(f"xx{text}xx", 2, length + 2, 160)
    if length <= 160:
        assert shown == text
    else:
        head, tail = shown.split(" … ")
        assert len(head) + len(tail) == 160
        assert text.startswith(head) and text.endswith(tail)


# ---------------------------------------------------------------------------------------- it is linear
MANY: Mapping[str, str] = {
    "entries": "- [One](https://one.org) - Of [two](https://two.org).\n",
    "papers": PAPER.format("OSDI 2020") + "  - Ada Stone\n  - [x](https://x.org)\n",
    "links in prose": "See [a](https://a.org).\n",
    "links in one line": "See [a](https://a.org). ",
    "sections": "## A Section\n\n- [One](https://one.org)\n\n",
    "contents": "- [One](#one)\n\n<!-- -->\n\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("unit", MANY.values(), ids=MANY)
def test_the_work_grows_with_the_list(unit: str) -> None:
    calls, characters = zip(*(_work(unit * number) for number in (100, 400)), strict=True)
    assert calls[1] <= 5 * calls[0]
    assert characters[1] <= 5 * characters[0]


def _work(text: str) -> tuple[int, int]:
    """Return how many functions are called for a list, and how many characters are printed."""
    document = read_text(text)
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        shown = list(render([document], TerminalStyle()))
    finally:
        sys.setprofile(before)
    return calls, sum(map(len, shown))


def test_entries_in_one_long_line_repeat_little_of_it() -> None:
    row = "<td><a href='https://arxiv.org/abs/2001.00001'>Tidy Shelves: A Study of Rows</a></td>"
    text = "<table>" + f"<tr>{row}</tr>" * 300 + "</table>\n"
    assert _work(text)[1] < 600 * 300


def test_a_file_that_is_no_list_says_only_what_it_is() -> None:
    licence = dataclasses.replace(read_text("- [A](https://a.org) - B.\n"), kind=FileKind.LICENCE, entries=())
    _, _, *shown = render([licence], TerminalStyle())
    assert [line.partition(",")[0] for line in shown] == ["- no list but a licence"]
