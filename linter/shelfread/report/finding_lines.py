"""The lines of one finding and of groups with one cause: the place underlined, and what a fix would write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from enum import Enum
from itertools import pairwise
from typing import NamedTuple, TypeAlias

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
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.core.wording import counted
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
    number = len(text.splitlines())
    if number > 1:
        return f"add {number} lines from line {first}"
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
    """Yield the lines of one finding, with why its fix was `dropped`, and where there are `others` of its cause."""
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


def severities_in_words(severities: Iterable[Severity], style: TerminalStyle) -> str:
    """Return `2 errors, 1 warning`, empty if there are none."""
    counts = sorted(Counter(severities).items(), reverse=True)
    kinds = ((counted(number, severity.label), COLOURS[severity]) for severity, number in counts)
    return ", ".join(style.paint(kind, colour, "bold") for kind, colour in kinds)


def rule_label(rule: str, severity: Severity, style: TerminalStyle) -> str:
    """Return `severity[rule]`."""
    colour = COLOURS[severity]
    return style.paint(severity.label, colour, "bold") + style.paint(f"[{rule}]", colour)


_NAMED = 3


def line_ranges(lines: Sequence[int]) -> Iterator[str]:
    """Yield sorted line numbers, consecutive ones as `12-15`."""
    yield from map(_range, _runs(lines))


def _range(run: tuple[int, int]) -> str:
    first, last = run
    return str(first) if first == last else f"{first}-{last}"


def first_lines(lines: Iterable[int]) -> str:
    """Return `line 12`, or `lines 12, 40-44, 57 and 980 more`: the first runs of lines, and the rest counted."""
    ordered = sorted(lines)
    runs = _runs(ordered)
    # To count one run takes as much room as to name it.
    named = runs if len(runs) <= _NAMED + 1 else runs[:_NAMED]
    noun = "line" if named[-1] == (ordered[0], ordered[0]) else "lines"
    left = sum(line > named[-1][1] for line in ordered)
    shown = list(map(_range, named))
    if left:
        return f"{noun} {', '.join(shown)} and {left:,} more"
    return f"{noun} {', '.join(shown[:-1])} and {shown[-1]}" if len(shown) > 1 else f"{noun} {shown[0]}"


def _runs(lines: Sequence[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for line in lines:
        if runs and line <= runs[-1][1] + 1:
            runs[-1] = runs[-1][0], line
        else:
            runs.append((line, line))
    return runs


MANY = 50  # up to as many findings are reported singly
_FEW = 5  # up to as many findings of one cause are reported singly

Finding: TypeAlias = tuple[Diagnostic, Source]

# Where a message ends with what to write instead, the cause is what comes before it.
_REPLACEMENT = lazy(r"https?://\S+$")
_OTHER_LINE = lazy(r"(?:(?<=:)|(?<=\bline ))\d+\b")
_MAX_GAP = 10  # lines between two findings of one block


class Relation(Enum):
    """What the findings of a group have in common besides file, rule and severity."""

    CAUSE = "cause"  # the message of the first holds for all
    # they follow each other, as the lines that their messages name do: a block that was pasted twice.
    BLOCK = "block"
    RULE = "rule"  # nothing else


class Group(NamedTuple):
    """Findings of one rule and severity in one file, in the order of their places."""

    findings: Sequence[Finding]
    relation: Relation = Relation.CAUSE

    @property
    def first(self) -> Finding:
        return self.findings[0]

    @property
    def size(self) -> int:
        return len(self.findings)

    def others(self) -> str:
        """Return where all but the first are: `also in lines 40, 57 and 980 more`; empty if there are none."""
        if self.size == 1:
            return ""
        lines = [line_of(finding) for finding in self.findings[1:]]
        if self.relation is Relation.BLOCK:
            return f"and so on for {len(lines):,} more, up to line {lines[-1]}"
        if self.relation is Relation.RULE:
            return f"{len(lines):,} more of this rule in {first_lines(lines)}"
        return f"also in {first_lines(lines)}"


def errors_first(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings by severity, otherwise in their order."""
    return sorted(findings, key=lambda finding: -finding[0].severity)


def line_of(finding: Finding) -> int:
    """Return the line of a finding, from 1."""
    diagnostic, source = finding
    return source.position(diagnostic.span.start)[0]


def by_cause(findings: Sequence[Finding], few: int = _FEW) -> list[Group]:
    """Return the findings of each cause together if there are more than `few`, others singly, by first place."""

    def cause(finding: Finding) -> Hashable:
        return *_rule(finding), _REPLACEMENT.sub("", finding[0].message)

    causes, single = _parted((Group(same) for same in _collect(findings, cause)), few)
    blocks, single = _parted(_blocks(single), max(few, _FEW))
    order = {diagnostic: index for index, (diagnostic, _) in enumerate(findings)}
    groups = [*causes, *blocks, *(Group([finding]) for finding in single)]
    return sorted(groups, key=lambda group: order[group.first[0]])


def by_rule(groups: Iterable[Group]) -> list[Group]:
    """Return the groups; those of one rule in one file together if they are many."""
    rules: dict[Hashable, list[Group]] = {}
    for group in groups:
        rules.setdefault(_rule(group.first), []).append(group)
    merged: list[Group] = []
    for same in rules.values():
        if len(same) > _FEW:
            findings = [finding for group in same for finding in group.findings]
            merged.append(Group(sorted(findings, key=line_of), Relation.RULE))
        else:
            merged += same
    return merged


def _parted(groups: Iterable[Group], few: int) -> tuple[list[Group], list[Finding]]:
    many: list[Group] = []
    rest: list[Finding] = []
    for group in groups:
        if group.size > few:
            many.append(group)
        else:
            rest += group.findings
    return many, rest


def _blocks(findings: Iterable[Finding]) -> Iterator[Group]:
    """Yield findings that are near each other and name other lines at one distance, or else one finding."""
    for same in _collect(findings, _distances):
        start = 0
        for index in range(1, len(same) + 1):
            if index == len(same) or line_of(same[index]) - line_of(same[index - 1]) > _MAX_GAP:
                yield Group(same[start:index], Relation.BLOCK)
                start = index


def _collect(findings: Iterable[Finding], key: Callable[[Finding], Hashable]) -> Iterable[list[Finding]]:
    collected: dict[Hashable, list[Finding]] = {}
    for finding in findings:
        collected.setdefault(key(finding), []).append(finding)
    return collected.values()


def _rule(finding: Finding) -> tuple[object, ...]:
    diagnostic, _ = finding
    return diagnostic.path, diagnostic.severity, diagnostic.rule


def _distances(finding: Finding) -> Hashable:
    """Return the message with the lines that it names counted from its own."""
    message = finding[0].message
    if _OTHER_LINE.search(message):
        line = line_of(finding)
        message = _OTHER_LINE.sub(lambda match: f"{int(match[0]) - line:+}", message)
    return *_rule(finding), message
