"""What a fix would write, in one line."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from shelfread.core.diagnostics import Applicability, Change, Diagnostic, Edit, Fix, Span
from shelfread.core.edits import apply_edits
from shelfread.core.source import Source
from shelfread.report.context import RenderContext
from shelfread.report.snippet import line_span
from shelfread.report.terminal import TerminalStyle, fit, printable, printable_character


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
