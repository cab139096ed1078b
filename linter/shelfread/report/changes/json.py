"""What a change did to entries, for programs: one JSON object, whose form is fixed (`version`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from shelfread.changes.model import ListedEntry, Pair, SectionPath
from shelfread.changes.review import Review
from shelfread.changes.revisions import Revision
from shelfread.core.diagnostics import Severity
from shelfread.document.export import entry_data
from shelfread.report.findings.json import diagnostic_to_dict
from shelfread.report.json_text import dumps


def render(review: Review) -> Iterator[str]:
    """The report as JSON text."""
    yield dumps(to_dict(review))


def to_dict(review: Review) -> dict[str, Any]:
    """The report as data; entries are as `export` gives them, lines those of their own side."""
    comparison = review.comparison

    def entry(one: ListedEntry) -> dict[str, Any]:
        return entry_data(one.entry, one.document, review.taxonomies[one.section.path])

    def found(one: ListedEntry) -> list[dict[str, Any]]:
        return [
            diagnostic_to_dict(diagnostic, one.document.source) for diagnostic in review.findings.get(one, ())
        ]

    def both(pair: Pair) -> dict[str, Any]:
        return {"before": entry(pair.before), "after": entry(pair.after)}

    severities = Counter(one.severity for group in review.findings.values() for one in group)
    return {
        "version": 1,
        "base": _revision(review.base),
        "head": _revision(review.head),
        "added": [
            {"entry": entry(one), "already_listed": _twins(review, one), "findings": found(one)}
            for one in comparison.added
        ],
        "removed": [{"entry": entry(one)} for one in comparison.removed],
        "moved": [{**both(pair), "findings": found(pair.after)} for pair in comparison.moved],
        "changed": [
            {
                **both(Pair(one.before, one.after)),
                "fields": [change._asdict() for change in one.fields],
                "findings": found(one.after),
            }
            for one in comparison.changed
        ],
        "reformatted": [both(pair) for pair in comparison.reformatted],
        "reordered": [{**_shelf(one.section), "entries": one.entries} for one in comparison.reordered],
        "sections": [
            {
                "change": one.kind,
                "before": one.before and _shelf(one.before),
                "after": one.after and _shelf(one.after),
                "entries": one.entries,
            }
            for one in comparison.sections
        ],
        "remarks": list(review.remarks),
        "summary": {
            **comparison.counts,
            "errors": severities[Severity.ERROR],
            "warnings": severities[Severity.WARNING],
            "infos": severities[Severity.INFO],
        },
    }


def _revision(one: Revision) -> dict[str, str | None]:
    return {"revision": one.name if one.commit else None, "commit": one.commit}


def _shelf(one: SectionPath) -> dict[str, Any]:
    return {"path": one.path, "section": list(one.titles)}


def _twins(review: Review, one: ListedEntry) -> list[dict[str, Any]]:
    found = []
    for twin in review.twins.get(one, ()):
        path, _, line = twin.where.rpartition(":")
        found.append({"path": path, "line": int(line), "under": twin.under.removeprefix(", ") or None})
    return found
