"""Findings for people: the place underlined, what a fix would write, and a summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from shelfread.core.diagnostics import Applicability, Change, Diagnostic, Edit, Fix, Severity, Span
from shelfread.core.edits import apply_edits
from shelfread.core.source import Source
from shelfread.engine.run import Run
from shelfread.report.context import RenderContext
from shelfread.report.snippet import frame, line_span
from shelfread.report.terminal import TerminalStyle, cell, counted, cut, printable

COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "blue"}

_NO_KIND = ("core", "taxonomy")
"""Presets that say nothing of what kind of list it is."""


def render(run: Run, scene: RenderContext) -> Iterator[str]:
    """The lines of a report; findings below `least` are only counted."""
    look, least = scene.look, scene.least
    for outcome in run.outcomes:
        dropped = {id(one): reason for one, reason in outcome.fixed.dropped} if outcome.fixed else {}
        for one in outcome.diagnostics:
            if one.severity >= least:
                yield from finding(one, outcome.source, look, dropped.get(id(one)))
                yield ""
    yield from summary(run, look, least)


def finding(
    one: Diagnostic, source: Source, look: TerminalStyle, dropped: str | None = None
) -> Iterator[str]:
    """One finding: its place and message, the line, the fix."""
    yield headline(one, source, look)
    colour = COLOURS[one.severity]
    number = str(source.position(one.span.start)[0])
    gutter = " " * len(number)
    shown = frame(source, one.span, max(look.width - len(number) - 3, 40), look)
    yield f"{look.paint(f'{number} |', 'blue')} {shown.text}".rstrip()
    carets = look.paint("^" * shown.length, colour, "bold")
    yield f"{look.paint(f'{gutter} |', 'blue')} {' ' * shown.indent}{carets}"
    if one.fix is not None:
        safe = one.fix.applicability is Applicability.SAFE
        label = look.paint("= fix:", "green") if safe else look.paint("= unsafe fix:", "yellow")
        yield f"{gutter} {label} {describe(one.fix, one.span, source, look)}"
    if dropped is not None:
        yield f"{gutter} {look.paint('= not fixed:', 'yellow')} {printable(dropped)}"


def headline(one: Diagnostic, source: Source, look: TerminalStyle) -> str:
    """The place and the message of a finding."""
    line, column = source.position(one.span.start)
    colour = COLOURS[one.severity]
    place = look.paint(f"{printable(one.path)}:{line}:{column}:", "bold")
    rule = look.paint(one.severity.label, colour, "bold") + look.paint(f"[{one.rule}]", colour)
    return f"{place} {rule} {printable(one.message)}"


def advice(one: Diagnostic, source: Source, mend: str) -> str:
    """What to do about a finding, in one line."""
    if one.fix is None:
        return f"More: shelfread rule {one.rule}"
    change = describe(one.fix, one.span, source, TerminalStyle())
    if one.fix.applicability is Applicability.SAFE:
        return f"Fix ({mend}): {change}"
    return f"Unsafe fix, to be read first ({mend} --unsafe-fixes): {change}"


def describe(fix: Fix, span: Span, source: Source, look: TerminalStyle) -> str:
    """What a fix writes: the new text of the place where it is short, else which lines it changes."""
    edits = sorted(edit for edit in fix.edits if not edit.path or edit.path == source.path)
    elsewhere = sorted({edit.path for edit in fix.edits} - {"", source.path or ""})
    words = [f"changes {printable(path)}" for path in elsewhere]
    if edits:
        words.insert(0, _moved(edits, source) or _written(edits, span, source, look))
    return "; ".join(words)


def _moved(edits: Sequence[Edit], source: Source) -> str | None:
    if any(edit.effect.change is not Change.MOVED for edit in edits):
        return None
    gone = [edit for edit in edits if edit.end > edit.start]
    come = [edit for edit in edits if edit.end == edit.start]
    if len(gone) == 1 and len(come) == 1:
        first, last = source.position(gone[0].start)[0], source.position(gone[0].end - 1)[0]
        lines = f"line {first}" if first == last else f"lines {first}-{last}"
        return f"move {lines} before line {source.position(come[0].start)[0]}"
    return f"put lines {source.position(edits[0].start)[0]}-{source.position(edits[-1].end - 1)[0]} in order"


def _written(edits: Sequence[Edit], span: Span, source: Source, look: TerminalStyle) -> str:
    start, end = edits[0].start, max(edit.end for edit in edits)
    first, last = source.position(start)[0], source.position(max(start, end - 1))[0]
    if any("\n" in edit.text or "\r" in edit.text for edit in edits) or first != last:
        lines = f"line {first}" if first == last else f"lines {first}-{last}"
        kept = len(edits) > 1 and any(
            source.text[before.end : after.start].strip() for before, after in pairwise(edits)
        )
        verb = "change" if kept else "remove" if all(not edit.text for edit in edits) else "rewrite"
        return f"{verb} {lines}"
    line = line_span(source, first)
    # The whole place, where it is on this line, reads better than an edit of one character.
    if line.start <= span.start and span.end <= line.end:
        start, end = min(start, span.start), max(end, span.end)
    new = apply_edits(source.text, edits, start, end)
    if not new.strip():
        return f"remove '{_short(source.text[start:end], 0, look)}'"
    short = _short(new, edits[0].start - start, look)
    return short if new == new.strip() else f"'{short}'"


def _short(text: str, at: int, look: TerminalStyle) -> str:
    """A text of one line in what room there is; a longer one from shortly before `at`."""
    room = max(look.width - 20, 40)
    first = max(at - room // 2, 0) if len(text) > room else 0
    kept, _ = cut((cell(one) for one in text[first : first + room]), room)
    return (
        (look.ellipsis if first else "")
        + "".join(kept)
        + (look.ellipsis if first + len(kept) < len(text) else "")
    )


def summary(run: Run, look: TerminalStyle, least: Severity = Severity.WARNING) -> Iterator[str]:
    """The last lines: what was found, what can be fixed, what was read."""
    found = [one for outcome in run.outcomes for one in outcome.diagnostics]
    counts = Counter(one.severity for one in found)
    shown = [one for one in found if one.severity >= least]
    fixed = sum(len(outcome.fixed.applied) for outcome in run.outcomes if outcome.fixed)
    read = _read(run)
    if fixed:
        yield look.paint(f"{counted(fixed, 'finding')} fixed.", "green")
    if shown:
        kinds = [
            look.paint(counted(counts[severity], severity.label), COLOURS[severity], "bold")
            for severity in reversed(Severity)
            if counts[severity] and severity >= least
        ]
        yield f"{', '.join(kinds)} in {read}"
        refused = {id(one) for outcome in run.outcomes if outcome.fixed for one, _ in outcome.fixed.dropped}
        yield from fixable([one for one in found if id(one) not in refused], least)
    elif run.outcomes:
        yield look.paint(f"All in its place: {read}", "green")
    hidden = len(found) - len(shown)
    if hidden:
        yield f"{counted(hidden, 'info')} hidden: --show-info."
    if run.since and run.outcomes:
        older = sum(one.severity >= least for outcome in run.outcomes for one in outcome.older)
        yield f"Since {printable(run.since)}: {counted(older, 'finding')} of older lines not shown."
    if run.baseline:
        known = sum(one.severity >= least for outcome in run.outcomes for one in outcome.known)
        yield f"{counted(known, 'finding')} that {printable(run.baseline)} knows not shown."
    if shown:
        rule, _ = Counter(one.rule for one in shown).most_common(1)[0]
        yield look.paint(f"What a rule is about: shelfread rule {rule}", "dim")


def fixable(found: Sequence[Diagnostic], least: Severity, command: str = "shelfread fix") -> Iterator[str]:
    """How many a fix mends: safe ones of all that is found, unsafe ones of what is shown."""
    mended = [one for one in found if one.fix is not None]
    safe = sum(one.fix.applicability is Applicability.SAFE for one in mended if one.fix)
    unsafe = sum(
        one.fix.applicability is Applicability.UNSAFE and one.severity >= least for one in mended if one.fix
    )
    if safe and unsafe:
        yield f"{safe} can be fixed with '{command}', {unsafe} more with '--unsafe-fixes'."
    elif safe:
        yield f"{safe} can be fixed with '{command}'."
    elif unsafe:
        yield f"{unsafe} can be fixed with '{command} --unsafe-fixes'."


def _read(run: Run) -> str:
    """How many entries of which lists, and the presets that hold for them."""
    entries = counted(sum(outcome.entries for outcome in run.outcomes), "entry", "entries")
    if len(run.outcomes) == 1:
        outcome = run.outcomes[0]
        return f"{entries} of {printable(outcome.path)} ({', '.join(outcome.presets)})."
    listing = [outcome for outcome in run.outcomes if outcome.entries]
    presets = Counter(preset for outcome in listing for preset in outcome.presets if preset not in _NO_KIND)
    kinds = ", ".join(f"{number} {preset}" for preset, number in presets.most_common())
    return f"{entries} of {counted(len(run.outcomes), 'file')}{f' ({kinds})' if kinds else ''}."
