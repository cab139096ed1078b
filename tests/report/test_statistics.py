"""The number of findings of each rule."""

from __future__ import annotations

from shelfread.report.findings_text import statistics
from shelfread.report.rendering import RenderContext
from shelfread.rulebook.metadata import load_rules
from support.reports import edit, found, run


def test_statistics() -> None:
    source = "teh"
    fix = edit(source, "teh", "the")
    many = run(source, *[found(source, "teh", fix)] * 10, found(source, "teh", rule="word/a-long-name"))
    card = load_rules()["paper/arxiv-agrees"]._replace(summary="Checks for words that are wrong.")
    assert list(statistics(many, RenderContext(catalogue=lambda: {"word/the": card})))[:3] == [
        "10  word/the          fixable     words that are wrong",
        " 1  word/a-long-name",
        "",
    ]
