"""A run over links for programs: the report of `check`, and beside it every link with its evidence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from shelfread.core.link_record import LinkRecord
from shelfread.project.config import IgnoredUrl
from shelfread.report.findings.json import to_dict as report_findings
from shelfread.report.json_text import dumps
from shelfread.report.links import summary as data
from shelfread.report.links.summary import LinkReport


def render(report: LinkReport) -> Iterator[str]:
    """The report as JSON text."""
    yield dumps(to_dict(report))


def to_dict(report: LinkReport) -> dict[str, Any]:
    """The report as data."""
    whole = report_findings(report.run)
    places = data.locations(report)
    records = report.records.values()
    whole["summary"] |= {
        "urls": len(records),
        "verdicts": data.by_verdict(records),
        "hosts": {host: dict(counts) for host, counts in data.by_host(records).items()},
        "silenced": len(report.ignored),
        "reserved": report.reserved,
        "cut": report.stop_reason or None,
    }
    whole["links"] = [_link(record, places.get(record.url, [])) for record in records]
    whole["silenced"] = [{"url": url, **_silence(one)} for url, one in report.ignored.items()]
    whole["expired"] = [{"url": url, **_silence(one)} for url, one in report.expired.items()]
    return whole


def _link(record: LinkRecord, places: list[data.Location]) -> dict[str, Any]:
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
            {"rule": one.rule, "url": one.url, "why": one.why, "applicability": one.applicability.label}
            for one in record.replacements
        ],
        "places": [{**place._asdict(), "title": place.title or None} for place in places],
    }


def _silence(one: IgnoredUrl) -> dict[str, Any]:
    return {
        "pattern": one.pattern,
        "reason": one.reason,
        "until": one.until.isoformat() if one.until else None,
    }
