"""What a link check found, by verdict, by host and by URL: the data that its reports share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timezone
from typing import NamedTuple
from urllib.parse import urlsplit

from shelfread.core.diagnostics import Diagnostic, Severity
from shelfread.core.wording import counted
from shelfread.engine.model import FileResult, RunResult
from shelfread.index.answers import NOT_ALLOWED, NOT_PUBLIC, LinkRecord, Trouble, Verdict
from shelfread.links.link_check import LinkReport
from shelfread.links.verdicts import date_of

# Headings of rules, in the order in which these are reported; a list's own rules come last.
HEADINGS = {
    "link/dead": "Dead",
    "link/malformed": "Malformed",
    "link/missing-file": "Missing files",
    "link/missing-anchor": "Missing anchors",
    "link/unsafe": "Not requested",
    "link/suspect": "Suspect",
    "link/unreachable": "Unreachable for days",
    "link/fragment": "Missing anchors of web pages",
    "link/moved": "Moved",
    "link/upgradable": "Available over HTTPS",
    "link/insecure-certificate": "Certificates",
    "link/archived-repository": "Archived repositories",
}
# Verdicts about a host rather than a link: no finding reports them.
_WITHOUT_FINDING = (Verdict.BLOCKED, Verdict.UNKNOWN)
_REFUSALS = ("4", "9")  # how status codes begin by which servers refuse robots; 999 is LinkedIn's
NOT_CHECKED = Trouble.NOT_CHECKED.value
# The verdicts as they are counted, in their order.
NAMES = (*(verdict.value for verdict in Verdict), NOT_CHECKED)
FOUND = frozenset((Verdict.ALIVE.value, Verdict.MOVED.value))  # the verdicts for which the page was found


class Occurrence(NamedTuple):
    """A finding, its file, and the title of its entry."""

    diagnostic: Diagnostic
    file: FileResult
    title: str

    @property
    def position(self) -> tuple[int, int]:
        """Return line and column, both from 1."""
        return self.file.source.position(self.diagnostic.span.start)


class Problem(NamedTuple):
    """The findings of one rule about one URL; of a local link, whose `url` is empty, about one link."""

    rule: str
    severity: Severity
    url: str
    record: LinkRecord | None
    occurrences: Sequence[Occurrence]


def problems(report: LinkReport, min_severity: Severity = Severity.INFO) -> list[Problem]:
    """Return the findings by rule and URL, the most severe first."""
    groups: dict[tuple[str, Severity, str], list[Occurrence]] = {}
    for file in report.run.files:
        links = {link.span: link for link in report.occurrences.get(file.path, ())}
        for diagnostic in file.diagnostics:
            if diagnostic.severity >= min_severity:
                link = links.get(diagnostic.span)
                url = "" if link is None else link.url if diagnostic.rule == "link/fragment" else link.key
                group = groups.setdefault((diagnostic.rule, diagnostic.severity, url), [])
                group.append(Occurrence(diagnostic, file, link.title if link else ""))
    result = [
        Problem(rule, severity, url, report.records.get(url.partition("#")[0]), occurrences)
        for (rule, severity, url), occurrences in groups.items()
    ]
    return sorted(result, key=lambda problem: (-problem.severity, rank(problem.rule), problem.rule))


def rank(rule: str) -> int:
    """Return a rule's place in the report, from 0."""
    return [*HEADINGS, rule].index(rule)


def with_urls(report: LinkReport) -> RunResult:
    """Return the run with the URL in each message, for formats that show a finding without its line."""
    files = []
    for file in report.run.files:
        links = {link.span: link for link in report.occurrences.get(file.path, ())}
        diagnostics = []
        for diagnostic in file.diagnostics:
            if link := links.get(diagnostic.span):
                message = f"{shortened(link.url)}: {shortened(diagnostic.message, 400)}"
                diagnostic = diagnostic._replace(message=message)
            diagnostics.append(diagnostic)
        files.append(file._replace(diagnostics=tuple(diagnostics)))
    return report.run._replace(files=tuple(files))


def by_verdict(records: Iterable[LinkRecord]) -> dict[str, int]:
    """Return the number of links of each verdict, in the verdicts' order; unreached links count apart."""
    counts = Counter(map(_verdict_name, records))
    return {name: counts[name] for name in NAMES if counts[name]}


def _verdict_name(record: LinkRecord) -> str:
    return NOT_CHECKED if record.is_unreached else record.verdict.value


def unchecked(report: LinkReport) -> str:
    """Return how many links were not checked: `819 of 3,000 links (27 %) were not checked`; empty if all were."""
    total = len(report.records)
    number = sum(record.is_unreached for record in report.records.values())
    if not number:
        return ""
    share = max(1, round(100 * number / total))
    return (
        f"{number:,} of {counted(total, 'link')} ({share} %) {'was' if number == 1 else 'were'} not checked"
    )


def unrequested(report: LinkReport) -> str:
    """Return which option checks the links to private networks; empty if there are none."""
    hosts = sorted({host_of(record.url) for record in report.records.values() if _is_private(record)})
    if not hosts:
        return ""
    return f"Links to private networks are not requested: --allow-private {','.join(hosts)} checks them."


def has_checked_nothing(report: LinkReport) -> bool:
    """Return whether there are web links, and none of them was requested."""
    return bool(report.records) and all(map(_is_private, report.records.values()))


def _is_private(record: LinkRecord) -> bool:
    """Return whether a link itself leads to a private network; a redirect that does has hops."""
    return (
        record.verdict is Verdict.UNSAFE
        and not record.hops
        and record.reason.endswith((NOT_PUBLIC, NOT_ALLOWED))
    )


def by_host(records: Iterable[LinkRecord]) -> dict[str, Counter[str]]:
    """Return the number of links of each verdict for each host, sorted by host."""
    counts: dict[str, Counter[str]] = {}
    for record in records:
        counts.setdefault(host_of(record.url), Counter())[_verdict_name(record)] += 1
    return dict(sorted(counts.items()))


def unverified_hosts(records: Iterable[LinkRecord]) -> list[tuple[str, int, str]]:
    """Return hosts with links that could not be verified, most first: host, number of links, most frequent reason."""
    reasons: dict[tuple[str, bool], Counter[str]] = {}
    for record in records:
        # That the deadline was reached says nothing about a host; that it asks to wait does.
        is_about_host = not record.is_unreached or record.reason.startswith(f"{NOT_CHECKED}: ")
        if is_about_host and record.verdict in _WITHOUT_FINDING:
            # A server that fails (5xx) refuses nobody, and without a status code there was no answer that says anything.
            refused = record.verdict is Verdict.BLOCKED and record.reason[:1] in _REFUSALS
            reason = f"refuses robots: {record.reason}" if refused else record.reason
            reasons.setdefault((host_of(record.url), refused), Counter())[reason] += 1
    hosts = [(host, counts.total(), counts.most_common(1)[0][0]) for (host, _), counts in reasons.items()]
    return sorted(hosts, key=lambda host: (-host[1], host[0]))


def host_of(url: str) -> str:
    """Return a URL's host and port in lower case; empty if it has none."""
    try:
        return urlsplit(url).netloc.rpartition("@")[2].lower()
    except ValueError:
        return ""


def redirect_chain(record: LinkRecord, known_text: str = "") -> str:
    """Return statuses and URLs on the way to an answer, without known ones: `301, 302 https://b, 200`; empty for one request."""
    if len(record.hops) < 2:
        return ""
    known = {record.url}
    steps = []
    for hop in record.hops:
        new = hop.url not in known and hop.url not in known_text
        steps.append(f"{hop.status} {shortened(hop.url)}" if new else f"{hop.status}")
        known.add(hop.url)
    return ", ".join(steps)


def provenance(problem: Problem, report: LinkReport, quote: Callable[[str], str]) -> str:
    """Return who gave a verdict and when, if it was not the web in this run; `quote` makes a text safe."""
    record = problem.record
    if record is None:
        return ""
    notes = [f"according to {quote(record.source)}"] if record.source != "web" else []
    if record.checked_at and date_of(record.checked_at) < date_of(report.started_at):
        notes.append(f"as of {date_of(record.checked_at)}")
    return ", ".join(notes)


def ignored_lines(report: LinkReport, quote: Callable[[str], str]) -> Iterator[str]:
    """Yield what the configuration ignores, and what it no longer ignores; `quote` makes a text safe."""
    if report.ignored:
        yield f"{counted(len(report.ignored), 'link')} ignored by the configuration."
    for entry in dict.fromkeys(report.expired.values()):
        yield f"Ignored until {entry.until}, now reported again: {quote(entry.pattern)} ({quote(entry.reason)})."


def shortened(text: str, most: int = 200) -> str:
    """Return a text cut to `most` characters."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def timestamp(when: float | None) -> str | None:
    """Return a time in seconds since the epoch as ISO 8601 in UTC; None if there is none."""
    return datetime.fromtimestamp(when, timezone.utc).isoformat(timespec="seconds") if when else None
