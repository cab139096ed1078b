"""A run over links for people: dead ones first, each with what proves it and the entries concerned."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from shelfread.core.diagnostics import Applicability, Severity
from shelfread.core.link_record import LinkRecord, Verdict
from shelfread.report.findings.text import COLOURS, describe_fix, diagnostic_lines, fixable_lines
from shelfread.report.links import summary as data
from shelfread.report.links.summary import LinkReport, Problem
from shelfread.report.terminal import TerminalStyle, counted, printable

_PLACES = 20
_HOSTS = 12
_COLOURS = {Verdict.DEAD.value: "red", Verdict.SUSPECT.value: "yellow", Verdict.UNSAFE.value: "yellow"}


def render(
    report: LinkReport, style: TerminalStyle, min_severity: Severity = Severity.WARNING
) -> Iterator[str]:
    """The lines of a report; findings below `least` are only counted."""
    dropped = {
        id(one): reason
        for outcome in report.run.outcomes
        if outcome.fixed
        for one, reason in outcome.fixed.dropped
    }
    for topic in data.problems(report, min_severity):
        if topic.url:
            yield from _topic(topic, report, style, dropped)
            yield ""
            continue
        for one, outcome, _ in topic.findings:
            yield from diagnostic_lines(one, outcome.source, style, dropped.get(id(one)))
            yield ""
    yield from summary_lines(report, style, min_severity)


def _topic(
    topic: Problem, report: LinkReport, style: TerminalStyle, dropped: dict[int, str]
) -> Iterator[str]:
    """One link: its verdict, what proves it, its places, the fix."""
    colour = COLOURS[topic.severity]
    rule = style.paint(topic.severity.label, colour, "bold") + style.paint(f"[{topic.rule}]", colour)
    first = topic.findings[0][0]
    yield f"{rule} {style.paint(printable(data.shortened(topic.url)), 'bold')}"
    yield f"  {printable(data.shortened(first.message, 400))}"
    if topic.record is not None:
        yield from _evidence(topic.record, first.message, report, style)
    for one, outcome, title in topic.findings[:_PLACES]:
        line, column = outcome.source.position(one.span.start)
        where = f"{printable(one.path)}:{line}:{column}:"
        yield f"  {style.paint(where, 'bold')} {printable(_short(title))}".rstrip()
        if id(one) in dropped:
            yield f"    {style.paint('= not fixed:', 'yellow')} {printable(dropped[id(one)])}"
    if len(topic.findings) > _PLACES:
        yield f"  and {counted(len(topic.findings) - _PLACES, 'place')} more"
    mended = next(((one, outcome) for one, outcome, _ in topic.findings if one.fix), None)
    if mended is not None:
        one, outcome = mended
        assert one.fix is not None
        safe = one.fix.applicability is Applicability.SAFE
        label = style.paint("= fix:", "green") if safe else style.paint("= unsafe fix:", "yellow")
        yield f"  {label} {describe_fix(one.fix, one.span, outcome.source, style)}"


def _evidence(record: LinkRecord, message: str, report: LinkReport, style: TerminalStyle) -> Iterator[str]:
    if chain := data.redirect_chain(record, message):
        yield style.paint(f"  {printable(chain)}", "dim")
    told = [f"told by {record.source}"] if record.source != "web" else []
    # A verdict of an earlier run says when it was found.
    if record.checked_at and data.date_of(record.checked_at) < data.date_of(report.started_at):
        told.append(f"as of {data.date_of(record.checked_at)}")
    if told:
        yield style.paint(f"  {printable(', '.join(told))}", "dim")


def _short(title: str) -> str:
    title = " ".join(title.split())
    return title if len(title) <= 80 else title[:79].rstrip() + "..."


def summary_lines(
    report: LinkReport, style: TerminalStyle, min_severity: Severity = Severity.WARNING
) -> Iterator[str]:
    """The last lines: links by verdict, hosts that told nothing, silences, what can be fixed."""
    run, records = report.run, report.records.values()
    found = [one for outcome in run.outcomes for one in outcome.diagnostics]
    shown = [one for one in found if one.severity >= min_severity]
    fixed = sum(len(outcome.fixed.applied) for outcome in run.outcomes if outcome.fixed)
    if fixed:
        yield style.paint(f"{counted(fixed, 'finding')} fixed.", "green")
    links = counted(len(records), "link")
    verdicts = data.by_verdict(records)
    if report.online:
        kinds = [style.paint(f"{number:,} {name}", *_paint(name)) for name, number in verdicts.items()]
        hosts = counted(len({data.host_of(record.url) for record in records}), "host")
        none = "No link of the web is new." if run.since else "No links of the web."
        yield f"{links} of {hosts}: {', '.join(kinds)}." if records else none
        yield from _untold(report)
    else:
        files = counted(len(run.outcomes), "file")
        yield f"Local links of {files}; the web was not asked."
    local = [one for one in shown if one.rule in ("link/missing-file", "link/missing-anchor")]
    if local:
        yield style.paint(f"{counted(len(local), 'local link')} broken.", "red", "bold")
    # A dead link may be one of which nothing is to be said.
    elif run.outcomes and not shown and not report.stop_reason and Verdict.DEAD.value not in verdicts:
        sure = data.THERE.issuperset(verdicts)
        yield style.paint("All in its place." if sure else "None is known to be dead.", "green")
    if report.stop_reason:
        yield style.paint(f"{report.stop_reason}.", "yellow")
    yield from _silences(report)
    if run.since:
        yield f"Since {printable(run.since)}: only links that were added or changed."
    refused = {id(one) for outcome in run.outcomes if outcome.fixed for one, _ in outcome.fixed.dropped}
    yield from fixable_lines(
        [one for one in found if id(one) not in refused], min_severity, "shelfread links --fix"
    )
    if not report.archives_searched and any(one.rule == "link/dead" and one.fix is None for one in shown):
        yield "An archive may have snapshots of what is dead: shelfread links --fix --unsafe-fixes"
    if hidden := len(found) - len(shown):
        yield f"{counted(hidden, 'info')} hidden: --show-info."


def _paint(verdict: str) -> tuple[str, ...]:
    return (_COLOURS[verdict], "bold") if verdict in _COLOURS else ()


def _untold(report: LinkReport) -> Iterator[str]:
    hosts = data.unverified_hosts(report.records.values())
    for host, number, reason in islice(hosts, _HOSTS):
        yield f"  {counted(number, 'link')} of {printable(host)}: {printable(reason)}"
    if len(hosts) > _HOSTS:
        rest = hosts[_HOSTS:]
        links = counted(sum(number for _, number, _ in rest), "link")
        yield f"  {links} of {counted(len(rest), 'host')} more: --output-format json tells all"


def _silences(report: LinkReport) -> Iterator[str]:
    if report.ignored:
        yield f"{counted(len(report.ignored), 'link')} silenced by the configuration."
    for one in dict.fromkeys(report.expired.values()):
        yield f"Silenced until {one.until}, and spoken of again: {printable(one.pattern)} ({printable(one.reason)})"
    if report.reserved:
        yield f"{counted(report.reserved, 'address', 'addresses')} of no host (example.org, localhost) passed over."
