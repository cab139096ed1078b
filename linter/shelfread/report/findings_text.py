"""Findings for people: each with its line and what they add up to, and what a run left alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from shelfread.core.diagnostics import Applicability
from shelfread.core.errors import InputError, UserError
from shelfread.core.patterns import lazy
from shelfread.core.wording import counted
from shelfread.document.file_kind import FileKind
from shelfread.document.generated import Generated
from shelfread.engine.model import RunResult
from shelfread.report.finding_lines import (
    COLOURS,
    MANY,
    Group,
    by_cause,
    diagnostic_lines,
    errors_first,
    headline,
    line_ranges,
    severities_in_words,
)
from shelfread.report.rendering import RenderContext, findings, fit, hidden_lines, printable, tally, width

if TYPE_CHECKING:
    from shelfread.format.result import UnformattedBlock


_ITEM = lazy(r"(?m)^\s{0,9}(?:[-*+]|\d{1,9}[.)]|\|)\s")
_GENERAL_PRESETS = ("core", "taxonomy")  # presets that do not tell kinds of lists apart


def summary_lines(run: RunResult, context: RenderContext) -> Iterator[str]:
    """Yield what was found, what can be fixed, and how much was read."""
    style, min_severity = context.style, context.min_severity
    counts = tally(run, min_severity)
    yield from (style.paint(line, "green") for line in counts.fixed_lines())
    if counts.shown:
        kinds = severities_in_words((diagnostic.severity for diagnostic in counts.shown), style)
        yield f"{kinds} in {_scope(run)}"
        yield from counts.fixable_lines(context.fix_command, context.unsafe_fix_command)
    nothing = _no_entries_line(run)
    if nothing:
        yield style.paint(nothing, "yellow")
    elif run.files and not counts.shown:
        yield style.paint(f"No problems found in {_scope(run)}", "green")
    yield from hidden_lines(counts.hidden)
    older = sum(item.severity >= min_severity for file in run.files for item in file.older)
    if run.since and (older or counts.shown):
        before = f"in lines from before {printable(run.since)}"
        yield f"{counted(older, 'finding')} {before} not shown." if older else f"No findings {before}."
    known = sum(item.severity >= min_severity for file in run.files for item in file.known)
    if run.baseline and (known or counts.shown):
        yield f"{counted(known, 'finding')} of the baseline {printable(run.baseline)} not shown."
    if counts.shown:
        rule, _ = Counter(diagnostic.rule for diagnostic in counts.shown).most_common(1)[0]
        yield style.paint(f"For an explanation of a rule: shelfread rule {rule}", "dim")


def _no_entries_line(run: RunResult) -> str:
    """Return what to do if lists have links or items, and nothing was read as an entry; else an empty text."""
    lists = [
        file
        for file in run.files
        if file.kind is FileKind.LIST and (file.links or _ITEM.search(file.source.text))
    ]
    if not lists or any(file.entries for file in run.files):
        return ""
    path = f" {printable(run.files[0].path)}" if len(run.files) == 1 else ""
    return f"No entries found: 'shelfread export --annotate{path}' shows why each line was left out."


def _scope(run: RunResult) -> str:
    entries = counted(sum(result.entries for result in run.files), "entry", "entries")
    if len(run.files) == 1:
        result = run.files[0]
        return f"{entries} of {printable(result.path)} ({', '.join(result.presets)})."
    presets = Counter(preset for result in run.files if result.entries for preset in result.presets)
    kinds = ", ".join(
        f"{name}: {counted(n, 'file')}" for name, n in presets.most_common() if name not in _GENERAL_PRESETS
    )
    return f"{entries} of {counted(len(run.files), 'file')}{f' ({kinds})' if kinds else ''}."


def statistics(run: RunResult, context: RenderContext) -> Iterator[str]:
    """Yield a table of rules and the summary."""
    lines = list(_rule_rows(run, context))
    yield from lines
    if lines:
        yield ""
    yield from summary_lines(run, context)


def _rule_rows(run: RunResult, context: RenderContext) -> Iterator[str]:
    """Yield a row for each rule, the most frequent first; with a baseline also its counts."""
    style, min_severity, rules = context.style, context.min_severity, context.catalogue()
    shown = tally(run, min_severity).shown
    in_baseline = [item for file in run.files for item in file.known if item.severity >= min_severity]
    counts = Counter(diagnostic.rule for diagnostic in shown)
    known = Counter(diagnostic.rule for diagnostic in in_baseline)
    fixes = Counter((item.rule, item.fix.applicability) for item in shown if item.fix)
    by_severity = sorted([*shown, *in_baseline], key=lambda diagnostic: diagnostic.severity)
    worst = {diagnostic.rule: diagnostic.severity for diagnostic in by_severity}
    digits = len(str(max(counts.values(), default=0)))
    columns = max(digits, 3), max(len(str(max(known.values(), default=0))), 5)
    name = max(map(len, worst), default=0)
    if run.baseline and worst:
        yield style.paint(f"{'new':>{columns[0]}}  {'known':>{columns[1]}}", "dim")
    for rule in sorted(worst, key=lambda rule: (-counts[rule], -known[rule], rule)):
        number = counts[rule]
        safe, unsafe = fixes[rule, Applicability.SAFE], fixes[rule, Applicability.UNSAFE]
        fixable = ""
        if safe:
            fixable = "fixable" if safe == number else f"{safe} fixable"
        elif unsafe:
            fixable = "unsafe fix" if unsafe == number else f"{unsafe} unsafe"
        painted = style.paint(rule, COLOURS[worst[rule]]) + " " * (name - len(rule))
        subject = printable(rules[rule].subject) if rule in rules else ""
        start = f"{number:>{digits}}"
        if run.baseline:
            start = f"{number:>{columns[0]}}  {known[rule]:>{columns[1]}}"
        fixable = f"{fixable:<{max(digits + 8, 10)}}"
        room = style.width - len(start) - name - len(fixable) - 6
        if width(subject) > room:
            kept, _ = fit(subject, room - len(style.ellipsis))
            subject = "".join(kept).rstrip() + style.ellipsis
        yield f"{start}  {painted}  {fixable}  {subject}".rstrip()


def text(run: RunResult, context: RenderContext) -> Iterator[str]:
    """Yield the lines of a report, errors first; findings below the context's severity are only counted."""
    shown = errors_first(findings(run, context.min_severity))
    if len(shown) <= MANY:
        groups = by_cause(shown)
        yield from _singly(run, groups, context)
        yield from summary_lines(run, context)
        if len(groups) < len(shown):
            yield context.style.paint(
                "Findings with one cause are shown once; all: --output-format full", "dim"
            )
    else:
        from shelfread.report.overview import next_steps, overview

        yield from overview(run, shown, context)
        yield from statistics(run, context)
        yield from next_steps(run, context)


def _singly(run: RunResult, groups: Sequence[Group], context: RenderContext) -> Iterator[str]:
    dropped = tally(run, context.min_severity).dropped
    for group in groups:
        diagnostic, source = group.first
        reason = dropped.get(diagnostic)
        yield from diagnostic_lines(diagnostic, source, context.style, reason, group.others())
        yield ""


def full(run: RunResult, context: RenderContext) -> Iterator[str]:
    """Yield the lines of all findings, errors first, and a summary."""
    shown = errors_first(findings(run, context.min_severity))
    yield from _singly(run, [Group([finding]) for finding in shown], context)
    yield from summary_lines(run, context)


def concise(run: RunResult, context: RenderContext) -> Iterator[str]:
    """Yield `path:line:column: severity[rule] message` for each finding."""
    for diagnostic, source in findings(run, context.min_severity):
        yield headline(diagnostic, source, context.style)


_NAMED = 5


def left_alone_line(kinds: Mapping[str, FileKind], what: str) -> str:
    """Return `2 files are not lists and are <what>: LICENSE.md (licence), ...`; empty if all are lists."""
    named = [f"{path} ({kind.value})" for path, kind in kinds.items() if kind.is_left_alone]
    are = counted(len(named), "file is not a list and is", "files are not lists and are")
    return f"{are} {what}: {_enumerate(named)}" if named else ""


def generated_lines(files: Mapping[str, Generated | None], what: str) -> Iterator[str]:
    """Yield `README.md is generated from data.yml, and <what>: edit data.yml` for each source; none of many is named."""
    groups: dict[Generated, list[str]] = {}
    for path, generated in files.items():
        if generated is not None:
            groups.setdefault(generated, []).append(path)
    if len(groups) > _NAMED:
        groups = {Generated(): [path for paths in groups.values() for path in paths]}
    for (source, see), paths in groups.items():
        verb, they = ("is", "it is") if len(paths) == 1 else ("are", "they are")
        made = f" from {source}" if source else f" (see {see})" if see else ""
        edit = f"edit {source}" if source else f"change the files that {they} made from"
        yield f"{_enumerate(paths)} {verb} generated{made}, and {what}: {edit}"


def misread_line(path: str, misread: Sequence[tuple[str, int]]) -> str:
    """Return `README.md: 206 entries of 'Models' are read with little certainty`, for series given by section; empty if none."""
    number = counted(sum(count for _, count in misread), "entry", "entries")
    sections = {section for section, _ in misread}
    place = f" of '{next(iter(sections))}'" if len(sections) == 1 and sections != {""} else ""
    return f"{path or '-'}: {number}{place} are read with little certainty" if misread else ""


def results_line(rows: Mapping[str, int], entries: int) -> str:
    """Return `90 rows of results in 2 files are no entries: a.md, b.md`; empty unless there are more of them than entries."""
    if sum(rows.values()) <= entries:
        return ""
    paths = [path or "-" for path, number in rows.items() if number]
    number, files = counted(sum(rows.values()), "row"), counted(len(paths), "file")
    return f"{number} of results in {files} are no entries ('shelfread export --annotate' shows them): {_enumerate(paths)}"


def error_lines(errors: Iterable[UserError], what: str, after: str = "") -> Iterator[str]:
    """Yield a line for each error with `after`, or of many files with one need: `50 files <what>: save the file as UTF-8: a.md:5, ...`."""
    groups: dict[object, list[UserError]] = {}
    for error in errors:
        alike = isinstance(error, InputError) and error.path is not None
        groups.setdefault(error.message.rpartition(": ")[2] if alike else error, []).append(error)
    for need, group in groups.items():
        if len(group) > _NAMED:
            yield f"{counted(len(group), 'file')} {what}: {need}: {_enumerate([error.place for error in group])}"
        else:
            yield from (f"{error}{after}" for error in group)


def _enumerate(named: Sequence[str]) -> str:
    # To count one file takes as much room as to name it.
    shown = named if len(named) == _NAMED + 1 else named[:_NAMED]
    more = f" and {len(named) - len(shown):,} more" if len(named) > len(shown) else ""
    return f"{', '.join(shown)}{more}"


def unformatted_lines(path: str, blocks: Sequence[UnformattedBlock]) -> Iterator[str]:
    """Yield the first blocks of each reason, and the line numbers of the others."""
    by_reason: dict[str, list[int]] = {}
    for line, reason in blocks:
        by_reason.setdefault(reason, []).append(line)
    for reason, lines in by_reason.items():
        # A summary of one line would take as much room as the line itself.
        named = len(lines) if len(lines) == _NAMED + 1 else _NAMED
        for line in lines[:named]:
            yield f"{path}:{line}: not formatted: {reason}"
        if others := lines[named:]:
            yield f"{path}: and {len(others)} more not formatted: {reason}: lines {', '.join(line_ranges(others))}"
