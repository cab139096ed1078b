"""A link check as Markdown, for an issue that a scheduled workflow opens.

Titles and URLs are a stranger's: they are in code spans, where they are no markup, mention nobody and refer to
no issue.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from shelfread.core.patterns import lazy
from shelfread.core.wording import counted
from shelfread.links.link_check import LinkReport
from shelfread.report import link_summary as data
from shelfread.report.link_summary import Occurrence, Problem
from shelfread.report.rendering import RenderContext, tally

_MAX_LENGTH = 60_000  # Characters; GitHub refuses an issue of more than 65,536
_MAX_PLACES = 10
_MAX_HOSTS = 50
_HIDDEN = lazy(r"[^\S ]|[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")


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
        yield ["", f"## {data.HEADINGS.get(rule) or code(rule)} ({number})", ""]
        for problem in problems:
            if problem.url:
                yield list(_problem(problem, report, context))
            else:
                for place in problem.occurrences:
                    yield [f"- {_place(place, context)} {code(place.diagnostic.message)}"]


def _start(report: LinkReport) -> Iterator[str]:
    records = report.records.values()
    yield "# Links\n"
    if not report.online:
        yield "Local links only; web links were not checked."
        return
    yield f"{counted(len(records), 'link')}, checked on {data.date_of(report.started_at)}."
    if unchecked := data.unchecked(report):
        yield f"\n{unchecked}."
    for note in report.notes:
        yield f"\n{code(note)}"
    if report.stop_reason:
        yield f"\n{report.stop_reason}."
    if verdicts := data.by_verdict(records):
        yield "\n| verdict | links |\n|---|---:|"
        yield from (f"| {name} | {number:,} |" for name, number in verdicts.items())


def _problem(problem: Problem, report: LinkReport, context: RenderContext) -> Iterator[str]:
    message = problem.occurrences[0].diagnostic.message
    provenance = data.provenance(problem, report, code)
    yield f"- {code(problem.url)}"
    yield f"  - {code(message)}{f' ({provenance})' if provenance else ''}"
    if problem.record is not None and (chain := data.redirect_chain(problem.record, message)):
        yield f"  - {code(chain)}"
    for place in problem.occurrences[:_MAX_PLACES]:
        yield f"  - {_place(place, context)}{f' {code(place.title)}' if place.title else ''}"
    if len(problem.occurrences) > _MAX_PLACES:
        yield f"  - and {counted(len(problem.occurrences) - _MAX_PLACES, 'place')} more"


def _place(place: Occurrence, context: RenderContext) -> str:
    path, line = place.diagnostic.path, place.position[0]
    shown, url = code(f"{path}:{line}"), context.line_url(path, line)
    return f"[{shown}]({url})" if url else shown


def _end(report: LinkReport, context: RenderContext) -> Iterator[str]:
    yield from _hosts(report)
    fixable = tally(report.run, context.min_severity).fixable_lines(
        context.fix_command, context.unsafe_fix_command
    )
    yield from (f"\n{line}" for line in (*data.ignored_lines(report, code), *fixable))


def _hosts(report: LinkReport) -> Iterator[str]:
    records = report.records.values()
    counts = {host: kinds for host, kinds in data.by_host(records).items() if kinds.keys() - data.FOUND}
    reasons = {host: reason for host, _, reason in data.unverified_hosts(records)}
    if not counts:
        return
    yield "\n## Hosts\n"
    yield "| host | links | not found | why they could not be checked |\n|---|---:|---|---|"
    lost = {host: sum(kinds[name] for name in kinds.keys() - data.FOUND) for host, kinds in counts.items()}
    worst = sorted(counts, key=lambda host: (-lost[host], host))
    for host in worst[:_MAX_HOSTS]:
        kinds = counts[host]
        names = [name for name in data.NAMES if kinds[name] and name not in data.FOUND]
        verdicts = ", ".join(f"{kinds[name]:,} {name}" for name in names)
        reason = cell(reasons[host]) if host in reasons else ""
        yield f"| {cell(host)} | {kinds.total():,} | {verdicts} | {reason} |"
    if len(worst) > _MAX_HOSTS:
        yield f"| {counted(len(worst) - _MAX_HOSTS, 'host')} more | | | |"


def code(text: str) -> str:
    """Return a text as a code span of one line and at most 300 characters."""
    text = " ".join(_HIDDEN.sub(" ", text).split()).replace("`", "'")
    text = text if len(text) <= 300 else text[:299] + "..."
    return f"`{text}`" if text else "` `"


def cell(text: str) -> str:
    """Return a code span for a table, where a `|` would end the cell."""
    return code(text.replace("|", "/"))
