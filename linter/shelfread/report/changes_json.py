"""What a change did to entries, for programs: a JSON object; a change of its structure changes `version`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from shelfread.changes.listed import ListedEntry, Pair, SectionPath
from shelfread.changes.review import Review
from shelfread.changes.revisions import Revision
from shelfread.document.entry_data import exported_entry
from shelfread.report.findings_json import diagnostic_to_dict, severity_counts
from shelfread.report.rendering import RenderContext, dumps


def json(review: Review, context: RenderContext) -> Iterator[str]:
    """Yield the report as JSON text, always with infos."""
    yield dumps(_to_dict(review))


def _to_dict(review: Review) -> dict[str, Any]:
    comparison = review.comparison

    def entry(listed: ListedEntry) -> dict[str, Any]:
        return exported_entry(listed.entry, listed.document, review.taxonomies[listed.section.path])

    def findings(listed: ListedEntry) -> list[dict[str, Any]]:
        source = listed.document.source
        return [diagnostic_to_dict(diagnostic, source) for diagnostic in review.findings.get(listed, ())]

    def both(pair: Pair) -> dict[str, Any]:
        return {"before": entry(pair.before), "after": entry(pair.after)}

    return {
        "version": 1,
        "base": _revision(review.base),
        "head": _revision(review.head),
        "added": [
            {
                "entry": entry(listed),
                "already_listed": _twins(review, listed),
                **_placement(review, listed),
                "findings": findings(listed),
            }
            for listed in comparison.added
        ],
        "removed": [{"entry": entry(listed)} for listed in comparison.removed],
        "moved": [{**both(pair), "findings": findings(pair.after)} for pair in comparison.moved],
        "changed": [
            {
                **both(Pair(altered.before, altered.after)),
                "fields": [change._asdict() for change in altered.fields],
                "findings": findings(altered.after),
            }
            for altered in comparison.changed
        ],
        "reformatted": [both(pair) for pair in comparison.reformatted],
        "reordered": [{**_section(item.section), "entries": item.entries} for item in comparison.reordered],
        "sections": [
            {
                "change": change.kind,
                "before": change.before and _section(change.before),
                "after": change.after and _section(change.after),
                "entries": change.entries,
            }
            for change in comparison.sections
        ],
        "elsewhere": [diagnostic_to_dict(diagnostic, source) for diagnostic, source in review.elsewhere],
        "remarks": list(review.policy_changes),
        "summary": {
            **comparison.counts,
            **severity_counts(diagnostic.severity for diagnostic in review.all_findings()),
        },
    }


def _revision(revision: Revision) -> dict[str, str | None]:
    return {"revision": revision.name if revision.commit else None, "commit": revision.commit}


def _section(section: SectionPath) -> dict[str, Any]:
    return {"path": section.path, "section": list(section.titles)}


def _placement(review: Review, listed: ListedEntry) -> dict[str, Any]:
    placement = review.placements.get(listed)
    if placement is None:
        return {}
    nearest = [
        {**_section(section), "share": round(near.share, 2), "words": list(near.words)}
        for section, near in placement.nearest
    ]
    return {"placement": nearest[0]} if placement.is_doubted else {"nearest": nearest}


def _twins(review: Review, listed: ListedEntry) -> list[dict[str, Any]]:
    twins = []
    for duplicate in review.duplicates.get(listed, ()):
        path, _, line = duplicate.where.rpartition(":")
        twins.append({"path": path, "line": int(line), "under": duplicate.under.removeprefix(", ") or None})
    return twins
