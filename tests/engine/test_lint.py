"""From raw diagnostics to findings: messages, severities, fixes, and duplicates of one span."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from shelfread.core.diagnostics import (
    Applicability,
    Change,
    Diagnostic,
    Edit,
    Effect,
    Fix,
    RawDiagnostic,
    Severity,
    Span,
)
from shelfread.core.errors import RuleError
from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.engine.lint import lint, overlap, touches
from shelfread.index.context import RuleContext, build_context
from shelfread.index.facts import facts
from shelfread.rulebook.metadata import BoundRule
from shelfread.taxonomy.load import load
from support.work import executed_lines

TEXT = "# List\n\n- teh one\n- `teh code`\n- teh other\n"
WORDS = Effect(Change.WORDS, "teh", "the")


class Trap:
    """A value with an attribute that no page may reach."""

    secret = "hunter2"

    def __str__(self) -> str:
        return "a place"


def rule(*places: RawDiagnostic, id: str = "word/the", **changes: object) -> BoundRule:
    def check(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
        yield from places

    fields: dict[str, object] = {
        "severity": Severity.ERROR,
        "messages": {"": "m"},
        "fix": "mixed",
        "precedence": 0,
    }
    return BoundRule(id=id, check=check, **{**fields, **changes})  # type: ignore[arg-type]


def find(*rules: BoundRule, text: str = TEXT) -> list[Diagnostic]:
    taxonomy = load()
    document = read(Source(text, "list.md"), taxonomy.vocabulary)
    return lint(document, build_context({"list.md": facts(document)}, taxonomy), rules)


def at(start: int, end: int, text: str | None = None, **changes: object) -> RawDiagnostic:
    edits = () if text is None else (Edit(start, end, text, WORDS),)
    return RawDiagnostic(Span(start, end), edits=edits, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("message", "formatted"),
    [
        ("{word} is wrong", "teh is wrong"),
        ("{{word}} {word}{word}", "{word} tehteh"),
        ("{place}", "a place"),
        (
            "{place.secret} {place[0]} {place!r} {word:>100}",
            "{place.secret} {place[0]} {place!r} {word:>100}",
        ),
        ("%s %(word)s $word {", "%s %(word)s $word {"),
        ("{lines}", "one two"),
    ],
)
def test_a_message_names_values_and_nothing_else(message: str, formatted: str) -> None:
    place = RawDiagnostic(Span(0, 1), {"word": "teh", "place": Trap(), "lines": "one\n\x20 two"})
    assert find(rule(place, messages={"": message}))[0].message == formatted


def test_a_message_with_a_name_that_the_check_does_not_give() -> None:
    with pytest.raises(RuleError, match="word/the: its message names 'wrod', its check gives word"):
        find(rule(RawDiagnostic(Span(0, 1), {"word": "teh"}), messages={"": "{wrod}"}))


def test_a_check_can_only_lower_severity_and_applicability() -> None:
    mild = at(0, 1, severity=Severity.INFO)
    assert find(rule(mild))[0].severity is Severity.INFO
    assert find(rule(at(0, 1), severity=Severity.WARNING))[0].severity is Severity.WARNING

    def applicability(page: str, safe: bool) -> Applicability:
        fix = find(rule(at(9, 12, "the", safe=safe), fix=page))[0].fix
        assert fix is not None
        return fix.applicability

    assert applicability("safe", True) is Applicability.SAFE
    assert applicability("safe", False) is Applicability.UNSAFE
    assert applicability("mixed", True) is Applicability.SAFE
    assert applicability("unsafe", True) is Applicability.UNSAFE


def test_a_page_without_fix_has_none() -> None:
    assert find(rule(at(9, 12, "the"), fix=None))[0].fix is None


def test_code_is_reported_and_not_changed() -> None:
    start = TEXT.index("teh code")
    finding = find(rule(at(start, start + 3, "the")))[0]
    assert finding.span == (start, start + 3)
    assert finding.fix is None


@pytest.mark.parametrize(
    ("edit", "harm"),
    [
        (Edit(0, 10, "", WORDS), False),
        (Edit(0, 11, "", WORDS), True),
        (Edit(10, 10, "x", WORDS), False),
        (Edit(15, 15, "x", WORDS), True),
        (Edit(20, 20, "x", WORDS), False),
        (Edit(19, 30, "", WORDS), True),
        (Edit(20, 30, "", WORDS), False),
        (Edit(5, 25, "", WORDS), True),
        (Edit(5, 25, "", Effect(Change.MOVED)), False),
        (Edit(5, 15, "", Effect(Change.MOVED)), True),
        (Edit(10, 20, "", Effect(Change.REMOVED)), False),
        (Edit(35, 100, "", WORDS), True),
    ],
)
def test_edits_of_protected_spans(edit: Edit, harm: bool) -> None:
    assert touches(edit, [Span(10, 20), Span(40, 50)]) is harm


def test_findings_are_in_order_of_their_places() -> None:
    found = find(rule(at(9, 12), at(0, 1)), rule(at(3, 5), at(0, 1), id="word/a"))
    assert [(finding.span.start, finding.rule) for finding in found] == [
        (0, "word/a"), (0, "word/the"), (3, "word/a"), (9, "word/the"),
    ]  # fmt: skip


def test_the_greatest_precedence_of_a_span_is_reported() -> None:
    low, high = rule(at(9, 12), id="a/low"), rule(at(9, 12), id="a/high", precedence=5)
    other = rule(at(9, 13), id="a/other")
    assert [finding.rule for finding in find(low, high, other)] == ["a/high", "a/other"]
    same = rule(at(9, 12), id="a/same", precedence=5)
    assert [finding.rule for finding in find(low, high, same)] == ["a/high", "a/same"]


def test_the_reported_finding_has_the_safe_edits_of_the_others() -> None:
    insert = RawDiagnostic(Span(9, 12), edits=(Edit(12, 12, "!", WORDS),))
    unsafe = RawDiagnostic(Span(9, 12), edits=(Edit(8, 8, "?", WORDS),), safe=False)
    crossing = RawDiagnostic(Span(9, 12), edits=(Edit(9, 10, "T", WORDS),))
    high = rule(at(9, 12, "the"), id="a/high", precedence=5)
    (finding,) = find(rule(insert, id="a/1"), rule(unsafe, id="a/2"), rule(crossing, id="a/3"), high)
    assert finding.rule == "a/high"
    assert finding.fix == Fix((Edit(9, 12, "the", WORDS), Edit(12, 12, "!", WORDS)), Applicability.SAFE)
    (finding,) = find(rule(insert, id="a/1"), rule(at(9, 12), id="a/high", precedence=5))
    assert finding.fix == Fix((Edit(12, 12, "!", WORDS),), Applicability.SAFE)


def test_a_suppressed_finding_does_not_hide_others() -> None:
    text = "- teh <!-- shelfread-disable-line a/high -->\n"
    low, high = rule(at(2, 5), id="a/low"), rule(at(2, 5), id="a/high", precedence=5)
    assert [finding.rule for finding in find(low, high, text=text)] == ["a/low"]


def test_overlap() -> None:
    def edits(a: tuple[int, int], b: tuple[int, int]) -> bool:
        return overlap(Edit(*a, "", WORDS), Edit(*b, "", WORDS))

    assert edits((1, 3), (2, 4)) and edits((1, 5), (2, 3)) and edits((2, 2), (2, 2)) and edits((1, 5), (3, 3))
    assert not edits((1, 3), (3, 5)) and not edits((3, 5), (5, 5))


def test_the_work_for_many_findings_grows_with_their_number() -> None:
    def lines(count: int) -> int:
        checked = rule(*(at(n, n + 1, "x") for n in range(count)))
        return executed_lines(lambda: find(checked, text="`a` " * count))

    assert lines(1000) < 5 * lines(250)


def test_a_page_may_have_several_messages() -> None:
    named = RawDiagnostic(Span(0, 1), {"word": "teh"}, message="rare")
    messages = {"usual": "a word", "rare": "the word '{word}'"}
    assert find(rule(named, messages=messages))[0].message == "the word 'teh'"
    with pytest.raises(RuleError, match="no message 'rare'"):
        find(rule(named, messages={"": "a word"}))
