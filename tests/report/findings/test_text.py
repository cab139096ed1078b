"""What a report looks like, and that nothing in a list can forge it."""

from __future__ import annotations

import json
import re

import pytest

from shelfread.core.diagnostics import Applicability, Change, Diagnostic, Edit, Effect, Fix, Severity, Span
from shelfread.core.source import Source
from shelfread.engine.run import FileResult, Run
from shelfread.fixes.rounds import FixResult
from shelfread.report.context import RenderContext
from shelfread.report.diff import unified_diff_lines
from shelfread.report.findings import json as json_report
from shelfread.report.findings import statistics, text
from shelfread.report.snippet import snippet
from shelfread.report.terminal import TerminalStyle, printable, width
from shelfread.rulebook.metadata import load

WORDS = Effect(Change.WORDS, "teh", "the")


def found(source: str, what: str, *edits: Edit, rule: str = "word/the", **changes: object) -> Diagnostic:
    start = source.index(what)
    fields: dict[str, object] = {
        "rule": rule,
        "severity": Severity.WARNING,
        "message": f"{what} is misspelt",
        "path": "list.md",
        "span": Span(start, start + len(what)),
        "fix": Fix(edits, Applicability.SAFE) if edits else None,
    }
    return Diagnostic(**{**fields, **changes})  # type: ignore[arg-type]


def edit(source: str, what: str, new: str, change: Change = Change.WORDS) -> Edit:
    start = source.index(what)
    return Edit(start, start + len(what), new, Effect(change, what, new))


def shown(source: str, one: Diagnostic, style: TerminalStyle | None = None) -> list[str]:
    return list(text.diagnostic_lines(one, Source(source, "list.md"), style or TerminalStyle()))


def run(source: str, *diagnostics: Diagnostic, **changes: object) -> Run:
    outcome = FileResult("list.md", Source(source, "list.md"), diagnostics, 3, 5, ("core", "papers"))
    return Run((outcome._replace(**changes),), ())  # type: ignore[arg-type]


def test_a_finding() -> None:
    source = "# A\n\n- Read teh book\n"
    assert shown(source, found(source, "teh", edit(source, "teh", "the"))) == [
        "list.md:3:8: warning[word/the] teh is misspelt",
        "3 | - Read teh book",
        "  |        ^^^",
        "  = fix: the",
    ]


def test_a_fix_that_needs_a_yes_and_one_that_was_not_kept() -> None:
    source = "teh\n"
    one = found(source, "teh", fix=Fix((edit(source, "teh", "the"),), Applicability.UNSAFE))
    assert shown(source, one)[-1] == "  = unsafe fix: the"
    lines = list(
        text.diagnostic_lines(one, Source(source, "list.md"), TerminalStyle(), "it would change 'x'")
    )
    assert lines[-1] == "  = not fixed: it would change 'x'"


@pytest.mark.parametrize(
    ("edits", "said"),
    [
        ([("teh", "the")], "the book"),
        ([("teh ", "")], "book"),
        ([("teh", "the"), ("book", "hook")], "the hook"),
        ([("teh book", "")], "remove 'teh book'"),
        ([(" book", " ")], "'teh '"),
    ],
)
def test_a_fix_is_shown_as_the_place_will_be(edits: list[tuple[str, str]], said: str) -> None:
    source = "- Read teh book\n"
    one = found(source, "teh book", *(edit(source, *pair) for pair in edits))
    assert shown(source, one)[-1] == f"  = fix: {said}"


def test_fixes_of_many_lines_name_them() -> None:
    source = "one\ntwo\nthree\nfour\n"
    moved = (Edit(0, 0, "three\n", Effect(Change.MOVED)), Edit(8, 14, "", Effect(Change.MOVED)))
    assert shown(source, found(source, "three", *moved))[-1] == "  = fix: move line 3 before line 1"
    gone = edit(source, "two\nthree\n", "", Change.REMOVED)
    assert shown(source, found(source, "two", gone))[-1] == "  = fix: remove lines 2-3"
    new = edit(source, "two", "two\ntoo", Change.STRUCTURE)
    assert shown(source, found(source, "two", new))[-1] == "  = fix: rewrite line 2"
    other = Edit(0, 1, "x", WORDS, "other.md")
    assert shown(source, found(source, "two", other))[-1] == "  = fix: changes other.md"


@pytest.mark.parametrize(
    ("line", "what", "indent", "length"),
    [
        ("ab teh", "teh", 3, 3),
        ("\tteh", "teh", 4, 3),
        ("列表 teh", "teh", 5, 3),
        ("teh 列表", "列表", 4, 4),
        ("🎉 teh", "teh", 3, 3),
        ("e\u0301 teh", "teh", 2, 3),
        ("\u202eteh", "teh", 8, 3),
        ("a\u200bteh", "\u200b", 1, 8),
        ("", "", 0, 1),
    ],
)
def test_places_are_underlined_where_they_show(line: str, what: str, indent: int, length: int) -> None:
    start = line.index(what)
    made = snippet(Source(line), Span(start, start + len(what)), 80, TerminalStyle())
    assert (made.indent, made.length) == (indent, length)


@pytest.mark.parametrize("start", [0, 1, 50, 200, 399, 400, 799, 990, 1000])
@pytest.mark.parametrize("length", [0, 1, 10, 39, 40, 41, 300])
@pytest.mark.parametrize("style", [TerminalStyle(), TerminalStyle(unicode=False)])
@pytest.mark.parametrize("alphabet", ["abcdefghij", "列表a🎉b", "\u202ea\t"])
def test_a_long_line_is_cut_around_the_place(
    start: int, length: int, style: TerminalStyle, alphabet: str
) -> None:
    line = (alphabet * 1000)[:1000]
    made = snippet(Source(line), Span(start, min(start + length, 1000)), 40, style)
    assert width(made.text) <= 40
    assert made.indent + made.length <= 41
    if 0 < length <= 10 and alphabet == "abcdefghij":
        assert made.text[made.indent : made.indent + made.length] == line[start : start + length]


def test_a_short_line_is_whole() -> None:
    assert snippet(Source("a" * 40), Span(39, 40), 40, TerminalStyle()).text == "a" * 40


def test_a_place_of_many_lines_shows_its_first() -> None:
    made = snippet(Source("one\ntwo\nthree"), Span(4, 13), 80, TerminalStyle())
    assert (made.text, made.indent, made.length) == ("two", 0, 3)


def test_a_megabyte_in_one_line_is_quick() -> None:
    import time

    source = Source("teh " * 250_000)
    begun = time.perf_counter()
    for start in range(0, 1_000_000, 1000):
        snippet(source, Span(start, start + 3), 100, TerminalStyle())
    assert time.perf_counter() - begun < 3


def test_nothing_in_a_list_forges_the_report() -> None:
    evil = "\x1b[2K\rall\u202egood\x00\x07\u2028\x85\x9b31m"
    source = f"teh {evil}"
    lines = shown(source, found(source, "teh", message=evil, path=f"{evil}.md"))
    assert not re.search("[\x00-\x1f\x7f-\x9f\u202e\u2028]", "".join(lines))
    assert "<U+001B>[2K<U+000D>all<U+202E>good" in lines[0]
    assert printable("👩‍💻 می‌خواهم") == "👩‍💻 می‌خواهم"


def test_the_summary() -> None:
    source = "teh ten\n"
    fix = edit(source, "teh", "the")
    unsafe = Fix((fix,), Applicability.UNSAFE)
    many = run(
        source,
        found(source, "teh", fix),
        found(source, "teh", fix=unsafe, severity=Severity.ERROR),
        found(source, "ten", severity=Severity.INFO),
    )
    assert list(text.summary_lines(many, TerminalStyle())) == [
        "1 error, 1 warning in 3 entries of list.md (core, papers).",
        "1 can be fixed with 'shelfread fix', 1 more with '--unsafe-fixes'.",
        "1 info hidden (show with --show-info).",
        "For an explanation of a rule: shelfread rule word/the",
    ]
    assert "1 info" in next(text.summary_lines(many, TerminalStyle(), Severity.INFO))
    assert list(text.summary_lines(run(source), TerminalStyle())) == [
        "No problems found in 3 entries of list.md (core, papers)."
    ]
    assert list(text.summary_lines(Run((), ()), TerminalStyle())) == []


def test_the_summary_after_a_fix() -> None:
    one = found("teh", "teh")
    fixed = FixResult("the", [one, one], [], [])
    assert next(text.summary_lines(run("the", fixed=fixed), TerminalStyle())) == "2 findings fixed."


def test_colours_are_off_unless_wanted() -> None:
    source = "teh"
    assert "\x1b" not in "".join(shown(source, found(source, "teh")))
    assert "\x1b[33;1mwarning\x1b[0m" in shown(source, found(source, "teh"), TerminalStyle(colour=True))[0]


def test_statistics() -> None:
    source = "teh"
    fix = edit(source, "teh", "the")
    many = run(source, *[found(source, "teh", fix)] * 10, found(source, "teh", rule="word/a-long-name"))
    card = load()["paper/arxiv-agrees"]._replace(summary="Words are right.")
    assert list(statistics.render(many, RenderContext(catalogue=lambda: {"word/the": card})))[:3] == [
        "10  word/the          fixable     Words are right.",
        " 1  word/a-long-name",
        "",
    ]


def test_json_is_the_contract() -> None:
    source = "# 列\n\nteh\n"
    data = json_report.to_dict(run(source, found(source, "teh", edit(source, "teh", "the"))))
    assert json.loads("".join(json_report.render(run(source), RenderContext())))["diagnostics"] == []
    assert data == {
        "version": 1,
        "diagnostics": [
            {
                "rule": "word/the",
                "severity": "warning",
                "message": "teh is misspelt",
                "path": "list.md",
                "line": 3,
                "column": 1,
                "end_line": 3,
                "end_column": 4,
                "start": 5,
                "end": 8,
                "fix": {
                    "applicability": "safe",
                    "edits": [
                        {
                            "path": "list.md",
                            "start": 5,
                            "end": 8,
                            "text": "the",
                            "effect": {"change": "words", "before": "teh", "after": "the"},
                        }
                    ],
                },
            }
        ],
        "summary": {
            "files": 1,
            "entries": 3,
            "links": 5,
            "errors": 0,
            "warnings": 1,
            "infos": 0,
            "fixable": 1,
            "lists": [{"path": "list.md", "presets": ["core", "papers"]}],
        },
    }


def test_a_diff_is_a_patch() -> None:
    assert "".join(unified_diff_lines("list.md", "a\r\nteh\r\nb", "a\r\nthe\r\nb", TerminalStyle())) == (
        "--- a/list.md\n+++ b/list.md\n@@ -1,3 +1,3 @@\n a\r\n-teh\r\n+the\r\n b\n"
        "\\ No newline at end of file\n"
    )
    assert "".join(unified_diff_lines("list.md", "a\x0cb\nteh", "a\x0cb\nteh\n", TerminalStyle())) == (
        "--- a/list.md\n+++ b/list.md\n@@ -1,2 +1,2 @@\n a\x0cb\n-teh\n\\ No newline at end of file\n+teh\n"
    )
    assert "<U+001B>" in "".join(
        unified_diff_lines("list.md", "teh\x1b\n", "the\x1b\n", TerminalStyle(colour=True))
    )
