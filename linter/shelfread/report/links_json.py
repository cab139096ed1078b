"""A link check for programs: the report of `check`, and every link with its evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from shelfread.index.answers import LinkRecord
from shelfread.links.link_check import LinkReport
from shelfread.project.config import IgnoredUrl
from shelfread.report import link_summary as data
from shelfread.report.findings_json import to_dict as findings_to_dict
from shelfread.report.rendering import RenderContext, dumps


def json(report: LinkReport, context: RenderContext) -> Iterator[str]:
    """Yield the report as JSON text."""
    yield dumps(to_dict(report))


def to_dict(report: LinkReport) -> dict[str, Any]:
    """Return the report as data."""
    result = findings_to_dict(report.run)
    places = _places(report)
    records = report.records.values()
    result["summary"] |= {
        "urls": len(records),
        "verdicts": data.by_verdict(records),
        "hosts": {host: dict(counts) for host, counts in data.by_host(records).items()},
        "silenced": len(report.ignored),
        "reserved": report.reserved,
        "cut": report.stop_reason or None,
        "unchecked": sum(record.is_unreached for record in records),
        "notes": list(report.notes),
    }
    result["links"] = [_link(record, places.get(record.url, [])) for record in records]
    result["silenced"] = [{"url": url, **_ignored(entry)} for url, entry in report.ignored.items()]
    result["expired"] = [{"url": url, **_ignored(entry)} for url, entry in report.expired.items()]
    return result


def _places(report: LinkReport) -> dict[str, list[dict[str, Any]]]:
    places: dict[str, list[dict[str, Any]]] = {}
    for file in report.run.files:
        for link in report.occurrences.get(file.path, ()):
            line, column = file.source.position(link.span.start)
            place = {"path": file.path, "line": line, "column": column, "title": link.title or None}
            places.setdefault(link.key, []).append(place)
    return places


def _link(record: LinkRecord, places: Sequence[dict[str, Any]]) -> dict[str, Any]:
    return {
        "url": record.url,
        "verdict": record.verdict.value,
        "reason": record.reason,
        "chain": [{"url": hop.url, "status": hop.status} for hop in record.hops],
        "checked_at": data.timestamp(record.checked_at),
        "failures": record.failures,
        "first_failure": data.timestamp(record.first_failure),
        "source": record.source,
        "certificate": record.certificate or None,
        "archived": record.archived or None,
        "betters": [
            {
                "rule": replacement.rule,
                "url": replacement.url,
                "why": replacement.why,
                "applicability": replacement.applicability.label,
            }
            for replacement in record.replacements
        ],
        "places": places,
    }


def _ignored(entry: IgnoredUrl) -> dict[str, Any]:
    until = entry.until.isoformat() if entry.until else None
    return {"pattern": entry.pattern, "reason": entry.reason, "until": until}
