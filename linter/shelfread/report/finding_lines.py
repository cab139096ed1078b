"""The lines of one finding: the place underlined, and what a fix would write."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from shelfread.core.diagnostics import (
    Applicability,
    Change,
    Diagnostic,
    Edit,
    Fix,
    Severity,
    Span,
    apply_edits,
)
from shelfread.core.source import Source
from shelfread.report.rendering import (
    RenderContext,
    TerminalStyle,
    fit,
    printable,
    printable_character,
    width,
)


class Snippet(NamedTuple):
    """A line as printed, and the columns to underline: `length` columns after the first `indent`."""

    text: str
    indent: int
    length: int


def line_span(source: Source, line: int) -> Span:
    """Return the span of a line, counted from 1, without its newline."""
    start = source.starts[line - 1]
    return Span(start, start + len(source.lines[line - 1]))


def _cells(text: str) -> list[str]:
    return list(text) if text.isprintable() else list(map(printable_character, text))


def snippet(source: Source, span: Span, room: int, style: TerminalStyle) -> Snippet:
    """Return the first line of a span with as much as fits into `room` columns."""
    line = line_span(source, source.position(span.start)[0])
    start, end = min(span.start, line.end), min(max(span.end, span.start), line.end)
    # All but combining characters take a column, so that no more than this can be shown.
    before = _cells(source.text[max(line.start, start - 2 * room) : start])
    within = _cells(source.text[start : min(end, start + 2 * room)])
    after = _cells(source.text[end : min(line.end, end + 2 * room)])
    ellipsis = style.ellipsis
    middle, length = fit(within, room - 2 * len(ellipsis))
    if len(middle) < len(within):
        after, middle = [], [*middle, ellipsis]
        length += len(ellipsis)
    spare = room - length
    total_before, total_after = width("".join(before)), width("".join(after))
    # The text before gets what the text after does not need, but at least half of the room.
    left_room = max(spare // 2, spare - total_after)
    if total_before > left_room:
        kept, used = fit(reversed(before), left_room - len(ellipsis))
        before = [ellipsis, *reversed(kept)]
        total_before = used + len(ellipsis)
    if total_after > spare - total_before:
        kept, _ = fit(after, spare - total_before - len(ellipsis))
        after = [*kept, ellipsis]
    return Snippet("".join([*before, *middle, *after]), total_before, max(length, 1))


def advice(diagnostic: Diagnostic, source: Source, context: RenderContext) -> str:
    """Return one line that says what to do about a finding."""
    fix = diagnostic.fix
    if fix is None:
        return f"More: shelfread rule {diagnostic.rule}"
    change = describe_fix(fix, diagnostic.span, source, TerminalStyle())
    if fix.applicability is Applicability.SAFE:
        return f"Fix ({context.fix_command}): {change}"
    return f"Unsafe fix ({context.unsafe_fix_command}): {change}"


def describe_fix(fix: Fix, span: Span, source: Source, style: TerminalStyle) -> str:
    """Return the new text of the place where it is short, else which lines the fix changes."""
    edits = sorted(fix.edits)
    return _moved(edits, source) or _written(edits, span, source, style)


def _moved(edits: Sequence[Edit], source: Source) -> str | None:
    if any(edit.effect.change is not Change.MOVED for edit in edits):
        return None
    removed = [edit for edit in edits if edit.end > edit.start]
    inserted = [edit for edit in edits if edit.end == edit.start]
    if len(removed) == 1 and len(inserted) == 1:
        lines = _lines(removed[0].start, removed[0].end, source)
        return f"move {lines} before line {source.position(inserted[0].start)[0]}"
    first, last = source.position(edits[0].start)[0], source.position(edits[-1].end - 1)[0]
    more = f": {len(edits)} entries change places" if len(edits) > 2 else ""
    return f"sort lines {first}-{last}{more}"


def _lines(start: int, end: int, source: Source) -> str:
    """Return `line 3` or `lines 3-5`."""
    first, last = source.position(start)[0], source.position(max(start, end - 1))[0]
    return f"line {first}" if first == last else f"lines {first}-{last}"


def _written(edits: Sequence[Edit], span: Span, source: Source, style: TerminalStyle) -> str:
    if len(edits) == 1 and (inserted := _inserted(edits[0], source, style)):
        return inserted
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
    if not new.strip() and not source.text[start:end].strip():
        return {"": "remove the space", " ": "one space"}.get(new, f"'{_excerpt(new, 0, style)}'")
    if not new.strip():
        return f"remove '{_excerpt(source.text[start:end].strip(), 0, style)}'"
    short = _excerpt(new, edits[0].start - start, style)
    return short if new == new.strip() else f"'{short}'"


def _inserted(edit: Edit, source: Source, style: TerminalStyle) -> str | None:
    """Return what an edit inserts, if that is whole lines."""
    text = edit.text.strip("\r\n")
    if edit.end > edit.start or text == edit.text or not text.strip():
        return None
    line, column = source.position(edit.start)
    first = line if column == 1 else line + 1
    lines = text.splitlines()
    if len(lines) > 1:
        return f"add {len(lines)} lines from line {first}"
    return f"add line {first}: {_excerpt(text.strip(), 0, style)}"


def _excerpt(text: str, offset: int, style: TerminalStyle) -> str:
    """Return as much of a line as there is room for; of a longer one the text around an offset."""
    room = max(style.width - 20, 40)
    first = max(offset - room // 2, 0) if len(text) > room else 0
    kept, _ = fit(map(printable_character, text[first : first + room]), room)
    before = style.ellipsis if first else ""
    return before + "".join(kept) + (style.ellipsis if first + len(kept) < len(text) else "")


COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "blue"}


def diagnostic_lines(
    diagnostic: Diagnostic, source: Source, style: TerminalStyle, dropped: str | None = None, others: str = ""
) -> Iterator[str]:
    """Yield the lines of one finding.

    `dropped` says why its fix was not applied, and `others` where there are more of its cause.
    """
    yield headline(diagnostic, source, style)
    number = str(source.position(diagnostic.span.start)[0])
    gutter = " " * len(number)
    shown = snippet(source, diagnostic.span, max(style.width - len(number) - 3, 40), style)
    yield f"{style.paint(f'{number} |', 'blue')} {shown.text}".rstrip()
    carets = style.paint("^" * shown.length, COLOURS[diagnostic.severity], "bold")
    yield f"{style.paint(f'{gutter} |', 'blue')} {' ' * shown.indent}{carets}"
    yield from fix_lines(diagnostic, source, style, gutter)
    yield from dropped_lines(dropped, style, gutter)
    if others:
        yield f"{gutter} = {others}"


def snippet_line(diagnostic: Diagnostic, source: Source, style: TerminalStyle, indent: str) -> str:
    """Return the line of a finding, as much of it as there is room for."""
    number = source.position(diagnostic.span.start)[0]
    shown = snippet(source, diagnostic.span, max(style.width - len(f"{indent}{number}") - 3, 40), style)
    return f"{indent}{style.paint(f'{number} |', 'blue')} {shown.text}".rstrip()


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
    place = style.paint(f"{location(diagnostic, source)}:", "bold")
    label = rule_label(diagnostic.rule, diagnostic.severity, style)
    return f"{place} {label} {printable(diagnostic.message)}"


def location(diagnostic: Diagnostic, source: Source) -> str:
    """Return `path:line:column`."""
    line, column = source.position(diagnostic.span.start)
    return f"{printable(diagnostic.path)}:{line}:{column}"


def rule_label(rule: str, severity: Severity, style: TerminalStyle) -> str:
    """Return `severity[rule]`."""
    colour = COLOURS[severity]
    return style.paint(severity.label, colour, "bold") + style.paint(f"[{rule}]", colour)
