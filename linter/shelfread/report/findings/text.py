"""Findings for people: the line with the problem underlined, what a fix would write, and a summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from shelfread.core.diagnostics import Applicability, Change, Diagnostic, Edit, Fix, Severity, Span
from shelfread.core.edits import apply_edits
from shelfread.core.source import Source
from shelfread.core.support.plurals import counted
from shelfread.engine.model import RunResult
from shelfread.report.context import RenderContext, findings
from shelfread.report.snippet import line_span, snippet
from shelfread.report.tally import hidden_lines, tally
from shelfread.report.terminal import TerminalStyle, fit, printable, printable_character

COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "blue"}

_GENERAL_PRESETS = ("core", "taxonomy")
"""Presets that do not tell kinds of lists apart."""


def render(run: RunResult, context: RenderContext) -> Iterator[str]:
    """Yield the lines of a report; findings below the context's severity are only counted."""
    dropped = tally(run, context.min_severity).dropped
    for diagnostic, source in findings(run, context.min_severity):
        yield from diagnostic_lines(diagnostic, source, context.style, dropped.get(id(diagnostic)))
        yield ""
    yield from summary_lines(run, context.style, context.min_severity)


def diagnostic_lines(
    diagnostic: Diagnostic, source: Source, style: TerminalStyle, dropped: str | None = None
) -> Iterator[str]:
    """Yield the lines of one finding; `dropped` says why its fix was not applied."""
    yield headline(diagnostic, source, style)
    number = str(source.position(diagnostic.span.start)[0])
    gutter = " " * len(number)
    shown = snippet(source, diagnostic.span, max(style.width - len(number) - 3, 40), style)
    yield f"{style.paint(f'{number} |', 'blue')} {shown.text}".rstrip()
    carets = style.paint("^" * shown.length, COLOURS[diagnostic.severity], "bold")
    yield f"{style.paint(f'{gutter} |', 'blue')} {' ' * shown.indent}{carets}"
    yield from fix_lines(diagnostic, source, style, gutter)
    yield from dropped_lines(dropped, style, gutter)


def fix_lines(diagnostic: Diagnostic, source: Source, style: TerminalStyle, indent: str) -> Iterator[str]:
    """Yield the line that describes the fix of a finding, if it has one."""
    if diagnostic.fix is not None:
        safe = diagnostic.fix.applicability is Applicability.SAFE
        label = style.paint("= fix:", "green") if safe else style.paint("= unsafe fix:", "yellow")
        yield f"{indent} {label} {describe_fix(diagnostic.fix, diagnostic.span, source, style)}"


def dropped_lines(reason: str | None, style: TerminalStyle, indent: str) -> Iterator[str]:
    """Yield the line that says why a fix was not applied, if there is a reason."""
    if reason is not None:
        yield f"{indent} {style.paint('= not fixed:', 'yellow')} {printable(reason)}"


def headline(diagnostic: Diagnostic, source: Source, style: TerminalStyle) -> str:
    """Return `path:line:column: severity[rule] message`."""
    line, column = source.position(diagnostic.span.start)
    place = style.paint(f"{printable(diagnostic.path)}:{line}:{column}:", "bold")
    label = rule_label(diagnostic.rule, diagnostic.severity, style)
    return f"{place} {label} {printable(diagnostic.message)}"


def rule_label(rule: str, severity: Severity, style: TerminalStyle) -> str:
    """Return `severity[rule]`."""
    colour = COLOURS[severity]
    return style.paint(severity.label, colour, "bold") + style.paint(f"[{rule}]", colour)


def advice(diagnostic: Diagnostic, source: Source, fix_command: str) -> str:
    """Return one line that says what to do about a finding."""
    fix = diagnostic.fix
    if fix is None:
        return f"More: shelfread rule {diagnostic.rule}"
    change = describe_fix(fix, diagnostic.span, source, TerminalStyle())
    if fix.applicability is Applicability.SAFE:
        return f"Fix ({fix_command}): {change}"
    return f"Unsafe fix ({fix_command} --unsafe-fixes): {change}"


def describe_fix(fix: Fix, span: Span, source: Source, style: TerminalStyle) -> str:
    """Return the new text of the place where it is short, else which lines the fix changes."""
    edits = sorted(edit for edit in fix.edits if not edit.path or edit.path == source.path)
    other_files = sorted({edit.path for edit in fix.edits} - {"", source.path or ""})
    changes = [f"changes {printable(path)}" for path in other_files]
    if edits:
        changes.insert(0, _moved(edits, source) or _written(edits, span, source, style))
    return "; ".join(changes)


def _moved(edits: Sequence[Edit], source: Source) -> str | None:
    if any(edit.effect.change is not Change.MOVED for edit in edits):
        return None
    removed = [edit for edit in edits if edit.end > edit.start]
    inserted = [edit for edit in edits if edit.end == edit.start]
    if len(removed) == 1 and len(inserted) == 1:
        lines = _lines(removed[0].start, removed[0].end, source)
        return f"move {lines} before line {source.position(inserted[0].start)[0]}"
    first, last = source.position(edits[0].start)[0], source.position(edits[-1].end - 1)[0]
    return f"put lines {first}-{last} in order"


def _lines(start: int, end: int, source: Source) -> str:
    """Return `line 3` or `lines 3-5`."""
    first, last = source.position(start)[0], source.position(max(start, end - 1))[0]
    return f"line {first}" if first == last else f"lines {first}-{last}"


def _written(edits: Sequence[Edit], span: Span, source: Source, style: TerminalStyle) -> str:
    start, end = edits[0].start, max(edit.end for edit in edits)
    lines = _lines(start, end, source)
    if any("\n" in edit.text or "\r" in edit.text for edit in edits) or lines.startswith("lines"):
        kept = any(source.text[before.end : after.start].strip() for before, after in pairwise(edits))
        verb = "change" if kept else "remove" if all(not edit.text for edit in edits) else "rewrite"
        return f"{verb} {lines}"
    line = line_span(source, source.position(start)[0])
    # The whole place, where it is on this line, reads better than an edit of one character.
    if line.start <= span.start and span.end <= line.end:
        start, end = min(start, span.start), max(end, span.end)
    new = apply_edits(source.text, edits, start, end)
    if not new.strip():
        return f"remove '{_excerpt(source.text[start:end], 0, style)}'"
    short = _excerpt(new, edits[0].start - start, style)
    return short if new == new.strip() else f"'{short}'"


def _excerpt(text: str, offset: int, style: TerminalStyle) -> str:
    """Return as much of a line as there is room for; of a longer one the text around an offset."""
    room = max(style.width - 20, 40)
    first = max(offset - room // 2, 0) if len(text) > room else 0
    kept, _ = fit(map(printable_character, text[first : first + room]), room)
    before = style.ellipsis if first else ""
    return before + "".join(kept) + (style.ellipsis if first + len(kept) < len(text) else "")


def summary_lines(run: RunResult, style: TerminalStyle, min_severity: Severity) -> Iterator[str]:
    """Yield what was found, what can be fixed, and how much was read."""
    counts = tally(run, min_severity)
    severities = Counter(diagnostic.severity for diagnostic in counts.shown)
    if counts.fixed:
        yield style.paint(f"{counted(counts.fixed, 'finding')} fixed.", "green")
    if counts.shown:
        kinds = [
            style.paint(counted(number, severity.label), COLOURS[severity], "bold")
            for severity, number in sorted(severities.items(), reverse=True)
        ]
        yield f"{', '.join(kinds)} in {_scope(run)}"
        yield from counts.fixable_lines("shelfread fix")
    elif run.files:
        yield style.paint(f"No problems found in {_scope(run)}", "green")
    yield from hidden_lines(counts.hidden)
    if run.since and run.files:
        older = sum(item.severity >= min_severity for file in run.files for item in file.older)
        yield f"{counted(older, 'finding')} from before {printable(run.since)} not shown."
    if run.baseline:
        known = sum(item.severity >= min_severity for file in run.files for item in file.known)
        yield f"{counted(known, 'finding')} of the baseline {printable(run.baseline)} not shown."
    if counts.shown:
        rule, _ = Counter(diagnostic.rule for diagnostic in counts.shown).most_common(1)[0]
        yield style.paint(f"For an explanation of a rule: shelfread rule {rule}", "dim")


def _scope(run: RunResult) -> str:
    """Return how many entries of which files were read, with the presets that apply to them."""
    entries = counted(sum(result.entries for result in run.files), "entry", "entries")
    if len(run.files) == 1:
        result = run.files[0]
        return f"{entries} of {printable(result.path)} ({', '.join(result.presets)})."
    presets = Counter(preset for result in run.files if result.entries for preset in result.presets)
    kinds = ", ".join(f"{n} {name}" for name, n in presets.most_common() if name not in _GENERAL_PRESETS)
    return f"{entries} of {counted(len(run.files), 'file')}{f' ({kinds})' if kinds else ''}."
