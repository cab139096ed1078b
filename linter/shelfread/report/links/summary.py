"""What a run over links found, by verdict, by host and by address: what its three reports have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timezone
from typing import NamedTuple
from urllib.parse import urlsplit

from shelfread.core.diagnostics import Diagnostic, Severity, Span
from shelfread.core.link_record import LinkRecord, Trouble, Verdict
from shelfread.core.source import Source
from shelfread.engine.model import FileResult, RunResult
from shelfread.linkcheck.extract import LinkOccurrence
from shelfread.project.config import IgnoredUrl

ORDER = (
    *(
        "link/dead",
        "link/missing-file",
        "link/missing-anchor",
        "link/unsafe",
        "link/suspect",
        "link/fragment",
    ),
    *("link/moved", "link/upgradable", "link/insecure-certificate", "link/archived-repository"),
)
"""Rules in the order in which they are told of; those of a list's own come last."""
SILENT = (Verdict.BLOCKED, Verdict.UNKNOWN)
"""Verdicts that say nothing of the link, only of its host: no finding tells of them."""
NOT_CHECKED = Trouble.NOT_CHECKED.value
_BUT_WHY = f"{NOT_CHECKED}: "
NAMES = (*(one.value for one in Verdict), NOT_CHECKED)
"""The verdicts as they are counted, in their order."""
THERE = frozenset((Verdict.ALIVE.value, Verdict.MOVED.value))
"""Of these the page was found."""


class Location(NamedTuple):
    """One place of a link."""

    path: str
    line: int
    column: int
    title: str


class LinkReport(NamedTuple):
    """A run over links; `mentions` are those of the texts as the run leaves them, by file."""

    run: RunResult
    records: Mapping[str, LinkRecord]
    occurrences: Mapping[str, Sequence[LinkOccurrence]]
    ignored: Mapping[str, IgnoredUrl] = {}
    """Addresses of which nothing is said."""
    expired: Mapping[str, IgnoredUrl] = {}
    """Addresses of which something is said again."""
    reserved: int = 0
    stop_reason: str = ""
    """Why the run ended before all was asked: interrupted, its time was up, there was no network."""
    started_at: float = 0.0
    """Seconds since the epoch."""
    online: bool = True
    """The web was asked, or what is known of it."""
    archives_searched: bool = False
    """Snapshots were sought of what is dead."""


class Problem(NamedTuple):
    """What one rule says of one address, at all its places; of a local link, at its one place."""

    rule: str
    severity: Severity
    url: str
    record: LinkRecord | None
    findings: Sequence[tuple[Diagnostic, FileResult, str]]
    """Each with its file and its entry's title."""


def problems(report: LinkReport, min_severity: Severity = Severity.INFO) -> list[Problem]:
    """The findings by rule and address, the gravest first."""
    groups: dict[tuple[str, Severity, str], list[tuple[Diagnostic, FileResult, str]]] = {}
    for outcome in report.run.outcomes:
        known = {mention.span: mention for mention in report.occurrences.get(outcome.path, ())}
        for one in outcome.diagnostics:
            if one.severity >= min_severity:
                mention = known.get(one.span)
                url = "" if mention is None else mention.url if one.rule == "link/fragment" else mention.key
                title = mention.title if mention else ""
                groups.setdefault((one.rule, one.severity, url), []).append((one, outcome, title))
    found = [
        Problem(rule, severity, url, report.records.get(url.partition("#")[0]), findings)
        for (rule, severity, url), findings in groups.items()
    ]
    return sorted(found, key=lambda topic: (-topic.severity, _rank(topic.rule), topic.rule))


def with_urls(report: LinkReport) -> RunResult:
    """The run with each message naming its link, for reports in which a finding stands alone beside a line."""
    outcomes = []
    for outcome in report.run.outcomes:
        known = {mention.span: mention for mention in report.occurrences.get(outcome.path, ())}
        told = tuple(
            one._replace(message=f"{shortened(known[one.span].url)}: {shortened(one.message, 400)}")
            if one.span in known
            else one
            for one in outcome.diagnostics
        )
        outcomes.append(outcome._replace(diagnostics=told))
    return report.run._replace(outcomes=tuple(outcomes))


def _rank(rule: str) -> int:
    return ORDER.index(rule) if rule in ORDER else len(ORDER)


def locations(report: LinkReport) -> dict[str, list[Location]]:
    """Where each address stands."""
    found: dict[str, list[Location]] = {}
    for outcome in report.run.outcomes:
        for mention in report.occurrences.get(outcome.path, ()):
            found.setdefault(mention.key, []).append(
                location(outcome.source, outcome.path, mention.span, mention.title)
            )
    return found


def location(source: Source, path: str, span: Span, title: str) -> Location:
    """A place as people count."""
    return Location(path, *source.position(span.start), title)


def by_verdict(records: Iterable[LinkRecord]) -> dict[str, int]:
    """How many links have each verdict, in the verdicts' order; what was not reached stands apart."""
    counts = Counter(map(_name, records))
    return {name: counts[name] for name in NAMES if counts[name]}


def _name(record: LinkRecord) -> str:
    return NOT_CHECKED if is_unreached(record) else record.verdict.value


def is_unreached(record: LinkRecord) -> bool:
    """Whether nobody looked: the run's time was up."""
    return record.verdict is Verdict.UNKNOWN and not record.checked_at and not record.hops


def by_host(records: Iterable[LinkRecord]) -> dict[str, Counter[str]]:
    """How many links of each host have each verdict, by hosts' names."""
    counts: dict[str, Counter[str]] = {}
    for record in records:
        counts.setdefault(host_of(record.url), Counter())[_name(record)] += 1
    return dict(sorted(counts.items()))


def unverified_hosts(records: Iterable[LinkRecord]) -> list[tuple[str, int, str]]:
    """Hosts of which links could not be told, how many, and the most frequent reason; most first."""
    reasons: dict[str, Counter[str]] = {}
    for record in records:
        # Not reached for want of time is no word on a host; that it asks for a pause is one.
        if record.verdict in SILENT and (not is_unreached(record) or record.reason.startswith(_BUT_WHY)):
            # Else it is not an answer that refuses, but one that tells nothing.
            refused = record.verdict is Verdict.BLOCKED and record.reason[:1].isdigit()
            said = "refuses robots" if refused else ""
            reason = f"{said}: {record.reason}" if said else record.reason
            reasons.setdefault(host_of(record.url), Counter())[reason] += 1
    hosts = [(host, said.total(), said.most_common(1)[0][0]) for host, said in reasons.items()]
    return sorted(hosts, key=lambda one: (-one[1], one[0]))


def host_of(url: str) -> str:
    """An address's host, as written but for capitals."""
    try:
        return urlsplit(url).netloc.rpartition("@")[2].lower()
    except ValueError:
        return ""


def redirect_chain(record: LinkRecord, told: str = "") -> str:
    """The way to the answer, with the addresses that were not told yet: `301, 302 https://b, 200`.

    Nothing where it is of one step.
    """
    if len(record.hops) < 2:
        return ""
    known = {record.url}
    steps = []
    for hop in record.hops:
        new = hop.url not in known and hop.url not in told
        steps.append(f"{hop.status} {shortened(hop.url)}" if new else f"{hop.status}")
        known.add(hop.url)
    return ", ".join(steps)


def shortened(text: str, most: int = 200) -> str:
    """A text cut to what one reads."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def date_of(when: float) -> str:
    """A time as a day, by Greenwich."""
    return datetime.fromtimestamp(when, timezone.utc).date().isoformat()


def timestamp(when: float | None) -> str | None:
    """A time as ISO 8601; None where there is none."""
    return datetime.fromtimestamp(when, timezone.utc).isoformat(timespec="seconds") if when else None
