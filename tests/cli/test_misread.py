"""Lists that are misread as a whole: each is named in one line, no rule rests on their fields, and no fix uses them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from shelfread.cli import group
from shelfread.document.misread import audit_series
from shelfread.document.model import Entry, MisreadSeries
from support.project import read_text

_NUMBERS = ("One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve")
SAID = "list.md: 13 entries of 'Models' are read with little certainty"


def lines(form: str) -> str:
    """Return a section of papers, of which one is listed twice."""
    papers = (form.format(f"Tidy Shelves for {word} Readers", index) for index, word in enumerate(_NUMBERS))
    listed = [*papers, form.format("Tidy Shelves for Two Readers", 1)]
    return "# Papers\n\n## Models\n\n" + "".join(f"- {line}\n" for line in listed)


WELL_READ = lines("[{}](https://arxiv.org/abs/2001.{:05d}) ICML 2020")
MISREAD = lines("[20-SHLV-{}](http://arxiv.org/abs/2001.{:05d})")


def shelfread(*words: str) -> Result:
    return CliRunner().invoke(group, [*words])


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "list.md").write_text(MISREAD)
    return tmp_path


def families() -> set[str]:
    """Return the families of the rules that find something."""
    report = json.loads(shelfread("check", "--show-info", "--output-format", "json", "list.md").stdout)
    return {finding["rule"].partition("/")[0] for finding in report["diagnostics"]}


@pytest.mark.parametrize("command", [["export"], ["page"], ["check"], ["export", "--annotate"]])
def test_one_line_says_it(command: list[str], root: Path) -> None:
    assert shelfread(*command, "list.md").stderr.splitlines().count(f"shelfread: {SAID}") == 1
    (root / "list.md").write_text(WELL_READ)
    assert "certainty" not in shelfread(*command, "list.md").stderr


def test_it_is_said_again_of_a_kept_result() -> None:
    assert shelfread("check", "list.md").stderr == shelfread("check", "list.md").stderr != ""


def test_no_rule_rests_on_its_fields(root: Path) -> None:
    assert {"entry", "paper"}.isdisjoint(families())
    assert "link" in families()
    (root / "list.md").write_text(WELL_READ)
    assert not {"entry", "paper"}.isdisjoint(families())


def test_all_its_fields_are_uncertain() -> None:
    entries = json.loads(shelfread("export", "list.md").stdout)
    assert all({"title", "year"} <= set(entry["uncertain"]) for entry in entries)


def doubted(field: str, count: int) -> tuple[list[Entry], tuple[MisreadSeries, ...]]:
    """Return the audit of a well-read series in which a field of so many entries is uncertain."""
    document = read_text(WELL_READ)
    entries = [
        entry._replace(uncertain=frozenset({field} if index < count else ()))
        for index, entry in enumerate(document.entries)
    ]
    return audit_series(entries, document.sections)


def test_a_field_that_is_uncertain_in_most_is_so_in_all() -> None:
    entries, misread = doubted("venue", 7)
    assert misread == ()
    assert {entry.uncertain for entry in entries} == {frozenset({"venue"})}
    entries, _ = doubted("venue", 6)
    assert not entries[-1].uncertain


def test_two_of_five_titles_decide() -> None:
    entries, misread = doubted("title", 6)
    assert misread == (MisreadSeries("Models", tuple(range(13))),)
    assert all({"title", "venue", "year"} <= entry.uncertain for entry in entries)
    entries, misread = doubted("title", 5)
    assert misread == ()


def test_titles_that_repeat_labels() -> None:
    text = "# Shops\n\n" + "".join(
        f"- [address](https://shop{n}.example.org) - No. {n}.\n" for n in range(14)
    )
    assert read_text(text).misread == (MisreadSeries("Shops", tuple(range(14))),)


def test_few_entries_are_not_judged() -> None:
    assert read_text("\n".join(MISREAD.splitlines()[:10])).misread == ()


RESULTS = "# Parsing\n\n| Model | F1 | Paper |\n|---|---|---|\n" + "".join(
    f"| Model {number} | 9{number}.{number}1 | [A Study of Trees](https://trees.org/{number}) |\n"
    for number in range(9)
)


@pytest.mark.parametrize("command", ["check", "export", "page"])
def test_rows_of_results_that_are_left_out(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "list.md").write_text(RESULTS)
    said = "9 rows of results in 1 file are no entries ('shelfread export --annotate' shows them): list.md"
    assert said in shelfread(command, "list.md").stderr
    (tmp_path / "list.md").write_text(RESULTS + "\n" + "- [Fd](https://fd.org) - Finds files quickly.\n" * 9)
    assert "rows of results" not in shelfread(command, "list.md").stderr
