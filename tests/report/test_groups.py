"""What has one cause in one file is told once."""

from __future__ import annotations

from collections.abc import Sequence

from shelfread.core.diagnostics import Diagnostic, Severity, Span
from shelfread.core.source import Source
from shelfread.report.finding_lines import Finding, Relation, by_cause, by_rule, errors_first

SOURCE = Source("x\n" * 2000, "list.md")


def finding(
    line: int, message: str, path: str = "list.md", rule: str = "word/the", **more: Severity
) -> Finding:
    start = SOURCE.starts[line - 1]
    severity = more.get("severity", Severity.WARNING)
    return Diagnostic(rule, severity, message, path, Span(start, start + 1)), SOURCE


def sizes(findings: Sequence[Finding], few: int = 5) -> list[int]:
    return [group.size for group in by_cause(findings, few)]


def test_one_cause_in_one_file() -> None:
    many = [finding(line, "arxiv.org serves HTTPS") for line in (12, 40, 57, 60, 70, 80, 90)]
    (group,) = by_cause(many)
    assert (group.size, group.others()) == (7, "also in lines 40, 57, 60 and 3 more")
    assert sizes(many[:5]) == [1] * 5
    assert sizes(many[:5], few=1) == [5]


def test_what_is_no_common_cause() -> None:
    for other in (
        finding(90, "arxiv.org serves HTTPS", path="other.md"),
        finding(90, "arxiv.org serves HTTPS", rule="word/a"),
        finding(90, "arxiv.org serves HTTPS", severity=Severity.ERROR),
        finding(90, "doi.org serves HTTPS"),
    ):
        assert sizes([*(finding(line, "arxiv.org serves HTTPS") for line in range(1, 6)), other]) == [1] * 6


def test_the_url_to_write_instead_is_no_cause() -> None:
    moved = [finding(line, f"the host has moved, use https://new.org/{line}") for line in range(1, 8)]
    assert sizes(moved) == [7]
    linked = [finding(line, f"https://new.org/{line}: the host has moved") for line in range(1, 8)]
    assert sizes(linked) == [1] * 7


def test_a_block_that_was_pasted_twice() -> None:
    pasted = [finding(1000 + 3 * line, f"already listed at list.md:{100 + 3 * line}") for line in range(132)]
    (group,) = by_cause(pasted, few=1)
    assert group.relation is Relation.BLOCK
    assert group.others() == "and so on for 131 more, up to line 1393"
    # At one distance, but one by one.
    apart = [finding(1000 + 30 * line, f"already listed at list.md:{100 + 30 * line}") for line in range(30)]
    assert sizes(apart) == [1] * 30
    near = [finding(1000 + line, f"already listed at list.md:{100 + 7 * line}") for line in range(30)]
    assert sizes(near) == [1] * 30


def test_groups_come_by_their_first_place() -> None:
    found = [
        finding(1, "a"),
        *(finding(line, "b") for line in range(2, 9)),
        finding(9, "c"),
        finding(10, "b"),
    ]
    assert [group.first[0].message for group in by_cause(found)] == ["a", "b", "c"]
    worst = finding(11, "d", severity=Severity.ERROR)
    assert errors_first([*found, worst]) == [worst, *found]


def test_the_rest_of_a_rule() -> None:
    different = [finding(line, f"no heading for '#{line}'") for line in range(10, 108)]
    same = [finding(line, "no URL", rule="link/empty") for line in range(200, 207)]
    other = [finding(line, f"'{line}' is empty", rule="heading/empty") for line in range(300, 305)]
    groups = by_rule(by_cause([*different, *same, *other]))
    assert [(group.size, group.relation) for group in groups] == [
        (98, Relation.RULE), (7, Relation.CAUSE), *[(1, Relation.CAUSE)] * 5,
    ]  # fmt: skip
    assert groups[0].others() == "97 more of this rule in lines 11-107"


def test_many_causes_of_a_rule() -> None:
    icons = [finding(line, f"'{line % 6}.png' does not exist") for line in range(1, 61)]
    assert [group.size for group in by_cause(icons)] == [10] * 6
    (group,) = by_rule(by_cause(icons))
    assert (group.size, group.others()) == (60, "59 more of this rule in lines 2-60")
