"""The findings in a file that was read by its parts, with those in unchanged parts taken over.

A check that reads section by section runs on each part by itself; what it asked of the rest is asked again, and if an
answer is another one, it runs on all parts. The other checks run on the whole file. Places in the findings of a part
count from its beginning; lines in their messages are written between NUL characters until the part is placed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from shelfread.core.diagnostics import Diagnostic, Edit, Fix, LineNumber, RawDiagnostic, Span
from shelfread.core.inquiry import Inquiry, ask_again, recorded, still_hold
from shelfread.core.support.regex import lazy
from shelfread.document.assemble import shifts, view
from shelfread.document.model import Document
from shelfread.document.parts import Part, Parts
from shelfread.document.shift import Shift
from shelfread.engine.diagnose import Diagnoser
from shelfread.engine.lint import deduplicate, diagnostic
from shelfread.fixes.verify.guard import guard_fixes
from shelfread.index.context import RuleContext
from shelfread.index.part_context import NeedsFileError, PartContext, summarise
from shelfread.rulebook.binding import BoundRule
from shelfread.rulebook.suppressions import UNUSED, Scope, read_suppressions, suppress

_LINE = lazy("\0(\\d+)\0")

_Row: TypeAlias = Mapping[str, "tuple[Diagnostic, ...] | None"]
"""The findings of each rule in a part; None if the rule needs the whole file."""


class Asked(NamedTuple):
    """What a check asked, and the answers."""

    answers: dict[tuple[str, tuple[Any, ...]], Any]
    looks: dict[Any, Any]
    summaries: dict[tuple[Any, ...], Any]

    def add(self, inquiry: Inquiry, summaries: Mapping[tuple[Any, ...], Any]) -> None:
        """Add what was asked of one part."""
        self.answers.update(inquiry.answers)
        self.looks.update((each[:2], each) for each in inquiry.looks)
        self.summaries.update(summaries)


class PartFindings(NamedTuple):
    """The findings in a file, and what they were made of."""

    parts: Parts
    rules: tuple[BoundRule, ...]
    diagnostics: tuple[Diagnostic, ...]
    rows: Mapping[int, _Row]
    """By the identity of the part."""
    asked: Mapping[str, Asked]
    """By rule."""
    whole: Mapping[str, tuple[Diagnostic, ...]]
    """The findings of the rules that need the whole file."""
    inquiry: Inquiry
    """What these asked."""


def find(parts: Parts, diagnoser: Diagnoser, before: PartFindings | None = None) -> PartFindings:
    """Return the findings in a file; what is the same as `before` is taken over."""
    path = parts.source.path or ""
    context, rules = diagnoser.context, diagnoser.rules(path)
    if before is not None and before.rules != rules:
        before = None
    document = view(parts)
    checks = [rule for rule in rules if rule.check is not None]
    sectioned = [rule for rule in checks if rule.by_section] if _is_sectioned(parts.parts) else []
    asked, kept = _keep(parts, context, before)
    rows = _run_by_section(parts, context, sectioned, before, asked, kept)
    by_section = {rule.id for rule in sectioned if all(row[rule.id] is not None for row in rows.values())}
    whole, inquiry = _run_on_file(
        document, context, [rule for rule in checks if rule.id not in by_section], parts, before
    )
    placed = list(zip(parts.parts, shifts(parts.parts), strict=True))
    found = _by_part(placed, rules, [rows[id(part)] for part in parts.parts], by_section, whole)
    if suppressions := read_suppressions(document.source, document.tree):
        selection = diagnoser.request.selection
        scope = Scope(
            {rule.id for rule in rules}, selection.rules, selection.narrowed, selection.partly_online
        )
        everything = [
            _moved(each, shift, 1) for (_, shift), own in zip(placed, found, strict=True) for each in own
        ]
        left, unused = suppress(everything, suppressions, document.source, scope)
        left += [diagnostic(rule, raw, document) for rule in rules if rule.id == UNUSED for raw in unused]
        found = _distribute(left, placed)
    diagnostics: list[Diagnostic] = []
    for (part, shift), own in zip(placed, found, strict=True):
        diagnostics += _finish(part, shift, own, document)
    diagnostics.sort(key=lambda finding: (finding.span, finding.rule))
    diagnostics = diagnoser.adjust(path, diagnostics)
    return PartFindings(parts, rules, tuple(diagnostics), rows, asked, whole, inquiry)


def _is_sectioned(parts: Sequence[Part]) -> bool:
    """Return whether no section goes on in another part, as behind a heading that is an entry."""
    return not any(part.has_outer_entries for part in parts[1:])


# ------------------------------------------------------------------------------ section by section
def _keep(
    parts: Parts, context: RuleContext, before: PartFindings | None
) -> tuple[dict[str, Asked], frozenset[str]]:
    """Return what the checks asked of which all answers are the same, and their rules."""
    if before is None:
        return {}, frozenset()
    asker = _part_context(context, parts)
    known: dict[Any, Any] = {}

    def now(key: Any, ask: Callable[[], object]) -> object:
        if key not in known:
            known[key] = ask()
        return known[key]

    def holds(asked: Asked) -> bool:
        for (name, arguments), answer in asked.answers.items():
            if now((name, arguments), partial(ask_again, name, arguments, asker)) != answer:
                return False
        for key, value in asked.summaries.items():
            if now(key, partial(summarise, parts.parts, *key)) != value:
                return False
        return all(now(look, partial(still_hold, [look])) for look in asked.looks.values())

    kept = {rule: asked for rule, asked in before.asked.items() if holds(asked)}
    return kept, frozenset(kept)


def _part_context(context: RuleContext, parts: Parts, index: int = 0) -> PartContext:
    return PartContext(
        taxonomy=context.taxonomy,
        _conventions=context._conventions,
        _project=context._project,
        answers=context.answers,
        parts=parts.parts,
        index=index,
    )


def _run_by_section(
    parts: Parts,
    context: RuleContext,
    rules: Sequence[BoundRule],
    before: PartFindings | None,
    asked: dict[str, Asked],
    kept: frozenset[str],
) -> dict[int, _Row]:
    """Return the findings of each part; what is asked is added to `asked`."""
    rows: dict[int, _Row] = {}
    fresh: dict[str, Asked] = {}
    for index, part in enumerate(parts.parts):
        row = before.rows.get(id(part), {}) if before is not None else {}
        missing = [rule for rule in rules if rule.id not in row or rule.id not in kept]
        if missing:
            own = _part_context(context, parts, index)
            row = {**row, **{rule.id: _run(rule, part, own, fresh) for rule in missing}}
        rows[id(part)] = row
    for rule, found in fresh.items():
        known = asked.get(rule)
        if known is None:
            asked[rule] = found
        else:
            asked[rule] = Asked(*({**old, **new} for old, new in zip(known, found, strict=True)))
    return rows


def _run(
    rule: BoundRule, part: Part, context: PartContext, asked: dict[str, Asked]
) -> tuple[Diagnostic, ...] | None:
    assert rule.check is not None
    context.begin_check()
    found: tuple[Diagnostic, ...] | None = None
    with recorded() as inquiry:
        try:
            raws = list(rule.check(part.document, context))
        except NeedsFileError:
            raws = None
    if raws is not None and not inquiry.needs_all:
        found = tuple([diagnostic(rule, _with_marked_lines(raw), part.document) for raw in raws])
    asked.setdefault(rule.id, Asked({}, {}, {})).add(inquiry, context.asked)
    return found


def _with_marked_lines(raw: RawDiagnostic) -> RawDiagnostic:
    if not any(isinstance(value, LineNumber) for value in raw.values.values()):
        return raw
    values = {
        name: f"\0{value}\0" if isinstance(value, LineNumber) else value for name, value in raw.values.items()
    }
    return raw._replace(values=values)


# ---------------------------------------------------------------------------------- the whole file
def _run_on_file(
    document: Document,
    context: RuleContext,
    rules: Sequence[BoundRule],
    parts: Parts,
    before: PartFindings | None,
) -> tuple[dict[str, tuple[Diagnostic, ...]], Inquiry]:
    if before is not None and before.parts is parts and set(before.whole) == {rule.id for rule in rules}:
        asked = before.inquiry
        if (
            not asked.needs_all
            and all(ask_again(*key, context) == answer for key, answer in asked.answers.items())
            and still_hold(asked.looks)
        ):
            return dict(before.whole), asked
    with recorded() as inquiry:
        found = {
            rule.id: tuple([diagnostic(rule, raw, document) for raw in rule.check(document, context)])
            for rule in rules
            if rule.check is not None
        }
    return found, inquiry


def _by_part(
    placed: Sequence[tuple[Part, Shift]],
    rules: Sequence[BoundRule],
    rows: Sequence[_Row],
    by_section: set[str],
    whole: Mapping[str, tuple[Diagnostic, ...]],
) -> list[list[Diagnostic]]:
    """Return the findings of each part in the order of the rules."""
    starts = [shift.offset for _, shift in placed]
    on_file: dict[tuple[int, str], list[Diagnostic]] = {}
    for rule, found in whole.items():
        for each in found:
            index = max(0, bisect_right(starts, each.span.start) - 1)
            on_file.setdefault((index, rule), []).append(_moved(each, placed[index][1], -1))
    result: list[list[Diagnostic]] = []
    order = [rule.id for rule in rules]
    touched = {index for index, _ in on_file}
    for index, row in enumerate(rows):
        own: list[Diagnostic] = []
        if index in touched:
            for rule in order:
                own += (row[rule] or ()) if rule in by_section else on_file.get((index, rule), ())
        else:
            for rule in order:
                if rule in by_section:
                    own += row[rule] or ()
        result.append(own)
    return result


def _distribute(found: Iterable[Diagnostic], placed: Sequence[tuple[Part, Shift]]) -> list[list[Diagnostic]]:
    starts = [shift.offset for _, shift in placed]
    result: list[list[Diagnostic]] = [[] for _ in placed]
    for each in found:
        index = max(0, bisect_right(starts, each.span.start) - 1)
        result[index].append(_moved(each, placed[index][1], -1))
    return result


# ------------------------------------------------------------------------------------------ places
def _finish(
    part: Part, shift: Shift, found: Sequence[Diagnostic], document: Document
) -> Sequence[Diagnostic]:
    """Return the findings of a part that remain, at their places in the file."""
    if not found:
        return ()
    guarded = part.memo.get(_guard)
    if guarded is None or guarded[0] != found:
        guarded = part.memo[_guard] = found, tuple(_guard(part, found)), {}
    own: Sequence[tuple[Diagnostic, bool]] = guarded[1]
    at: dict[tuple[int, int], list[Diagnostic]] = guarded[2]
    if any(is_outside for _, is_outside in own):
        return [
            next(guard_fixes([_moved(each, shift, 1)], document)) if is_outside else _moved(each, shift, 1)
            for each, is_outside in own
        ]
    place = shift.offset, shift.lines
    if place not in at:
        at.clear()
        at[place] = [_moved(each, shift, 1) for each, _ in own]
    return at[place]


def _guard(part: Part, found: Sequence[Diagnostic]) -> Iterator[tuple[Diagnostic, bool]]:
    """Yield the findings that remain, and whether their fixes reach beyond the part, and are yet to be guarded."""
    size = len(part.document.source.text)
    for each in deduplicate(found):
        edits = each.fix.edits if each.fix is not None else ()
        if all(not edit.path and 0 < edit.start <= edit.end < size for edit in edits):
            yield next(guard_fixes([each], part.document)), False
        else:
            yield each, True


def _moved(found: Diagnostic, shift: Shift, sign: int) -> Diagnostic:
    """Return a finding of a part at its place in the file; with -1 the other way round."""
    offset = shift.offset * sign
    span, fix, message = found.span, found.fix, found.message
    if fix is not None:
        edits = tuple([_moved_edit(edit, offset, found.path) for edit in fix.edits])
        fix = Fix(edits, fix.applicability)
    if "\0" in message:
        lines = shift.lines * sign
        message = _LINE.sub(lambda match: _line(int(match[1]) + lines, sign), message)
    return found._replace(span=Span(span.start + offset, span.end + offset), fix=fix, message=message)


def _line(number: int, sign: int) -> str:
    return str(number) if sign > 0 else f"\0{number}\0"


def _moved_edit(edit: Edit, offset: int, path: str) -> Edit:
    if edit.path not in ("", path):
        return edit
    return edit._replace(start=edit.start + offset, end=edit.end + offset)
