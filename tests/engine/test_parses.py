"""Each file is read and parsed once a run, whatever is asked for."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from shelfread.cli.options import FORMATS
from shelfread.core import source
from shelfread.engine import load_save as load
from shelfread.engine import results
from shelfread.markdown import parse
from support.command_line import shelfread

LISTS = {
    "a.md": "# A\n\n- [One](http://github.com/a/one) - Does it.\n- [Two](https://two.org) - Does it.\n",
    "b.md": "# B\n\n- [Three](https://three.org) - Does it.\n- [One](http://github.com/a/one) - Again.\n",
    "clean.md": "# Clean\n\n- [Four](https://four.org) - Does it.\n",
}


@pytest.fixture
def counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Counter[str]]]:
    """How often each file's bytes were read, and each text was parsed."""
    monkeypatch.chdir(tmp_path)
    for name, text in LISTS.items():
        (tmp_path / name).write_text(text)
    read, parsed = Counter[str](), Counter[str]()
    read_bytes, parse_tree = source.read_bytes, parse.parse

    def count_reads(path: str) -> bytes:
        read[path] += 1
        return read_bytes(path)

    def count_parses(text: Any, *arguments: Any) -> Any:
        parsed[next((name for name, known in LISTS.items() if known == text.text), "another text")] += 1
        return parse_tree(text, *arguments)

    for reader in (load, results):
        monkeypatch.setattr(reader, "read_bytes", count_reads)
    for module in ("document.read", "fixes.rounds", "format.format"):
        monkeypatch.setattr(f"shelfread.{module}.parse", count_parses, raising=False)
    yield {"read": read, "parsed": parsed}


ONCE = Counter(dict.fromkeys(LISTS, 1))


@pytest.mark.parametrize(
    "words",
    [
        ["check"],
        *(["check", "--output-format", form] for form in FORMATS),
        ["check", "--statistics"],
        ["check", "--write-baseline", "known.json"],
        ["fix", "--select", "link/shortener"],
        ["fix", "--diff", "--select", "link/shortener"],
        ["links", "--offline"],
        ["links", "--offline", "--output-format", "sarif"],
        ["export"],
    ],
    ids=" ".join,
)
def test_every_file_is_read_and_parsed_once(counts: dict[str, Counter[str]], words: list[str]) -> None:
    done = shelfread(*words)
    assert done.exit_code in (0, 1), done.output
    assert counts == {"read": ONCE, "parsed": ONCE}


def test_a_baseline_costs_no_second_parse(counts: dict[str, Counter[str]]) -> None:
    assert shelfread("check", "--write-baseline", "known.json").exit_code == 0
    for count in counts.values():
        count.clear()
    assert shelfread("check", "--baseline", "known.json", "--output-format", "sarif").exit_code == 0
    assert counts == {"read": ONCE, "parsed": ONCE}
    for count in counts.values():
        count.clear()
    assert shelfread("fix", "--baseline", "known.json").exit_code == 0
    assert counts == {"read": ONCE, "parsed": ONCE}


def test_a_fix_parses_what_it_changes_again(counts: dict[str, Counter[str]]) -> None:
    assert shelfread("fix", "--select", "link/insecure", "--output-format", "sarif").exit_code == 0
    assert counts["read"] == ONCE
    assert counts["parsed"] == ONCE | Counter({"another text": 2})


@pytest.mark.parametrize("words", [["fix"], ["format"]], ids=" ".join)
def test_the_work_grows_with_the_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    def calls(count: int) -> int:
        """Return how many calls a run makes; its time would depend on the machine."""
        folder = tmp_path / str(count)
        (folder / ".git").mkdir(parents=True)
        monkeypatch.chdir(folder)
        for number in range(count):
            text = f"# List {number}\n\n- [A](http://github.com/a/{number}) - Does teh thing.\n* [B](https://b.org/{number}) \n"
            (folder / f"{number}.md").write_text(text)
        counted = 0

        def count_call(*_: object) -> None:
            nonlocal counted
            counted += 1

        sys.setprofile(count_call)
        try:
            done = shelfread(*words, *(["-j", "1"] if words[0] == "fix" else []))
        finally:
            sys.setprofile(None)
        assert done.exit_code in (0, 1), done.output
        return counted

    calls(2)
    assert calls(48) < 5 * calls(12)
