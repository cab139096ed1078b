"""A run over links for people: dead ones first, each with what proves it and the entries concerned."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from shelfread.core.diagnostics import Applicability, Severity
from shelfread.core.link_record import LinkRecord, Verdict
from shelfread.report.findings.text import COLOURS, describe, finding, fixable
from shelfread.report.links import summary as data
from shelfread.report.links.summary import LinkReport, Topic
from shelfread.report.terminal import TerminalStyle, counted, printable

_PLACES = 20
_HOSTS = 12
_COLOURS = {Verdict.DEAD.value: "red", Verdict.SUSPECT.value: "yellow", Verdict.UNSAFE.value: "yellow"}


def render(census: LinkReport, look: TerminalStyle, least: Severity = Severity.WARNING) -> Iterator[str]:
    """The lines of a report; findings below `least` are only counted."""
    dropped = {
        id(one): reason
        for outcome in census.run.outcomes
        if outcome.fixed
        for one, reason in outcome.fixed.dropped
    }
    for topic in data.topics(census, least):
        if topic.url:
            yield from _topic(topic, census, look, dropped)
            yield ""
            continue
        for one, outcome, _ in topic.findings:
            yield from finding(one, outcome.source, look, dropped.get(id(one)))
            yield ""
    yield from summary(census, look, least)


def _topic(topic: Topic, census: LinkReport, look: TerminalStyle, dropped: dict[int, str]) -> Iterator[str]:
    """One link: its verdict, what proves it, its places, the fix."""
    colour = COLOURS[topic.severity]
    rule = look.paint(topic.severity.label, colour, "bold") + look.paint(f"[{topic.rule}]", colour)
    first = topic.findings[0][0]
    yield f"{rule} {look.paint(printable(data.brief(topic.url)), 'bold')}"
    yield f"  {printable(data.brief(first.message, 400))}"
    if topic.record is not None:
        yield from _evidence(topic.record, first.message, census, look)
    for one, outcome, title in topic.findings[:_PLACES]:
        line, column = outcome.source.position(one.span.start)
        where = f"{printable(one.path)}:{line}:{column}:"
        yield f"  {look.paint(where, 'bold')} {printable(_short(title))}".rstrip()
        if id(one) in dropped:
            yield f"    {look.paint('= not fixed:', 'yellow')} {printable(dropped[id(one)])}"
    if len(topic.findings) > _PLACES:
        yield f"  and {counted(len(topic.findings) - _PLACES, 'place')} more"
    mended = next(((one, outcome) for one, outcome, _ in topic.findings if one.fix), None)
    if mended is not None:
        one, outcome = mended
        assert one.fix is not None
        safe = one.fix.applicability is Applicability.SAFE
        label = look.paint("= fix:", "green") if safe else look.paint("= unsafe fix:", "yellow")
        yield f"  {label} {describe(one.fix, one.span, outcome.source, look)}"


def _evidence(record: LinkRecord, message: str, census: LinkReport, look: TerminalStyle) -> Iterator[str]:
    if chain := data.chain(record, message):
        yield look.paint(f"  {printable(chain)}", "dim")
    told = [f"told by {record.source}"] if record.source != "web" else []
    # A verdict of an earlier run says when it was found.
    if record.checked_at and data.day(record.checked_at) < data.day(census.began):
        told.append(f"as of {data.day(record.checked_at)}")
    if told:
        yield look.paint(f"  {printable(', '.join(told))}", "dim")


def _short(title: str) -> str:
    title = " ".join(title.split())
    return title if len(title) <= 80 else title[:79].rstrip() + "..."


def summary(census: LinkReport, look: TerminalStyle, least: Severity = Severity.WARNING) -> Iterator[str]:
    """The last lines: links by verdict, hosts that told nothing, silences, what can be fixed."""
    run, records = census.run, census.records.values()
    found = [one for outcome in run.outcomes for one in outcome.diagnostics]
    shown = [one for one in found if one.severity >= least]
    fixed = sum(len(outcome.fixed.applied) for outcome in run.outcomes if outcome.fixed)
    if fixed:
        yield look.paint(f"{counted(fixed, 'finding')} fixed.", "green")
    links = counted(len(records), "link")
    verdicts = data.by_verdict(records)
    if census.asked:
        kinds = [look.paint(f"{number:,} {name}", *_paint(name)) for name, number in verdicts.items()]
        hosts = counted(len({data.host_of(record.url) for record in records}), "host")
        none = "No link of the web is new." if run.since else "No links of the web."
        yield f"{links} of {hosts}: {', '.join(kinds)}." if records else none
        yield from _untold(census)
    else:
        files = counted(len(run.outcomes), "file")
        yield f"Local links of {files}; the web was not asked."
    local = [one for one in shown if one.rule in ("link/missing-file", "link/missing-anchor")]
    if local:
        yield look.paint(f"{counted(len(local), 'local link')} broken.", "red", "bold")
    # A dead link may be one of which nothing is to be said.
    elif run.outcomes and not shown and not census.cut and Verdict.DEAD.value not in verdicts:
        sure = data.THERE.issuperset(verdicts)
        yield look.paint("All in its place." if sure else "None is known to be dead.", "green")
    if census.cut:
        yield look.paint(f"{census.cut}.", "yellow")
    yield from _silences(census)
    if run.since:
        yield f"Since {printable(run.since)}: only links that were added or changed."
    refused = {id(one) for outcome in run.outcomes if outcome.fixed for one, _ in outcome.fixed.dropped}
    yield from fixable([one for one in found if id(one) not in refused], least, "shelfread links --fix")
    if not census.archive and any(one.rule == "link/dead" and one.fix is None for one in shown):
        yield "An archive may have snapshots of what is dead: shelfread links --fix --unsafe-fixes"
    if hidden := len(found) - len(shown):
        yield f"{counted(hidden, 'info')} hidden: --show-info."


def _paint(verdict: str) -> tuple[str, ...]:
    return (_COLOURS[verdict], "bold") if verdict in _COLOURS else ()


def _untold(census: LinkReport) -> Iterator[str]:
    hosts = data.untold(census.records.values())
    for host, number, reason in islice(hosts, _HOSTS):
        yield f"  {counted(number, 'link')} of {printable(host)}: {printable(reason)}"
    if len(hosts) > _HOSTS:
        rest = hosts[_HOSTS:]
        links = counted(sum(number for _, number, _ in rest), "link")
        yield f"  {links} of {counted(len(rest), 'host')} more: --output-format json tells all"


def _silences(census: LinkReport) -> Iterator[str]:
    if census.silent:
        yield f"{counted(len(census.silent), 'link')} silenced by the configuration."
    for one in dict.fromkeys(census.over.values()):
        yield f"Silenced until {one.until}, and spoken of again: {printable(one.pattern)} ({printable(one.reason)})"
    if census.reserved:
        yield f"{counted(census.reserved, 'address', 'addresses')} of no host (example.org, localhost) passed over."
