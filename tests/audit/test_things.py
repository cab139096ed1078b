"""What is in several lists, and papers by venue and year."""

from __future__ import annotations

from collections.abc import Sequence

from shelfread.audit.audit_rows import EntryRow, FindingRow, ListRow
from shelfread.audit.audit_run import RowTally, Shared, Things, most_shared


def entry(title: str, *keys: str, venue: str | None = None, year: int | None = None) -> EntryRow:
    several: dict[str, tuple[str, ...]] = dict.fromkeys(
        ("authors", "affiliations", "notes", "other_identifiers", "section", "uncertain"), ()
    )
    nothing = dict.fromkeys(("name", "description", "venue_text", "doi", "arxiv", "github", "concept"))
    return EntryRow(
        list="", entry=0, path="", line=1, end_line=1, dialect="", kind="paper", title=title, keys=keys,
        venue=venue, year=year, **several, **nothing,
    )  # fmt: skip


def things(*lists: Sequence[EntryRow]) -> Things:
    found = Things()
    for number, entries in enumerate(lists):
        for each in entries:
            found.add(each, number)
    return found


def test_a_common_key_is_enough() -> None:
    first, second = entry("A", "doi:1", "title:a"), entry("B", "arxiv:2", "title:b")
    both = entry("Both", "doi:1", "arxiv:2")
    found = things([first], [second], [both])
    assert len(found) == 1
    (shared,) = found.shared()
    assert shared.lists == [0, 1, 2] and shared.title in ("A", "B", "Both")


def test_groups_that_come_together_late() -> None:
    """Two things in two lists each are found to be one: by an entry, and whatever the order of their keys' hashes."""
    for number in range(20):
        one, other = f"doi:{number}", f"arxiv:{number}"
        found = things(
            [entry("A", one)],
            [entry("A", one), entry("B", other)],
            [entry("B", other)],
            [entry("C", one, other)],
        )
        assert [shared.lists for shared in found.shared()] == [[0, 1, 2, 3]]
        assert len(found) == 1


def test_twice_in_one_list_is_not_shared() -> None:
    found = things([entry("A", "doi:1"), entry("A again", "doi:1"), entry("No key")], [entry("B", "doi:2")])
    assert found.shared() == [] and len(found) == 2


def test_order_and_pairs() -> None:
    a, b, c = entry("A", "url:x.org/a"), entry("B", "arxiv:2101.00001"), entry("C", "title:c")
    shared = things([a, b, c], [a, b], [b, c]).shared()
    assert shared == [
        Shared("B", "https://arxiv.org/abs/2101.00001", [0, 1, 2]),
        Shared("A", "https://x.org/a", [0, 1]),
        Shared("C", None, [0, 2]),
    ]
    assert most_shared(shared) == [(0, 1, 2), (0, 2, 2), (1, 2, 1)]


def test_papers_count_once() -> None:
    paper = entry("A", "doi:1", venue="OSDI", year=2020)
    preprint = entry("A", "doi:1", "arxiv:1")
    found = things([preprint, entry("B", "doi:2", venue="OSDI", year=2020)], [paper], [paper])
    assert found.published() == {("OSDI", 2020): 2}


def test_rules_and_lists() -> None:
    def finding(rule: str, severity: str, fix: str | None) -> FindingRow:
        return FindingRow("", None, "", 1, 1, 1, 1, rule, severity, "", fix)

    tally = RowTally()
    for row in (
        ListRow("a", "complete", None, entries=2, errors=1),
        finding("x/y", "error", "safe"),
        finding("x/y", "warning", None),
        finding("x/z", "info", "safe"),
        ListRow("b", "failed", "gone"),
        ListRow("c", "complete", None),
        finding("x/y", "warning", "unsafe"),
        finding("a/b", "warning", None),
    ):
        tally.add(row)
    summary = tally.result()
    assert [tuple(count) for count in summary.rules] == [("x/y", 1, 2, 2, 2), ("a/b", 0, 1, 0, 1)]
    assert [dict(each.rules) for each in summary.lists] == [{"x/y": 2}, {}, {"x/y": 1, "a/b": 1}]
    assert summary.failed == 1 and summary.total("entries") == 2
