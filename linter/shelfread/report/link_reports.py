"""A link check for people, dead links first, as Markdown for an issue, and as JSON with every link and its evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from shelfread.core.diagnostics import Diagnostic
from shelfread.core.wording import counted
from shelfread.index.answers import LinkRecord, Verdict
from shelfread.links.link_check import LinkReport
from shelfread.links.verdicts import date_of
from shelfread.project.config import IgnoredUrl
from shelfread.report import link_summary as data
from shelfread.report.finding_lines import diagnostic_lines, dropped_lines, fix_lines, rule_label
from shelfread.report.findings_json import to_dict as findings_to_dict
from shelfread.report.link_summary import Occurrence, Problem
from shelfread.report.rendering import (
    RenderContext,
    Tally,
    TerminalStyle,
    code,
    dumps,
    hidden_lines,
    printable,
    tally,
)

_MAX_PLACES = 20
_MAX_HOSTS = 12
_YELLOW = (Verdict.SUSPECT, Verdict.UNREACHABLE, Verdict.UNSAFE)
_STYLES = {Verdict.DEAD.value: ("red", "bold"), **{kind.value: ("yellow", "bold") for kind in _YELLOW}}


def text(report: LinkReport, context: RenderContext) -> Iterator[str]:
    """Yield the lines of a report; findings below the context's severity are only counted."""
    counts = tally(report.run, context.min_severity)
    start = [sentence for sentence in (data.unchecked(report), *report.notes) if sentence]
    for sentence in start:
        yield context.style.paint(printable(f"{sentence[:1].upper()}{sentence[1:]}."), "yellow")
    if start:
        yield ""
    for problem in data.problems(report, context.min_severity):
        if problem.url:
            yield from _problem(problem, report, context.style, counts.dropped)
            yield ""
            continue
        for diagnostic, file, _ in problem.occurrences:
            reason = counts.dropped.get(diagnostic)
            yield from diagnostic_lines(diagnostic, file.source, context.style, reason)
            yield ""
    yield from _summary(report, counts, context)


def _problem(
    problem: Problem, report: LinkReport, style: TerminalStyle, dropped: Mapping[Diagnostic, str]
) -> Iterator[str]:
    message = problem.occurrences[0].diagnostic.message
    label = rule_label(problem.rule, problem.severity, style)
    yield f"{label} {style.paint(printable(data.shortened(problem.url)), 'bold')}"
    yield f"  {printable(data.shortened(message, 400))}"
    chain = data.redirect_chain(problem.record, message) if problem.record is not None else ""
    for note in (printable(chain), data.provenance(problem, report, printable)):
        if note:
            yield style.paint(f"  {note}", "dim")
    for place in problem.occurrences[:_MAX_PLACES]:
        line, column = place.position
        where = style.paint(f"{printable(place.diagnostic.path)}:{line}:{column}:", "bold")
        yield f"  {where} {printable(data.shortened(place.title, 80))}".rstrip()
        yield from dropped_lines(dropped.get(place.diagnostic), style, "   ")
    if len(problem.occurrences) > _MAX_PLACES:
        yield f"  and {counted(len(problem.occurrences) - _MAX_PLACES, 'place')} more"
    fixable = next((place for place in problem.occurrences if place.diagnostic.fix), None)
    if fixable is not None:
        yield from fix_lines(fixable.diagnostic, fixable.file.source, style, " ")


def _summary(report: LinkReport, counts: Tally, context: RenderContext) -> Iterator[str]:
    run, records, style = report.run, report.records.values(), context.style
    yield from (style.paint(line, "green") for line in counts.fixed_lines())
    verdicts = data.by_verdict(records)
    if records:
        kinds = [
            style.paint(f"{number:,} {name}", *_STYLES.get(name, ())) for name, number in verdicts.items()
        ]
        hosts = counted(len({data.host_of(record.url) for record in records}), "host")
        yield f"{counted(len(records), 'link')} of {hosts}: {', '.join(kinds)}."
    elif report.online and not report.stop_reason:
        yield "No new web links." if run.since else "No web links."
    elif not report.online:
        yield f"Local links of {counted(len(run.files), 'file')} checked; web links were not."
    yield from (f"  {line}" for line in _unverified(report, printable, _MAX_HOSTS))
    if broken := sum(item.rule in ("link/missing-file", "link/missing-anchor") for item in counts.shown):
        yield style.paint(f"{counted(broken, 'local link')} broken.", "red", "bold")
    # A dead link may be one that is ignored.
    elif run.files and not (counts.shown or report.stop_reason or Verdict.DEAD.value in verdicts):
        all_found = data.FOUND.issuperset(verdicts)
        unchecked = data.unchecked(report)
        known = f"No link is known to be dead{f', but {unchecked}' if unchecked else ''}."
        yield style.paint("No problems found." if all_found else known, "yellow" if unchecked else "green")
    if report.stop_reason:
        yield style.paint(f"{report.stop_reason}.", "yellow")
    yield from data.ignored_lines(report, printable)
    if refused := data.unrequested(report):
        yield style.paint(printable(refused), "yellow")
    if report.reserved:
        yield f"{counted(report.reserved, 'URL')} on reserved hosts (example.org, localhost) skipped."
    if run.since:
        yield f"Only links added or changed since {printable(run.since)} are reported."
    yield from counts.fixable_lines(context.fix_command, context.unsafe_fix_command)
    dead = any(item.rule == "link/dead" and item.fix is None for item in counts.shown)
    if dead and not report.archives_searched:
        yield f"An archive may have snapshots of dead pages: {context.unsafe_fix_command}"
    yield from hidden_lines(counts.hidden)


def _unverified(report: LinkReport, quote: Callable[[str], str], most: int) -> Iterator[str]:
    """Yield which hosts have links that could not be verified, and why; `quote` makes a text safe."""
    hosts = data.unverified_hosts(report.records.values())
    for host, number, reason in hosts[:most]:
        yield f"{counted(number, 'link')} of {quote(host)}: {quote(reason)}"
    if others := hosts[most:]:
        links = counted(sum(number for _, number, _ in others), "link")
        yield f"{links} of {counted(len({host for host, _, _ in others}), 'host')} more (all with --output-format json)"


_MAX_LENGTH = 60_000  # Characters; GitHub refuses an issue of more than 65,536
_MAX_ISSUE_PLACES = 10
_MAX_ISSUE_HOSTS = 50
_MAX_CODE = 300


def markdown(report: LinkReport, context: RenderContext) -> Iterator[str]:
    """Yield the lines of a report that fits into an issue; the sections after it always fit."""
    end = "\n".join(_end(report, context))
    room = _MAX_LENGTH - len(end)
    for lines in _parts(report, context):
        text = "\n".join(lines)
        room -= len(text) + 1
        if room < 0:
            yield "\nAn issue takes no more: run `shelfread links` to see all."
            break
        yield text
    if end:
        yield end


def _parts(report: LinkReport, context: RenderContext) -> Iterator[list[str]]:
    yield list(_start(report))
    ranked = sorted(data.problems(report, context.min_severity), key=lambda problem: data.rank(problem.rule))
    for rule, group in groupby(ranked, key=lambda problem: problem.rule):
        problems = list(group)
        number = sum(1 if problem.url else len(problem.occurrences) for problem in problems)
        yield ["", f"## {data.HEADINGS.get(rule) or _code(rule)} ({number})", ""]
        for problem in problems:
            if problem.url:
                yield list(_problem_item(problem, report, context))
            else:
                for place in problem.occurrences:
                    yield [f"- {_place(place, context)} {_code(place.diagnostic.message)}"]


def _start(report: LinkReport) -> Iterator[str]:
    records = report.records.values()
    yield "# Links\n"
    if not report.online:
        yield "Local links only; web links were not checked."
        return
    yield f"{counted(len(records), 'link')}, checked on {date_of(report.started_at)}."
    if unchecked := data.unchecked(report):
        yield f"\n{unchecked}."
    for note in report.notes:
        yield f"\n{_code(note)}"
    if report.stop_reason:
        yield f"\n{report.stop_reason}."
    if verdicts := data.by_verdict(records):
        yield "\n| verdict | links |\n|---|---:|"
        yield from (f"| {name} | {number:,} |" for name, number in verdicts.items())


def _problem_item(problem: Problem, report: LinkReport, context: RenderContext) -> Iterator[str]:
    message = problem.occurrences[0].diagnostic.message
    provenance = data.provenance(problem, report, _code)
    yield f"- {_code(problem.url)}"
    yield f"  - {_code(message)}{f' ({provenance})' if provenance else ''}"
    if problem.record is not None and (chain := data.redirect_chain(problem.record, message)):
        yield f"  - {_code(chain)}"
    for place in problem.occurrences[:_MAX_ISSUE_PLACES]:
        yield f"  - {_place(place, context)}{f' {_code(place.title)}' if place.title else ''}"
    if len(problem.occurrences) > _MAX_ISSUE_PLACES:
        yield f"  - and {counted(len(problem.occurrences) - _MAX_ISSUE_PLACES, 'place')} more"


def _place(place: Occurrence, context: RenderContext) -> str:
    path, line = place.diagnostic.path, place.position[0]
    shown, url = _code(f"{path}:{line}"), context.line_url(path, line)
    return f"[{shown}]({url})" if url else shown


def _end(report: LinkReport, context: RenderContext) -> Iterator[str]:
    hosts = [f"- {line}" for line in _unverified(report, _code, _MAX_ISSUE_HOSTS)]
    yield from ["\n## Hosts that could not be checked\n", *hosts] if hosts else []
    counts = tally(report.run, context.min_severity)
    fixable = counts.fixable_lines(context.fix_command, context.unsafe_fix_command)
    yield from (f"\n{line}" for line in (*data.ignored_lines(report, _code), *fixable))


def _code(text: str) -> str:
    return code(text, _MAX_CODE)


def json(report: LinkReport, context: RenderContext) -> Iterator[str]:
    """Yield the report as JSON text."""
    yield dumps(to_dict(report))


def to_dict(report: LinkReport) -> dict[str, Any]:
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
        "chain": [hop._asdict() for hop in record.hops],
        "checked_at": data.timestamp(record.checked_at),
        "failures": record.failures,
        "first_failure": data.timestamp(record.first_failure),
        "source": record.source,
        "certificate": record.certificate or None,
        "archived": record.archived or None,
        "betters": [
            {**replacement._asdict(), "applicability": replacement.applicability.label}
            for replacement in record.replacements
        ],
        "places": places,
    }


def _ignored(entry: IgnoredUrl) -> dict[str, Any]:
    until = entry.until.isoformat() if entry.until else None
    return {"pattern": entry.pattern, "reason": entry.reason, "until": until}
