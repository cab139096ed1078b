"""Custom rules with patterns: pages in `.shelfread/rules`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from shelfread.cli import group
from support.command_line import write_page

LIST = """# Tools

- [uv](https://example.org/uv-blazingly-fast) - A blazingly fast installer, see [revolutionary](https://example.org/blazing-fast).
- [pip](http://example.org/pip) - The installer (`blazing fast`).

## Papers!

- A Study of Jobs (OSDI 2020) [[Paper](https://arxiv.org/abs/2001.00001)] [[Kode](https://example.org/code)]
  - a blazing fast note
"""


def found(root: Path, **changes: object) -> list[tuple[str, str]]:
    """Return the text that each finding is at, and its message."""
    write_page(root, "entry/own", **changes)
    (root / ".shelfread.yaml").write_text("select: [entry/own]\n")
    (root / "list.md").write_text(LIST)
    done = CliRunner().invoke(group, ["check", str(root / "list.md"), "--output-format", "json"])
    assert done.exit_code in (0, 1), done.output
    return [
        (LIST[finding["start"] : finding["end"]], finding["message"])
        for finding in json.loads(done.output)["diagnostics"]
    ]


FORBIDDEN = {"check": "own.forbidden", "message": "'{match}: {match}'", "fix": None}
REQUIRED = {"check": "own.required", "message": "'{value}: {title}'", "fix": None}


@pytest.mark.parametrize(
    ("field", "pattern", "places"),
    [
        (
            "description",
            "(?i)blazing(ly)? fast|revolutionary",
            ["blazingly fast", "revolutionary", "blazing fast"],
        ),
        ("note", "(?i)blazing(ly)? fast", ["blazing fast"]),
        ("url", "^http:", ["http:"]),
        ("label", "^Kode$", ["Kode"]),
        ("venue", "2020", ["2020"]),
        ("section", "!$", ["!"]),
        ("title", "x*", []),
        ("line", "`.*?`", ["`blazing fast`"]),
        ("author", ".", []),
    ],
)
def test_forbidden(tmp_path: Path, field: str, pattern: str, places: list[str]) -> None:
    options = json.dumps({"field": field, "pattern": pattern})
    assert [place for place, _ in found(tmp_path, **FORBIDDEN, options=options)] == places


def test_required(tmp_path: Path) -> None:
    options = "{field: url, pattern: '^https:'}"
    assert found(tmp_path, **REQUIRED, options=options) == [
        ("http://example.org/pip", "http://example.org/pip: pip")
    ]


def test_the_fix_writes_the_replacement(tmp_path: Path) -> None:
    options = "{field: label, pattern: '^Kode$', replacement: Code}"
    assert found(tmp_path, **{**FORBIDDEN, "fix": "safe"}, options=options) == [("Kode", "Kode: Kode")]
    done = CliRunner().invoke(group, ["fix", str(tmp_path / "list.md")])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "list.md").read_text() == LIST.replace("Kode", "Code")


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("(?=a)", "look-around and back-references are not supported"),
        (r"(a)\\1", "look-around and back-references are not supported"),
        ("a(", "missing ): a("),
    ],
)
def test_a_pattern_that_re2_cannot_run_is_refused_with_its_place(
    tmp_path: Path, pattern: str, reason: str
) -> None:
    write_page(tmp_path, "entry/own", **FORBIDDEN, options=f'{{field: title, pattern: "{pattern}"}}')
    (tmp_path / ".shelfread.yaml").write_text("select: [entry/own]\n")
    (tmp_path / "list.md").write_text(LIST)
    done = CliRunner().invoke(group, ["check", str(tmp_path / "list.md")])
    assert done.exit_code == 2
    assert "entry/own.md:6:" in done.stderr
    assert "'pattern' is not a pattern that google-re2 can run" in done.stderr
    assert reason in done.stderr and done.stderr.count("\n") == 1


def test_a_catastrophic_pattern_takes_no_time(tmp_path: Path) -> None:
    write_page(tmp_path, "entry/own", **FORBIDDEN, options="{field: title, pattern: '^(a+)+$'}")
    (tmp_path / ".shelfread.yaml").write_text("select: [entry/own]\n")
    (tmp_path / "list.md").write_text(f"- [{'a' * 50_000}!](https://example.org) - Text.\n")
    assert CliRunner().invoke(group, ["check", str(tmp_path / "list.md")]).exit_code == 0
