"""Entries of several dialects written in one: what is rewritten, what stays, and that nothing is lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from shelfread.cli import group
from shelfread.core.source import Source
from shelfread.document.entry_data import entry_data
from shelfread.document.read import read
from shelfread.format.restyle import format_entries
from shelfread.format.result import EntryStyle, Style
from shelfread.taxonomy.load import load

BARE = load(None)
STYLES: tuple[EntryStyle, ...] = ("bracket-links", "linked-title", "table")

MIXED = """\
# Papers

## Serving

- Orca: A Distributed Serving System for Generative Models (OSDI 2022) [[Paper](https://www.usenix.org/conference/osdi22/presentation/yu)]
- [Efficient Memory Management for Large Models with Paging](https://arxiv.org/abs/2309.06180) (SOSP 2023) [[Code](https://github.com/a/paging)]
- **Fast Distributed Inference for Everyone.** OSDI 2024. [[pdf](https://arxiv.org/abs/2401.14351)]
- [EuroSys'25] [State Restoration in Language Model Serving](https://arxiv.org/abs/2410.05004)
- [Splitting Phases of Inference](https://arxiv.org/abs/2311.18677) by Ann Author et al., ISCA 2024
  - University of Nowhere
- 🔥 Stateful Serving of Long Contexts [[MLSys2024]](https://arxiv.org/abs/2312.05516) [[Code]](https://github.com/a/b)

## Training

| Title | Venue | Links |
|---|---|---|
| Pipelines for Training of Very Deep Networks | SOSP 2019 | [Paper](https://arxiv.org/abs/1806.03377), [Code](https://github.com/a/pipes) |
| Memory Optimizations toward Training Huge Models | SC 2020 | [Paper](https://arxiv.org/abs/1910.02054) |

## Tools

- [A Tool](https://example.org/tool) - Does something.
"""


def said(text: str) -> list[dict[str, Any]]:
    """What the entries of a text say, but for how and where, and the words of labels."""
    document = read(Source(text, "list.md"), BARE.vocabulary)
    found = []
    for entry in document.entries:
        data = entry_data(entry, document, BARE)
        for key in ("dialect", "line", "end_line"):
            del data[key]
        data["notes"] = [
            " ".join(note.split()) for note in data["notes"]
        ]  # their further lines may be indented
        data["links"] = sorted((str(one["role"]), one["url"]) for one in data["links"])
        found.append(data)
    return found


def styled(text: str, entry: EntryStyle) -> tuple[str, list[tuple[int, str]]]:
    """A text in a style, which says the same and is its own canonical form; and what was left."""
    style = Style(entry=entry)
    result = format_entries(Source(text, "list.md"), style, BARE)
    assert said(result.text) == said(text)
    again = format_entries(Source(result.text, "list.md"), style, BARE)
    assert (again.text, again.unformatted) == (result.text, result.unformatted)
    return result.text, [tuple(one) for one in result.unformatted]


def test_three_dialects_become_bracket_links() -> None:
    text, left = styled(MIXED, "bracket-links")
    assert left == []
    assert (
        text
        == """\
# Papers

## Serving

- Orca: A Distributed Serving System for Generative Models (OSDI 2022) [[Paper](https://www.usenix.org/conference/osdi22/presentation/yu)]
- Efficient Memory Management for Large Models with Paging (SOSP 2023) [[Paper](https://arxiv.org/abs/2309.06180)] [[Code](https://github.com/a/paging)]
- Fast Distributed Inference for Everyone (OSDI 2024) [[pdf](https://arxiv.org/abs/2401.14351)]
- State Restoration in Language Model Serving (EuroSys'25) [[Paper](https://arxiv.org/abs/2410.05004)]
- Splitting Phases of Inference by Ann Author et al., ISCA 2024 [[Paper](https://arxiv.org/abs/2311.18677)]
  - University of Nowhere
- 🔥 Stateful Serving of Long Contexts [[MLSys2024]](https://arxiv.org/abs/2312.05516) [[Code]](https://github.com/a/b)

## Training

| Title | Venue | Links |
|---|---|---|
| Pipelines for Training of Very Deep Networks | SOSP 2019 | [Paper](https://arxiv.org/abs/1806.03377), [Code](https://github.com/a/pipes) |
| Memory Optimizations toward Training Huge Models | SC 2020 | [Paper](https://arxiv.org/abs/1910.02054) |

## Tools

- [A Tool](https://example.org/tool) - Does something.
"""
    )


def test_three_dialects_become_linked_titles() -> None:
    text, left = styled(MIXED, "linked-title")
    assert left == []
    assert (
        text
        == """\
# Papers

## Serving

- [Orca: A Distributed Serving System for Generative Models](https://www.usenix.org/conference/osdi22/presentation/yu) (OSDI 2022)
- [Efficient Memory Management for Large Models with Paging](https://arxiv.org/abs/2309.06180) (SOSP 2023) [[Code](https://github.com/a/paging)]
- [Fast Distributed Inference for Everyone](https://arxiv.org/abs/2401.14351) (OSDI 2024)
- [EuroSys'25] [State Restoration in Language Model Serving](https://arxiv.org/abs/2410.05004)
- [Splitting Phases of Inference](https://arxiv.org/abs/2311.18677) by Ann Author et al., ISCA 2024
  - University of Nowhere
- 🔥 [Stateful Serving of Long Contexts](https://arxiv.org/abs/2312.05516) (MLSys2024) [[Code](https://github.com/a/b)]

## Training

| Title | Venue | Links |
|---|---|---|
| Pipelines for Training of Very Deep Networks | SOSP 2019 | [Paper](https://arxiv.org/abs/1806.03377), [Code](https://github.com/a/pipes) |
| Memory Optimizations toward Training Huge Models | SC 2020 | [Paper](https://arxiv.org/abs/1910.02054) |

## Tools

- [A Tool](https://example.org/tool) - Does something.
"""
    )


def test_three_dialects_become_tables() -> None:
    text, left = styled(MIXED, "table")
    assert left == [
        (12, "a row has no room for what is below its title line"),
        (14, "the entries beside it stay in the list"),
    ]
    assert text == MIXED.replace(
        MIXED[MIXED.index("- Orca") : MIXED.index("- [Splitting")],
        """\
| Title | Venue | Links |
| --- | --- | --- |
| Orca: A Distributed Serving System for Generative Models | OSDI 2022 | [Paper](https://www.usenix.org/conference/osdi22/presentation/yu) |
| Efficient Memory Management for Large Models with Paging | SOSP 2023 | [Paper](https://arxiv.org/abs/2309.06180), [Code](https://github.com/a/paging) |
| Fast Distributed Inference for Everyone | OSDI 2024 | [pdf](https://arxiv.org/abs/2401.14351) |
| State Restoration in Language Model Serving | EuroSys'25 | [Paper](https://arxiv.org/abs/2410.05004) |

""",
    )


# ------------------------------------------------------------------------------------ the list's own way
URL = "https://arxiv.org/abs/2401.0000"


def many(line: str, count: int = 4) -> str:
    """Entries that have the list's own way, which `line` is with `N` for their number."""
    return "".join(line.replace("N", str(number)) + "\n" for number in range(1, count + 1))


LEARNED = {
    "escaped brackets": (
        "bracket-links",
        many(f"- Paper Number N of Many (OSDI 2024) \\[[Paper]({URL}N)]"),
        f"- [A Paper of Another Dialect]({URL}9) (OSDI 2024)\n",
        f"- A Paper of Another Dialect (OSDI 2024) \\[[Paper]({URL}9)]\n",
    ),
    "brackets within": (
        "bracket-links",
        many(f"- Paper Number N of Many [OSDI 2024] [[paper]]({URL}N)"),
        f"- [A Paper of Another Dialect]({URL}9) (OSDI 2024)\n",
        f"- A Paper of Another Dialect [OSDI 2024] [[paper]]({URL}9)\n",
    ),
    "several in brackets": (
        "bracket-links",
        many(f"- Paper Number N of Many [[Paper]({URL}N), [Code](https://github.com/a/N)]"),
        f"- [A Paper of Another Dialect]({URL}9) [[Code](https://github.com/a/b)]\n",
        f"- A Paper of Another Dialect [[Paper]({URL}9), [Code](https://github.com/a/b)]\n",
    ),
    "bold titles": (
        "linked-title",
        many(f"- **[Paper Number N of Many]({URL}N)** (OSDI 2024)"),
        f"- A Paper of Another Dialect. OSDI 2024 [[Paper]({URL}9)]\n",
        f"- **[A Paper of Another Dialect]({URL}9)** (OSDI 2024)\n",
    ),
    "a name that is linked": (
        "bracket-links",
        many(f"- Paper Number N of Many [[Paper]({URL}N)]"),
        f"- [Orca]({URL}9): A Serving System of Many Words\n",
        f"- Orca: A Serving System of Many Words [[Paper]({URL}9)]\n",
    ),
    "a venue before its title": (
        "bracket-links",
        many(f"- Paper Number N of Many (OSDI 2024) [[Paper]({URL}N)]"),
        f"- [SOSP'23] A Paper of Another Dialect [[Paper]({URL}9)]\n- [SOSP'23] A Paper Without a Link of Its Own\n",
        f"- A Paper of Another Dialect (SOSP'23) [[Paper]({URL}9)]\n- A Paper Without a Link of Its Own (SOSP'23)\n",
    ),
    "of several labels in brackets one": (
        "linked-title",
        "",
        f"- A Paper of Another Dialect, to Appear ([code](https://github.com/a/b), [paper]({URL}9))\n",
        f"- [A Paper of Another Dialect, to Appear]({URL}9) [[code](https://github.com/a/b)]\n",
    ),
    "a label that says only that it is a link": (
        "linked-title",
        many(f"- [OSDI'24] [Paper Number N of Many]({URL}N)"),
        f"- [SOSP'23] A Paper of Another Dialect [[link]]({URL}9)\n",
        f"- [A Paper of Another Dialect]({URL}9) [SOSP'23]\n",
    ),
    "a date is no label that may go": (
        "linked-title",
        many(f"- [Paper Number N of Many]({URL}N) (OSDI 2024)"),
        f"- A Paper of Another Dialect [[17 Jan 2024]]({URL}9)\n",
        f"- [A Paper of Another Dialect]({URL}9) (17 Jan 2024)\n",
    ),
    "pipes in rows": (
        "table",
        many(f"- Paper Number N of Many (OSDI 2024) [[Paper]({URL}N)]", 2),
        f"- On P(a|b) and Its Many Estimators (OSDI 2024) [[Paper]({URL}9)]\n",
        "| Title | Venue | Links |\n| --- | --- | --- |\n"
        + many(f"| Paper Number N of Many | OSDI 2024 | [Paper]({URL}N) |", 2)
        + f"| On P(a\\|b) and Its Many Estimators | OSDI 2024 | [Paper]({URL}9) |\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("entry", "others", "text", "right"), LEARNED.values(), ids=list(LEARNED))
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_the_list_s_own_way(entry: EntryStyle, others: str, text: str, right: str, newline: str) -> None:
    before = others if entry != "table" else ""
    after, left = styled((others + text).replace("\n", newline), entry)
    assert (after, left) == ((before + right if entry != "table" else right).replace("\n", newline), [])


def test_the_brackets_of_a_venue_s_link_are_not_those_of_venues() -> None:
    linked = many(f"- Paper Number N of Many ([OSDI 202N](N.md)) [[Paper]({URL}N)]")
    after, left = styled(
        f"{linked}- A Paper of Another Dialect (SOSP 2023) [[Paper]({URL}9)]\n", "linked-title"
    )
    assert left == []
    assert after.endswith(f"([OSDI 2024](4.md))\n- [A Paper of Another Dialect]({URL}9) (SOSP 2023)\n")


LEFT = {
    "no link to move": ("linked-title", "- A Paper of Many Words (OSDI 2024)\n", "its title line has no link to its paper"),
    "an empty link": ("linked-title", "- A Paper of Many Words (OSDI 2024) [[Paper]()]\n", "its paper's link has no URL"),
    "a reference": ("bracket-links", f"- [A Paper of Many Words] (OSDI 2024)\n\n[A Paper of Many Words]: {URL}1\n", "its title's link is not an inline link"),
    "two in one paragraph": (
        "bracket-links",
        f"- [A Paper of Many Words]({URL}1), [Another Paper of Many Words]({URL}2)\n",
        "it is not an item of a list; it shares its paragraph with another entry",
    ),
    "a venue in a bracket that says more": (
        "bracket-links",
        f"- [NAIC, SIGCOMM'25] A Paper of Many Words [[Paper]({URL}1)]\n",
        "the bracket of its venue has more than the venue",
    ),
    "a venue before, words behind": (
        "bracket-links",
        f"- [OSDI'24] A Paper of Many Words [[Paper]({URL}1)] by the same group\n",
        "its venue is before its title, and more than links is behind it",
    ),
    "words behind a venue in its bracket": (
        "bracket-links",
        "- [FAST'25 WiP] A Paper of Many Words\n",
        "brackets or HTML around its venue would be left over",
    ),
    "half an HTML element": (
        "linked-title",
        f"- A Paper <ins>of Many Words [[Paper]({URL}1)]\n",
        "an HTML element would begin or end within its title's link",
    ),
    "an element of nothing else": (
        "table",
        f"- A Paper of Many Words, <ins>arXiv, 2024</ins> [[Paper]({URL}1)]\n",
        "brackets or HTML around its venue would be left over",
    ),
    "numbers": ("table", f"1. A Paper of Many Words (OSDI 2024) [[Paper]({URL}1)]\n", "its number would be lost"),
    "an empty link as a title": ("bracket-links", "* (arXiv) [Tidy Shelves and Boxes]()\n", "its title's link has no URL"),
}  # fmt: skip


@pytest.mark.parametrize(("entry", "text", "reason"), LEFT.values(), ids=list(LEFT))
def test_what_cannot_be_rewritten_stays_and_is_named(entry: EntryStyle, text: str, reason: str) -> None:
    after, left = styled(text, entry)
    assert after == text
    assert "; ".join(why for _, why in left) == reason


@pytest.mark.parametrize("entry", STYLES)
@pytest.mark.parametrize(
    "line",
    [
        "* (arXiv)[e]()<r>(www.F]",
        "- [EuroSys] [x][r] [[pdf]]()",
        "1. `A` [y](<>) (arXiv 2020)",
        "- [](u) OSDI 2022",
    ],
)
def test_broken_lines_are_no_errors(entry: EntryStyle, line: str) -> None:
    styled(f"{line}\n", entry)
    styled(many(f"- Paper Number N of Many (OSDI 2024) [[Paper]({URL}N)]") + f"{line}\n", entry)


@pytest.mark.parametrize("entry", STYLES)
def test_switched_off_and_generated_parts_stay(entry: EntryStyle) -> None:
    text = (
        f"<!-- shelfread-format off -->\n\n- [A Paper of Many Words]({URL}1) (OSDI 2024)\n"
        f"- Another Paper of Words (OSDI 2024) [[Paper]({URL}2)]\n\n<!-- shelfread-format on -->\n"
    )
    assert styled(text, entry) == (text, [])


_TITLES = st.sampled_from(
    ["Orca: A Serving System", "On `code` and *Emphasis* in Titles", "P(a|b) Revisited", "A_b \\[c] &amp; d",
     "**Bold**: A Title of Words", "Über “Quotes” in Titles?", "A [Bracket] in a Title"]
)  # fmt: skip
_ENTRIES = st.builds(
    lambda form, title, number, below: form.format(title=title, url=f"{URL}{number}") + below,
    st.sampled_from(
        ["- {title} (OSDI 2024) [[Paper]({url})]", "- [{title}]({url}) (SOSP 2023)", "* **{title}.** arXiv 2024. [pdf]({url})",
         "- [NSDI'24] [{title}]({url}) [[Code](https://github.com/a/b)]", "- [{title}]({url}) by Ann Author et al.",
         '1. "{title}", *Ann Author et al.*, ATC 2022. ([Paper]({url}), [Slides](https://a.org/s.pdf))', "- {title} [[EuroSys 2024]]({url})",
         "- {title} \\[[Paper]({url})] <br> 2024", "> - [{title}]({url}), ICML 2021", "| {title} | OSDI 2024 | [Paper]({url}) |",
         "| Title | Venue | Links |\n|-|-|-|", "## {title}", "", "Text.", "- [{title}](https://example.org/{title}) - A tool."]
    ),
    _TITLES,
    st.integers(1, 9),
    st.sampled_from(["", "\n  - A note of words.", "\n  second line", "  "]),
)  # fmt: skip


@pytest.mark.slow
@given(st.lists(_ENTRIES, max_size=8), st.sampled_from(STYLES))
def test_no_text_loses_anything(lines: list[str], entry: EntryStyle) -> None:
    styled("\n".join(lines), entry)


# ----------------------------------------------------------------------------------------- the command
def test_the_command_rewrites_a_project_as_most_of_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.md").write_text(many(f"- Paper Number N of Many (OSDI 2024) \\[[Paper]({URL}N)]"))
    (tmp_path / "b.md").write_text(f"- [A Paper of Another Dialect]({URL}9) (OSDI 2024)\n")
    (tmp_path / "c.md").write_text(f"## A Title in a Heading (OSDI 2024)\n\n[Paper]({URL}8)\n")
    done = CliRunner().invoke(group, ["format", "--entry-style", "bracket-links", "--isolated", "."])
    assert done.exit_code == 0
    assert (
        tmp_path / "b.md"
    ).read_text() == f"- A Paper of Another Dialect (OSDI 2024) \\[[Paper]({URL}9)]\n"
    assert "c.md:1: not formatted: it is not an item of a list" in done.stderr
    (tmp_path / ".shelfread.yaml").write_text("format: {entry: linked-title}\n")
    assert CliRunner().invoke(group, ["format", "--check", "b.md"]).exit_code == 1
    assert CliRunner().invoke(group, ["format", "b.md"]).exit_code == 0
    assert (tmp_path / "b.md").read_text() == f"- [A Paper of Another Dialect]({URL}9) (OSDI 2024)\n"


def test_many_that_stay_for_one_reason_are_named_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, count in (("six.md", 6), ("more.md", 9)):
        text = many("- Paper Number N of Many (OSDI 2024)", count)
        (tmp_path / name).write_text(text.replace("8 of", "8\n  of"))
    command = ["format", "--entry-style", "linked-title", "--isolated"]
    six = CliRunner().invoke(group, [*command, "six.md"]).stderr.splitlines()
    assert [line.split(": not")[0] for line in six[:-1]] == [f"shelfread: six.md:{at}" for at in range(1, 7)]
    more = CliRunner().invoke(group, [*command, "more.md"]).stderr.splitlines()
    assert more[4:6] == [
        "shelfread: more.md:5: not formatted: its title line has no link to its paper",
        "shelfread: more.md: and 4 more not formatted: its title line has no link to its paper: lines 6-8, 10",
    ]


@pytest.mark.parametrize(("left", "count"), [(5, 1), (4, 4)])
def test_a_style_that_leaves_many_alone_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, left: int, count: int
) -> None:
    monkeypatch.chdir(tmp_path)
    text = many("- Paper Number N of Many (OSDI 2024)", left)
    text += many("- Another Paper N of Many (OSDI 2024) [[Paper](https://arxiv.org/abs/2401.0000N)]", 9)
    (tmp_path / "list.md").write_text(text)
    done = CliRunner().invoke(group, ["format", "--entry-style", "linked-title", "--isolated", "list.md"])
    said = [line for line in done.stderr.splitlines() if "not formatted" in line]
    assert len(said) == count
    assert ((tmp_path / "list.md").read_text() == text) == (count == 1)
    assert ("linked-title would leave 5 of 14 papers as they are" in said[0]) == (count == 1)


def test_an_unknown_style_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(group, ["format", "--entry-style", "tables", "."]).exit_code == 2
