"""A GitBook's SUMMARY.md."""

from __future__ import annotations

from shelfread.checks.contents.summary import summary
from support.project import Found, message_of, run


def test_a_summary_without_a_book() -> None:
    pages = {f"notes/n{n}.md": f"# N {n}\n" for n in range(8)}
    listed = "".join(f"- [N {n}](notes/n{n}.md)\n" for n in range(7))
    assert book({**pages, "notes.md": f"# Summary\n\n{listed}"}) == []
    assert book({**pages, "SUMMARY.md": f"# Conference notes\n\n{listed}"}) == []
    (found,) = book({**pages, "SUMMARY.md": f"# Summary\n\n{listed}"})
    assert message_of("contents/summary", found.place) == "the summary does not list 'notes/n7.md' ('N 7')"
    assert found.fixed.endswith("- [N 6](notes/n6.md)\n- [N 7](notes/n7.md)\n")


def book(texts: dict[str, str]) -> list[Found]:
    return run(summary, texts)
