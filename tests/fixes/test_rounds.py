"""Fixes are applied in rounds, whole or not at all, and only what conservation lets pass."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shelfread.core.diagnostics import Applicability, Change, Diagnostic, Edit, Effect, Fix, Severity, Span
from shelfread.core.file_writing import write_atomically
from shelfread.core.source import Source
from shelfread.fixes import conservation
from shelfread.fixes.rounds import MAX_ROUNDS, FixResult, fix_text
from shelfread.markdown.node import Tree
from shelfread.markdown.parse import parse

MARKUP = Effect(Change.MARKUP)
Rule = Callable[[str], Iterator[Diagnostic]]


def finding(rule: str, *edits: Edit, severity: Severity = Severity.ERROR, unsafe: bool = False) -> Diagnostic:
    span = Span(edits[0].start, edits[0].end)
    fix = Fix(edits, Applicability.UNSAFE if unsafe else Applicability.SAFE)
    return Diagnostic(rule, severity, "", "list.md", span, fix)


def rewrite(rule: str, pattern: str, new: str, change: Change = Change.WORDS, unsafe: bool = False) -> Rule:
    """A rule that replaces what a pattern matches."""

    def check(text: str) -> Iterator[Diagnostic]:
        for match in re.finditer(pattern, text):
            after = match.expand(new)
            edit = Edit(*match.span(), after, Effect(change, match.group(), after))
            yield finding(rule, edit, unsafe=unsafe)

    return check


def fix(text: str, *rules: Rule, unsafe: bool = False) -> FixResult:
    def diagnose(source: Source) -> tuple[Tree, list[Diagnostic]]:
        found = [diagnostic for rule in rules for diagnostic in rule(source.text)]
        return parse(source), found

    return fix_text(Source(text, "list.md"), diagnose, unsafe=unsafe)


GITHUB = rewrite("github", "Github", "GitHub")
BULLETS = rewrite("bullets", r"(?m)^\*(?= )", "-", Change.MARKUP)


def test_applies_all_and_says_so() -> None:
    result = fix("* Github\n* Github\n", GITHUB, BULLETS)
    assert result.text == "- GitHub\n- GitHub\n"
    assert [diagnostic.rule for diagnostic in result.applied] == ["bullets", "github", "bullets", "github"]
    assert (result.dropped, result.remaining) == ([], [])


def test_clean_text_stays() -> None:
    assert fix("- a\n", GITHUB) == FixResult("- a\n", [], [], [], 0)


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("end", ["", "\n"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_newlines_bom_and_end_survive(newline: str, end: str, bom: bytes, tmp_path: Path) -> None:
    path = tmp_path / "list.md"
    data = bom + ("# A\n* Github\n\n* b" + end).replace("\n", newline).encode()
    path.write_bytes(data)
    path.chmod(0o640)
    source = Source.from_bytes(data, str(path))
    blank_line = rewrite("blank", r"(?<=# A)(?:\r\n|\r|\n)(?=\*)", "\n\n", Change.MARKUP)

    def diagnose(source: Source) -> tuple[Tree, list[Diagnostic]]:
        found = [*GITHUB(source.text), *blank_line(source.text)]
        return parse(source), found

    result = fix_text(source, diagnose)
    write_atomically(path, source.to_bytes(result.text), expected=data)
    assert path.read_bytes() == bom + ("# A\n\n* GitHub\n\n* b" + end).replace("\n", newline).encode()
    assert path.stat().st_mode & 0o777 == 0o640


def test_only_safe_fixes_unless_asked() -> None:
    risky = rewrite("risky", "NIPS", "NeurIPS", unsafe=True)
    result = fix("NIPS", risky)
    assert result.text == "NIPS"
    assert [diagnostic.rule for diagnostic in result.remaining] == ["risky"]
    assert result.dropped == []
    assert fix("NIPS", risky, unsafe=True).text == "NeurIPS"


def test_findings_without_a_fix_remain() -> None:
    lonely = Diagnostic("lonely", Severity.INFO, "", "list.md", Span(0, 1))
    result = fix("a", lambda text: iter([lonely]))
    assert (result.text, result.remaining, result.dropped) == ("a", [lonely], [])


def test_a_damaging_fix_is_dropped_and_the_others_applied() -> None:
    eater = rewrite("eater", r" \[x\]\(\w+\)", "", Change.MARKUP)
    text = "".join(f"- Github [x](u{i})\n" if i == 37 else f"- Github {i}\n" for i in range(100))
    result = fix(text, GITHUB, eater)
    assert result.text == text.replace("Github", "GitHub")
    [(dropped, reason)] = result.dropped
    assert dropped.rule == "eater"
    assert "lose" in reason and "line 38" in reason
    assert result.remaining == [dropped]
    assert result.text[slice(*dropped.span)] == " [x](u37)"


@pytest.mark.slow
def test_few_guilty_fixes_cost_few_parses(monkeypatch: pytest.MonkeyPatch) -> None:
    parses = 0

    def counted(source: Source) -> object:
        nonlocal parses
        parses += 1
        return parse(source)

    monkeypatch.setattr("shelfread.fixes.rounds.parse", counted)
    eater = rewrite("eater", "eaten", "", Change.MARKUP)
    text = "".join(f"- Github{' eaten' if i in (25, 150) else ''}\n" for i in range(250))
    result = fix(text, GITHUB, eater)
    assert result.text == text.replace("Github", "GitHub")
    assert len(result.dropped) == 2
    assert parses <= 2 * 2 * 8 + 5
    parses = 0
    fix(text, GITHUB)
    assert parses == 1


def count_parses(monkeypatch: pytest.MonkeyPatch) -> list[Source]:
    """Return the texts that are tried from now on."""
    tried: list[Source] = []

    def counted(source: Source) -> object:
        tried.append(source)
        return parse(source)

    monkeypatch.setattr("shelfread.fixes.rounds.parse", counted)
    return tried


@pytest.mark.parametrize("size", [20, 200])
def test_many_guilty_fixes_cost_as_many_parses_as_few(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = count_parses(monkeypatch)
    eater = rewrite("eater", r" eaten\d+", "", Change.MARKUP)
    text = "".join(f"- Github eaten{i} Github\n" for i in range(size))
    result = fix(text, eater, GITHUB)
    assert result.text == text.replace("Github", "GitHub")
    assert len(result.dropped) == size
    assert all("it would lose the word" in reason for _, reason in result.dropped)
    assert {f"(line {i + 1})" for i in range(size)} == {
        reason[reason.index("(") :] for _, reason in result.dropped
    }
    assert len(tried) == 9  # however many are guilty


def test_guilty_fixes_whose_place_is_not_known_end_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shelfread.fixes.rounds.MAX_TRIES", 20)
    quoter = rewrite("quoter", r"(?m)^eaten\d+", "> x", Change.MARKUP)
    text = "".join(f"eaten{i} x\n\n" for i in range(200))
    result = fix(text, quoter)
    assert result.text == text
    assert len(result.dropped) == 200
    assert any("not tried" in reason for _, reason in result.dropped)


def test_a_bad_rule_does_not_use_up_the_tries_of_a_good_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shelfread.fixes.rounds.MAX_TRIES", 10)
    eater = rewrite("eater", r" eaten\d+", "", Change.MARKUP)
    text = "".join(f"- Github eaten{i}\n" for i in range(100))
    assert fix(text, eater, GITHUB).text == text.replace("Github", "GitHub")


def test_a_refused_fix_is_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def check(*arguments: object) -> str | None:
        asked.extend(edit.text for edit in arguments[4])  # type: ignore[attr-defined]
        return conservation.find_damage(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("shelfread.fixes.rounds.find_damage", check)
    steps = [rewrite(f"step{i}", f"step{i}", f"step{i + 1}") for i in range(3)]
    result = fix("eaten step0\n", rewrite("eater", "eaten ", "!", Change.MARKUP), *steps)
    assert result.text == "eaten step3\n"
    assert asked.count("!") == 2  # with the other, and alone
    assert [diagnostic.rule for diagnostic, _ in result.dropped] == ["eater"]


def test_a_fix_that_fails_only_in_company_waits_for_the_next_round() -> None:
    space = rewrite("space", r"(?<=##)(?=\w)", " ", Change.STRUCTURE)
    venue = rewrite("venue", r"NIPS(?=\d)", "NeurIPS")
    result = fix("##At NIPS20\n", space, venue)
    assert (result.text, result.dropped) == ("## At NeurIPS20\n", [])


def test_a_refusal_is_of_one_place() -> None:
    def rule(text: str) -> Iterator[Diagnostic]:
        for match in re.finditer(" eaten", text):
            effect = Effect(Change.WORDS, "eaten", "") if match.start() > 20 else MARKUP
            yield finding("eater", Edit(*match.span(), "", effect))

    head = rewrite("head", "Github, ", "", Change.WORDS)
    late = rewrite("late", r"\bhere", "eaten there")
    result = fix("Github, a eaten b\n\nand a long line that ends here\n", rule, head, late)
    assert result.text == "a eaten b\n\nand a long line that ends there\n"
    assert [reason.startswith("it would lose") for _, reason in result.dropped] == [True]


def test_what_is_known_is_not_asked_again() -> None:
    asked: list[str] = []

    def diagnose(source: Source) -> tuple[Tree, list[Diagnostic]]:
        asked.append(source.text)
        return parse(source), list(GITHUB(source.text))

    source = Source("a Github b", "list.md")
    known = diagnose(source)
    assert fix_text(source, diagnose, known=known).text == "a GitHub b"
    assert asked == ["a Github b", "a GitHub b"]


def test_a_fix_goes_whole_or_not_at_all() -> None:
    def rule(text: str) -> Iterator[Diagnostic]:
        if "two" in text and "eaten" in text:
            at, gone = text.index("two"), text.index(" eaten")
            number = Edit(at, at + 3, "2", Effect(Change.WORDS, "two", "2"))
            yield finding("half", number, Edit(gone, gone + 6, "", MARKUP))

    result = fix("two eaten\n", rule)
    assert result.text == "two eaten\n"
    assert len(result.dropped) == 1


def test_the_graver_of_two_overlapping_fixes_wins() -> None:
    def rule(text: str) -> Iterator[Diagnostic]:
        if text.startswith("a b"):
            first = Edit(0, 3, "x y", Effect(Change.WORDS, "a b", "x y"))
            yield finding("first", first, severity=Severity.INFO)
            yield finding("second", Edit(2, 3, "c", Effect(Change.WORDS, "b", "c")))

    assert fix("a b", rule).text == "a c"


def test_the_first_of_two_overlapping_fixes_wins_and_the_other_waits() -> None:
    long, short = rewrite("long", "ab cd", "ab ce"), rewrite("short", r"c(?=[de])", "x")
    result = fix("ab cd", long, short)
    assert result.text == "ab xe"
    assert [diagnostic.rule for diagnostic in result.applied] == ["long", "short"]


def test_what_comes_up_on_the_way_is_counted_apart() -> None:
    result = fix("ab", rewrite("first", "ab", "c"), rewrite("second", "c", "d"))
    assert (result.text, result.shown, result.more) == ("d", 1, 1)
    assert fix("ab ab", rewrite("first", "ab", "c")).shown == 2


def test_insertions_at_one_place_do_not_mix() -> None:
    one, two = rewrite("one", "(?<=a)$", "!", Change.MARKUP), rewrite("two", "(?<=a)$", "?", Change.MARKUP)
    assert fix("a", one, two).text == "a!"
    one, two = rewrite("one", "^(?=a)", "!", Change.MARKUP), rewrite("two", "^a", "!b")
    assert fix("a", one, two).text == "!a"


def test_equal_edits_are_one_edit() -> None:
    shared = rewrite("one", "Github", "GitHub"), rewrite("two", "Github", "GitHub")
    result = fix("a Github b", *shared)
    assert result.text == "a GitHub b"
    assert [diagnostic.rule for diagnostic in result.applied] == ["one", "two"]


@pytest.mark.parametrize(
    "text",
    ["`Github`", "```\nGithub\n```\n", "<!-- Github -->", "---\na: Github\n---\n", "$Github$", "{% Github %}",
     "<!-- START doctoc -->\n- Github\n<!-- END doctoc -->\n"],
)  # fmt: skip
def test_opaque_spans_are_never_touched(text: str) -> None:
    result = fix(text, GITHUB)
    assert result.text == text
    [(_, reason)] = result.dropped
    assert "never edited" in reason


def test_what_goes_whole_takes_its_code_along() -> None:
    def rule(text: str) -> Iterator[Diagnostic]:
        if text.startswith("- b"):
            yield finding("order", Edit(0, 12, "- a\n- b `c`\n", Effect(Change.MOVED)))

    assert fix("- b `c`\n- a\n", rule).text == "- a\n- b `c`\n"


IMPOSSIBLE = [
    (Edit(0, 2, "", MARKUP), Edit(1, 3, "", MARKUP)),
    (Edit(0, 9, "", MARKUP),),
    (Edit(2, 1, "", MARKUP),),
]


@pytest.mark.parametrize("edits", IMPOSSIBLE)
def test_impossible_edits_are_dropped(edits: tuple[Edit, ...]) -> None:
    result = fix("abc", lambda text: iter([finding("odd", *edits)]))
    assert result.text == "abc"
    assert len(result.dropped) == 1


def test_fixes_that_undo_each_other_change_nothing_and_are_reported() -> None:
    result = fix("tick Github", rewrite("one", "tick", "tock"), rewrite("two", "tock", "tick"), GITHUB)
    assert result.text == "tick GitHub"
    [(dropped, reason)] = result.dropped
    assert dropped.rule == "one"
    assert "undo each other" in reason


def test_growth_changes_nothing_and_is_reported() -> None:
    result = fix("Github a", rewrite("more", r"a\Z", "a a"), GITHUB)
    assert result.text == "GitHub a"
    assert [finding.rule for finding in result.applied] == ["github"]
    [(_, reason)] = result.dropped
    assert "settle" in reason


def test_what_takes_many_rounds_and_settles_is_written() -> None:
    steps = [rewrite(f"step{i}", rf"step{i}\b", f"step{i + 1}") for i in range(MAX_ROUNDS)]
    assert fix("step0", *steps).text == f"step{MAX_ROUNDS}"
    late = rewrite("late", rf"step{MAX_ROUNDS}\b", "end")
    assert fix("step0", *steps, late).text == f"step{MAX_ROUNDS}"


def test_if_nothing_settles_nothing_is_written() -> None:
    rules = [rewrite(f"more{i}", rf"{letter}\Z", f"{letter}{letter}") for i, letter in enumerate("abcd")]
    chain = [rewrite(f"next{i}", f"{a}{a}\\Z", f"{b}") for i, (a, b) in enumerate(("ab", "bc", "cd", "da"))]
    result = fix("x a", *rules, *chain)
    assert result.text == "x a"
    assert result.applied == []
    assert result.dropped != []


def test_a_fix_that_changes_nothing_is_reported() -> None:
    result = fix("a", rewrite("same", "a", "a"))
    assert result.text == "a"
    assert [reason for _, reason in result.dropped] == ["it changes nothing"]


def test_a_part_of_a_url_may_be_fixed() -> None:
    def rule(text: str) -> Iterator[Diagnostic]:
        for match in re.finditer(r"http(?=:(\S+?)\))", text):
            url = match.group() + ":" + match.group(1)
            effect = Effect(Change.DESTINATION, url, "https" + url[4:])
            yield finding("https", Edit(match.end(), match.end(), "s", effect))

    assert fix("[a](http://x) [b](http://y)", rule).text == "[a](https://x) [b](https://y)"


PIECES = ["* ", "- ", "Github ", "http ", "[x](u)", "`Github`", "\n", "\r\n", "  ", "a", "**", "# "]


@given(st.lists(st.sampled_from(PIECES), max_size=15).map("".join))
def test_fixing_again_changes_nothing(text: str) -> None:
    trailing = rewrite("trailing", r"(?m)[ \t]+(?=\r?$)", "", Change.MARKUP)
    first = fix(text, GITHUB, BULLETS, trailing)
    again = fix(first.text, GITHUB, BULLETS, trailing)
    assert again.text == first.text
    assert again.applied == []
    assert len(again.dropped) == len(first.dropped)
