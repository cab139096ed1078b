"""A link check for people: dead links first, each with the evidence and the entries that have it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from shelfread.core.diagnostics import Diagnostic
from shelfread.core.wording import counted
from shelfread.index.answers import Verdict
from shelfread.links.link_check import LinkReport
from shelfread.report import link_summary as data
from shelfread.report.finding_lines import diagnostic_lines, dropped_lines, fix_lines, rule_label
from shelfread.report.link_summary import Problem
from shelfread.report.rendering import RenderContext, Tally, TerminalStyle, hidden_lines, printable, tally

_MAX_PLACES = 20
_MAX_HOSTS = 12
_COLOURS = {
    Verdict.DEAD.value: "red",
    **dict.fromkeys(
        (kind.value for kind in (Verdict.SUSPECT, Verdict.UNREACHABLE, Verdict.UNSAFE)), "yellow"
    ),
}


def text(report: LinkReport, context: RenderContext) -> Iterator[str]:
    """Yield the lines of a report; findings below the context's severity are only counted."""
    counts = tally(report.run, context.min_severity)
    start = [
        f"{sentence[:1].upper()}{sentence[1:]}."
        for sentence in (data.unchecked(report), *report.notes)
        if sentence
    ]
    yield from (context.style.paint(line, "yellow") for line in map(printable, start))
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
        title = " ".join(place.title.split())
        title = title if len(title) <= 80 else title[:79].rstrip() + "..."
        yield f"  {where} {printable(title)}".rstrip()
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
        kinds = [style.paint(f"{number:,} {name}", *_paint(name)) for name, number in verdicts.items()]
        hosts = counted(len({data.host_of(record.url) for record in records}), "host")
        yield f"{counted(len(records), 'link')} of {hosts}: {', '.join(kinds)}."
    elif report.online:
        yield "No new web links." if run.since else "No web links."
    else:
        yield f"Local links of {counted(len(run.files), 'file')} checked; web links were not."
    yield from _unverified(report)
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


def _paint(verdict: str) -> tuple[str, ...]:
    return (_COLOURS[verdict], "bold") if verdict in _COLOURS else ()


def _unverified(report: LinkReport) -> Iterator[str]:
    hosts = data.unverified_hosts(report.records.values())
    for host, number, reason in hosts[:_MAX_HOSTS]:
        yield f"  {counted(number, 'link')} of {printable(host)}: {printable(reason)}"
    if others := hosts[_MAX_HOSTS:]:
        links = counted(sum(number for _, number, _ in others), "link")
        yield f"  {links} of {counted(len(others), 'host')} more (all with --output-format json)"
