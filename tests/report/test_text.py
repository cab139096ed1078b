"""What a report for people looks like, and that nothing in a list can forge it."""

from __future__ import annotations

import re

import pytest

from shelfread.core.diagnostics import Applicability, Change, Diagnostic, Edit, Effect, Fix, Severity, Span
from shelfread.core.source import Source
from shelfread.engine.model import RunResult
from shelfread.fixes.rounds import FixResult
from shelfread.report.finding_lines import diagnostic_lines
from shelfread.report.findings_text import summary_lines
from shelfread.report.rendering import RenderContext, TerminalStyle, printable
from support.reports import edit, found, run


def shown(source: str, one: Diagnostic, style: TerminalStyle | None = None) -> list[str]:
    return list(diagnostic_lines(one, Source(source, "list.md"), style or TerminalStyle()))


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
    lines = list(diagnostic_lines(one, Source(source, "list.md"), TerminalStyle(), "it would change 'x'"))
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


def test_a_fix_of_spaces_says_so() -> None:
    assert shown("ab", found("ab", "ab", edit("ab", "ab", "a b")))[-1] == "  = fix: a b"
    space = Diagnostic("word/the", Severity.WARNING, "no space", "list.md", Span(1, 1))
    for source, end, new, said in [
        ("ab", 1, " ", "one space"),
        ("a  b", 3, " ", "one space"),
        ("a b", 2, "", "remove the space"),
    ]:
        fix = Fix((Edit(1, end, new, Effect(Change.MARKUP)),), Applicability.SAFE)
        assert shown(source, space._replace(fix=fix))[-1] == f"  = fix: {said}"


def test_lines_that_a_fix_adds() -> None:
    source = "- one\n- two\n"
    for insertion, said in [
        (Edit.insert(6, "- new\n"), "add line 2: - new"),
        (Edit.insert(5, "\n- new"), "add line 2: - new"),
        (Edit.insert(12, "- new\n- newer\n"), "add 2 lines from line 3"),
        (Edit.insert(5, " more"), "one more"),
    ]:
        assert shown(source, found(source, "one", insertion))[-1] == f"  = fix: {said}"
        assert insertion.effect.change is Change.INSERTED


def test_a_sorted_section() -> None:
    source = "d\nc\nb\na\n"
    moved = [Edit(2 * at, 2 * at + 1, new, Effect(Change.MOVED)) for at, new in enumerate("abcd")]
    assert shown(source, found(source, "d", *moved))[-1] == "  = fix: sort lines 1-4: 4 entries change places"
    assert shown(source, found(source, "d", moved[0], moved[1]))[-1] == "  = fix: sort lines 1-2"


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
    assert list(summary_lines(many, RenderContext(min_severity=Severity.WARNING))) == [
        "1 error, 1 warning in 3 entries of list.md (core, papers).",
        "1 can be fixed with 'shelfread fix', 1 more with '--unsafe-fixes'.",
        "1 info hidden (show with --show-info).",
        "For an explanation of a rule: shelfread rule word/the",
    ]
    assert "1 info" in next(summary_lines(many, RenderContext(min_severity=Severity.INFO)))
    assert list(summary_lines(run(source), RenderContext(min_severity=Severity.WARNING))) == [
        "No problems found in 3 entries of list.md (core, papers)."
    ]
    assert list(summary_lines(RunResult((), ()), RenderContext(min_severity=Severity.WARNING))) == []


def test_the_summary_after_a_fix() -> None:
    one = found("teh", "teh")
    fixed = FixResult("the", [one, one], [], [], 2)
    assert (
        next(summary_lines(run("the", fixed=fixed), RenderContext(min_severity=Severity.WARNING)))
        == "2 findings fixed."
    )


def test_colours_are_off_unless_wanted() -> None:
    source = "teh"
    assert "\x1b" not in "".join(shown(source, found(source, "teh")))
    assert "\x1b[33;1mwarning\x1b[0m" in shown(source, found(source, "teh"), TerminalStyle(colour=True))[0]
