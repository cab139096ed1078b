"""Fixes at a border that is a guess are not safe; fixes that spoil a line are none."""

from __future__ import annotations

from shelfread.core.diagnostics import MARKUP, MOVED, Applicability, Diagnostic, Edit, Fix, Severity, Span
from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.fixes.flaws import guard_fixes
from shelfread.taxonomy.load import vocabulary

TEXT = "- A Study of Jobs, Ann Lee and Bob Roe, OSDI 2020 [[Paper](https://arxiv.org/abs/2001.00001)]\n"
TITLE_END = TEXT.index(",")


def document(text: str = TEXT) -> Document:
    return read(Source(text, "list.md"), vocabulary())


def guarded(*edits: Edit, text: str = TEXT) -> Fix | None:
    fix = Fix(edits, Applicability.SAFE)
    finding = Diagnostic("a/b", Severity.WARNING, "", "list.md", Span(2, 3), fix)
    (result,) = guard_fixes([finding], document(text))
    return result.fix


def test_the_list_has_a_guessed_title() -> None:
    (entry,) = document().entries
    assert (entry.title.value, "title" in entry.guessed) == ("A Study of Jobs", True)


def test_an_edit_at_a_suggested_border_is_unsafe() -> None:
    fix = guarded(Edit(TITLE_END, TITLE_END + 1, ";", MARKUP))
    assert fix is not None and fix.applicability is Applicability.UNSAFE


def test_other_edits_stay_safe() -> None:
    space, bracket = Edit(TITLE_END + 1, TITLE_END + 2, "  ", MARKUP), TEXT.index("[[")
    for edit in (
        space,
        Edit(bracket, bracket, " ", MARKUP),
        Edit(0, len(TEXT), TEXT, MOVED),
        Edit(0, 1, "*", MARKUP),
    ):
        fix = guarded(edit)
        assert fix is not None and fix.applicability is Applicability.SAFE


def test_a_proved_border_is_safe() -> None:
    text = "- [A Study of Jobs](https://arxiv.org/abs/2001.00001), Ann Lee\n"
    fix = guarded(Edit(18, 18, ".", MARKUP), text=text)
    assert fix is not None and fix.applicability is Applicability.SAFE


def test_a_fix_that_spoils_a_line_is_none() -> None:
    assert guarded(Edit(TITLE_END, TITLE_END, ".", MARKUP)) is None
