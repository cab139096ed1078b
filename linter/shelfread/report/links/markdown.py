"""A run over links as Markdown, for an issue that a scheduled workflow opens.

Titles and addresses are a stranger's: they stand in code spans, where nothing is markup, mentions nobody, and
refers to no issue.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from urllib.parse import quote

from shelfread.core.diagnostics import Diagnostic, Severity
from shelfread.core.support.regex import lazy
from shelfread.engine.model import FileResult
from shelfread.report.findings.text import fixable_lines
from shelfread.report.links import summary as data
from shelfread.report.links.summary import LinkReport, Problem
from shelfread.report.terminal import counted

_LONGEST = 60_000
"""Characters; an issue of GitHub takes 65,536."""
_PLACES = 10
_HOSTS = 50
_HEADINGS = {
    "link/dead": "Dead",
    "link/missing-file": "Missing files",
    "link/missing-anchor": "Missing anchors",
    "link/unsafe": "Not asked",
    "link/suspect": "Suspect",
    "link/fragment": "Missing parts of pages",
    "link/moved": "Moved",
    "link/upgradable": "There by https",
    "link/insecure-certificate": "Certificates",
    "link/archived-repository": "Archived repositories",
}
_HIDDEN = lazy(r"[^\S ]|[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")

Locate = Callable[[str, int], str]
"""The address of a line of a file, where the report is read; empty where there is none."""


def render(report: LinkReport, locate: Locate, min_severity: Severity = Severity.WARNING) -> Iterator[str]:
    """The lines of a report that fits into an issue; what is too much is only counted."""
    tail = "\n".join(_tail(report, min_severity))
    room = _LONGEST - len(tail)
    for part in _parts(report, locate, min_severity):
        text = "\n".join(part)
        room -= len(text) + 1
        if room < 0:
            yield "\nThere is more than an issue holds: `shelfread links` tells all."
            break
        yield text
    if tail:
        yield tail


def _parts(report: LinkReport, locate: Locate, min_severity: Severity) -> Iterator[Sequence[str]]:
    yield list(_head(report))
    found = sorted(data.problems(report, min_severity), key=lambda topic: _rank(topic.rule))
    for rule, group in groupby(found, key=lambda topic: topic.rule):
        some = list(group)
        number = sum(1 if topic.url else len(topic.findings) for topic in some)
        yield ["", f"## {_HEADINGS.get(rule) or code(rule)} ({number})", ""]
        for topic in some:
            if topic.url:
                yield list(_topic(topic, report, locate))
            else:
                for one in topic.findings:
                    yield [_local(one, locate)]


def _rank(rule: str) -> int:
    return data.ORDER.index(rule) if rule in data.ORDER else len(data.ORDER)


def _head(report: LinkReport) -> Iterator[str]:
    records = report.records.values()
    yield "# Links"
    yield ""
    if not report.online:
        yield "Local links only: the web was not asked."
        return
    yield f"{counted(len(records), 'link')}, looked at on {data.date_of(report.started_at)}."
    if report.stop_reason:
        yield ""
        yield f"{report.stop_reason}."
    verdicts = data.by_verdict(records)
    if verdicts:
        yield ""
        yield "| verdict | links |"
        yield "|---|---:|"
        yield from (f"| {name} | {number:,} |" for name, number in verdicts.items())


def _topic(topic: Problem, report: LinkReport, locate: Locate) -> Iterator[str]:
    first = topic.findings[0][0]
    yield f"- {code(topic.url)}"
    yield f"  - {code(first.message)}{_told(topic, report)}"
    if topic.record is not None and (chain := data.redirect_chain(topic.record, first.message)):
        yield f"  - {code(chain)}"
    for one, outcome, title in topic.findings[:_PLACES]:
        yield f"  - {_where(one, outcome, locate)}{f' {code(title)}' if title else ''}"
    if len(topic.findings) > _PLACES:
        yield f"  - and {counted(len(topic.findings) - _PLACES, 'place')} more"


def _told(topic: Problem, report: LinkReport) -> str:
    """Who said so, and when, where it was not the web today."""
    record = topic.record
    if record is None:
        return ""
    told = [f"told by {code(record.source)}"] if record.source != "web" else []
    if record.checked_at and data.date_of(record.checked_at) < data.date_of(report.started_at):
        told.append(f"as of {data.date_of(record.checked_at)}")
    return f" ({', '.join(told)})" if told else ""


def _local(told: tuple[Diagnostic, FileResult, str], locate: Locate) -> str:
    one, outcome, _ = told
    return f"- {_where(one, outcome, locate)} {code(one.message)}"


def _where(one: Diagnostic, outcome: FileResult, locate: Locate) -> str:
    line = outcome.source.position(one.span.start)[0]
    shown, url = code(f"{one.path}:{line}"), locate(one.path, line)
    return f"[{shown}]({url})" if url else shown


def _tail(report: LinkReport, min_severity: Severity) -> Iterator[str]:
    yield from _hosts(report)
    if report.ignored:
        yield ""
        yield f"{counted(len(report.ignored), 'link')} silenced by the configuration."
    for one in dict.fromkeys(report.expired.values()):
        yield ""
        yield f"Silenced until {one.until}, and spoken of again: {code(one.pattern)} ({code(one.reason)})."
    found = [one for outcome in report.run.outcomes for one in outcome.diagnostics]
    for line in fixable_lines(found, min_severity, "shelfread links --fix"):
        yield ""
        yield line


def _hosts(report: LinkReport) -> Iterator[str]:
    """Each host of which not all links are there: how many, and why some cannot be told."""
    records = report.records.values()
    counts = {host: kinds for host, kinds in data.by_host(records).items() if kinds.keys() - data.THERE}
    reasons = {host: reason for host, _, reason in data.unverified_hosts(records)}
    if not counts:
        return
    yield ""
    yield "## Hosts"
    yield ""
    yield "| host | links | of these | why they cannot be told |"
    yield "|---|---:|---|---|"
    lost = {host: sum(kinds[name] for name in kinds.keys() - data.THERE) for host, kinds in counts.items()}
    worst = sorted(counts, key=lambda host: (-lost[host], host))
    for host in worst[:_HOSTS]:
        kinds = counts[host]
        told = ", ".join(
            f"{kinds[name]:,} {name}" for name in data.NAMES if kinds[name] and name not in data.THERE
        )
        reason = cell(reasons[host]) if host in reasons else ""
        yield f"| {cell(host)} | {kinds.total():,} | {told} | {reason} |"
    if len(worst) > _HOSTS:
        yield f"| {counted(len(worst) - _HOSTS, 'host')} more | | | |"


def code(text: str) -> str:
    """A text as a code span of one line, cut to what one reads."""
    text = " ".join(_HIDDEN.sub(" ", text).split()).replace("`", "'")
    text = text if len(text) <= 300 else text[:299] + "..."
    return f"`{text}`" if text else "` `"


def cell(text: str) -> str:
    """A code span in a table, where a bar would end the cell."""
    return code(text.replace("|", "/"))


def blob_url(server: str, repository: str, commit: str, path: str, line: int) -> str:
    """The address of a line of a file on GitHub; empty for what is none of its names."""
    if not re.fullmatch(r"https://[\w.-]+", server) or not re.fullmatch(r"[\w.-]+/[\w.-]+", repository):
        return ""
    if not re.fullmatch(r"[0-9a-f]{40,64}", commit) or path.startswith(("../", "/")):
        return ""
    return f"{server}/{repository}/blob/{commit}/{quote(path)}?plain=1#L{line}"
