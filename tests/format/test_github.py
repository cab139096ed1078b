"""GitHub's own parser is the judge: a formatted text shows the same page there, or its block is left and named."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from shelfread.cli import group
from shelfread.core.diagnostics import TextEdit, apply_edits
from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.format.format import format_source
from shelfread.format.restyle import format_entries
from shelfread.format.result import ENTRY_STYLES, EntryStyle, FormatResult, Style
from shelfread.format.same_page import is_same_page, read_page
from shelfread.taxonomy.load import load
from shelfread.taxonomy.vocabulary import Vocabulary
from support.examples import CARDS, PAGES
from support.markdown_upstream import github_page, odd_text, shown_links, shown_words
from support.paths import SHARED

STYLES = [Style(), Style(bullet="*"), Style(number="consecutive"), Style(end_of_line="lf")]


def formatted(text: str, style: Style = Style()) -> FormatResult:  # noqa: B008  # a tuple is never changed
    """Format a text, which shows the same page on GitHub and does not change any more."""
    result = format_source(Source(text), style)
    if result.text != text:
        assert github_page(result.text) == github_page(text)
        assert format_source(Source(result.text), style).text == result.text
    return result


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Title \n=====\n* a\n* b\n", "Title\n=====\n\n* a\n* b\n"),
        ("Text\n| A | B |\n|---|---|\n| 1 | 2 |\n", "Text\n\n| A | B |\n|---|---|\n| 1 | 2 |\n"),
    ],
)
def test_where_the_parser_of_github_gives_odd_positions(text: str, right: str) -> None:
    """It ends an underlined heading with the block below, and gives a paragraph above a table none."""
    assert is_same_page(read_page(text), read_page(right))


# ------------------------------------------------------------------------------------- what it links itself
USUAL = " ".join(["*a*"] * 20 + ["**b**"] * 20) + "\n\n"
ADDRESSES = [
    "https://example.org/main/__init__.py and _x_",
    "http://example.org/_x_",
    "HTTPS://example.org/a?b=_x_&c=__y__",
    "www.example.org/_x_/__y__",
    "ftp://example.org/_x_",
    "f_o_@example.org",
    "mailto:f_o_@example.org",
    "xmpp:f@example.org/_x_",
    "(https://example.org/_x_)",
    '"https://example.org/_x_"',
    "中https://example.org/_x_",
    "[https://example.org/_x_",
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_mark_within_a_bare_address_is_edited(address: str) -> None:
    text = USUAL + f"- See {address}\n"
    after = formatted(text).text
    assert after.replace("*x*", "_x_").endswith(f"- See {address}\n")
    assert address.split()[0] in after


def test_marks_beside_an_address_are_edited() -> None:
    text = USUAL + "- _x_ is at https://example.org/y_z and <https://example.org/> has _y_\n"
    assert formatted(text).text == text.replace("_x_", "*x*").replace(" _y_", " *y*")


# ---------------------------------------------------------------------------------- what is read differently
LAZY = {
    "a quote that is lazy text": "100. Do this:\n    > quote\n",
    "a fence that is lazy text": "100. Do this:\n    ```\n",
    "a heading that is lazy text": "100. Do this:\n    # heading\n",
    "a rule that is lazy text": "100. Do this:\n    ---\n",
    "the same in a nested list": "- 100. Do this:\n      > quote\n- b \n- c\n- d\n- e\n",
    "the same behind a quote": "> - Do this:\n    - item\n",
    "the same behind two quotes": "> > q\n     * e\n",
    "the same in a quote": "> a\n    > # b\n",
    "a tag that ends a list": "- a\n<br>\n# b\n",
    "a tag that ends a quote": "> a\n</b>\n- b\n",
    "a table behind an item": "- a | b\n--|--\n\n\nc\n",
    "a table of one column": "- a\n  |-\n- b \n",
    "code behind a definition": "[x]: y\n\t~~~\n- b \n",
    "a footnote of several paragraphs": "[^1]: a\n    b\n\u00a0c\n",
    "a declaration in small letters": "a\n<!doctype x>\n# b \n",
    "a tag that only GitHub knows": "a\n<source>\n# b \n",
}


@pytest.mark.parametrize("text", LAZY.values(), ids=list(LAZY))
def test_what_parsers_read_differently_shows_the_same(text: str) -> None:
    for style in STYLES:
        formatted(text, style)


@pytest.mark.parametrize("text", ["# no heading", "> no quote"])
def test_it_is_named_if_it_would_show_something_else(text: str) -> None:
    text = f"- a\n- b\n- c\n-   d\n        {text}\n"
    result = formatted(text)
    assert (result.text, len(result.unformatted)) == (text, 1)
    assert result.unformatted[0].reason.startswith("that would change what the page shows")


SAME = {
    "an empty task": "- [x] a\n- [ ] \n- [ ]\n- b \n",
    "a footnote": "a[^1] b[^u]\n\n[^1]: c\n\n    d\n\n    - e\n[^u]: example.com\n",
    "a heading with a pipe": "# a | b\n--|--\n",
    "a heading with a pipe above a row": "# a | b\n--|--\n1 | 2\n",
    "newlines of all kinds": "1.\r \n0.\r\n- a\r\r\nb \r",
    "struck words": "- ~a~ b \n- ~~c~~ \n- d\n",
}


@pytest.mark.parametrize("text", SAME.values(), ids=list(SAME))
def test_it_is_the_same_page(text: str) -> None:
    for style in (*STYLES, Style(end_of_line="crlf")):
        formatted(text, style)


def test_the_space_of_an_empty_task_stays() -> None:
    assert formatted("- [x] a\n- [ ] \n- b \n- c\n- d\n").text == "- [x] a\n- [ ] \n- b\n- c\n- d\n"


# --------------------------------------------------------------------------------------- all other texts
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_odd_texts(seed: int) -> None:
    random = Random(seed)
    for _ in range(60):
        formatted(odd_text(random), random.choice(STYLES))


@pytest.mark.slow
@pytest.mark.parametrize("id", PAGES)
def test_examples_of_rules(id: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    read_once(monkeypatch)
    for example in PAGES[id].examples:
        for name, text in example.files.items():
            if name.endswith(".md"):
                formatted(text)
                if CARDS[id].fix in ("safe", "mixed") and not example.web:
                    check_marks(text, id)
                for entry in ENTRY_STYLES:
                    check_entries(text, entry)


# ---------------------------------------------------------------------------------------- fixes and entries
def check_marks(text: str, rule: str = "") -> None:
    """Apply the safe fixes that edit marks only: links and words stay as they are."""
    command = ["check", "--output-format", "json", "--isolated", "--exit-zero"]
    command += ["--select", rule] if rule else []
    done = CliRunner().invoke(group, [*command, "-"], input=text.encode())
    edits: list[TextEdit] = []
    taken: set[int] = set()
    for finding in json.loads(done.stdout)["diagnostics"]:
        fix = finding["fix"]
        if fix is None or fix["applicability"] != "safe":
            continue
        new = [TextEdit(edit["start"], edit["end"], edit["text"]) for edit in fix["edits"]]
        marks_only = all(edit["effect"]["change"] == "markup" for edit in fix["edits"])
        touched = {offset for edit in new for offset in range(edit.start, edit.end + 1)}
        if marks_only and taken.isdisjoint(touched):
            edits += new
            taken |= touched
    after = apply_edits(text, edits)
    assert shown_links(after) == shown_links(text)
    assert shown_words(after) == shown_words(text)


def read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the styles that a text is written in have its document from the first one."""
    known: dict[str, Document] = {}

    def read_known(source: Source, vocabulary: Vocabulary) -> Document:
        if source.text not in known:
            known[source.text] = read(source, vocabulary)
        return known[source.text]

    monkeypatch.setattr("shelfread.format.restyle.read", read_known)


def check_entries(text: str, entry: EntryStyle) -> None:
    """Write entries in a style: every link stays, and every word but labels and the names of columns."""
    after = format_entries(Source(text), Style(entry=entry), load(None)).text
    if after == text:
        return
    assert Counter(shown_links(after)) == Counter(shown_links(text))
    lost = Counter(shown_words(text)) - Counter(shown_words(after))
    assert lost <= Counter(shown_words(text, "a|th"))


# A spread of the lists: all of them take minutes and gigabytes.
LISTS = sorted((SHARED / "corpus").glob("*/README.md"))[::60]


@pytest.mark.slow
@pytest.mark.skipif(not LISTS, reason="there are no lists beside the checkout")
@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.parent.name)
def test_real_lists(path: Path) -> None:
    text = path.read_bytes().decode("utf-8-sig")
    formatted(text)
    check_marks(text)
    for entry in ENTRY_STYLES:
        check_entries(text, entry)
