"""Configurations, taxonomies and rules that ask too much are refused in a line that names the limit."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.command_line import LIST, here, sample, shelfread

pytestmark = pytest.mark.slow

__all__ = ["here", "sample"]

DOTS = "a." * 50_000 + "b"
PAGE = "---\nsummary: Checks for x.\nseverity: warning\npresets: [core]\ncheck: {check}\nmessage: x\n{more}---\n# x/y\n\nText.\n"


def refused(*words: str) -> str:
    done = shelfread(*(words or ("check", "list.md")))
    assert done.exit_code == 2 and not done.stdout and done.stderr.count("\n") == 1
    assert done.exception is None or isinstance(done.exception, SystemExit)
    return done.stderr.removeprefix("shelfread: ").strip()


@pytest.mark.parametrize(
    ("taxonomy", "said"),
    [
        (
            "venues:\n" + "".join(f"  v{number}: {{prefLabel: V {number}}}\n" for number in range(5001)),
            "taxonomy.yaml:2:3: 'venues' has 5,001 keys, but at most 5,000 are allowed",
        ),
        (
            f"concepts:\n  a: {{prefLabel: {'x' * 301}}}\n",
            "taxonomy.yaml:2:18: 'prefLabel' has 301 characters, but at most 300 are allowed",
        ),
        (f"extends: {'x' * 400}.yaml\n", "taxonomy.yaml:1:10: no taxonomy 'xxx"),
        (
            f"extends: {DOTS}\n",
            "taxonomy.yaml:1:10: 'extends' has 100,001 characters, but at most 1,000 are allowed",
        ),
    ],
)
def test_taxonomies(taxonomy: str, said: str, here: Path) -> None:
    (here / "taxonomy.yaml").write_text(taxonomy)
    assert refused("check", "--taxonomy", "taxonomy.yaml", "list.md").startswith(said)


@pytest.mark.parametrize(
    ("config", "said"),
    [
        (
            f"exclude: ['{'x' * 301}']",
            ":1:11: item 1 of 'exclude' has 301 characters, but at most 300 are allowed",
        ),
        (f"taxonomy: {DOTS}.yaml", ":1:11: 'taxonomy' has 100,006 characters, but at most 1,000 are allowed"),
        (f"taxonomy: {'x' * 400}.yaml", ":1:11: there is no file 'xxx"),
        (
            "include: [" + ", ".join(f"'{'a*' * 20}{number}/**/*.md'" for number in range(2000)) + "]",
            ":1:10: too many patterns, or too many wildcards: use fewer or simpler ones",
        ),
    ],
)
def test_configurations(config: str, said: str, here: Path) -> None:
    (here / ".shelfread.yaml").write_text(f"{config}\n")
    assert refused().startswith(f".shelfread.yaml{said}")


def test_many_plain_patterns_are_fine(here: Path) -> None:
    (here / ".shelfread.yaml").write_text(
        "exclude: [.shelfread/, " + ", ".join(f"x{number}/**/*.md" for number in range(2000)) + "]\n"
    )
    assert shelfread("check", "list.md").exit_code == 1


@pytest.mark.parametrize(
    ("check", "more", "said"),
    [
        (DOTS, "", ":5:8: 'check' has 100,001 characters, but at most 200 are allowed"),
        ("own.required", "", ":2:1: options of x/y: 'field' is missing"),
        ("own.forbidden", "options: {field: title}\n", ":7:10: options of x/y: 'pattern' is missing"),
    ],
)
def test_rules(check: str, more: str, said: str, here: Path) -> None:
    (here / ".shelfread/rules/x").mkdir(parents=True)
    (here / ".shelfread/rules/x/y.md").write_text(PAGE.format(check=check, more=more))
    assert refused() == f".shelfread/rules/x/y.md{said}"


@pytest.mark.parametrize("replacement", ["teh " * 25_000, "teh teh", "teh " * 100])
def test_a_replacement_that_contains_what_it_replaces(replacement: str, here: Path) -> None:
    (here / ".shelfread/rules/x").mkdir(parents=True)
    options = f'options: {{field: description, pattern: teh, replacement: "{replacement}"}}\nfix: safe\n'
    (here / ".shelfread/rules/x/y.md").write_text(PAGE.format(check="own.forbidden", more=options))
    assert shelfread("fix", "list.md", "--select", "x/y").exit_code == 1
    assert (here / "list.md").read_text() == LIST
    done = shelfread("fix", "list.md", "--select", "x/y,word/the")
    assert done.exit_code in (0, 1) and len((here / "list.md").read_text()) <= len(LIST)
