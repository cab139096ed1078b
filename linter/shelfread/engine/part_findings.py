"""The findings in a file that was read by its parts, with those in unchanged parts taken over.

A check that reads section by section runs on each part by itself; what it asked of the rest is asked again, and if an
answer is another one, it runs on all parts. The other checks run on the whole file. Places in the findings of a part
count from its beginning; lines in their messages are written between NUL characters until the part is placed.
"""

from __future__ import annotations

import contextlib
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from shelfread.core.diagnostics import Diagnostic, Edit, Fix, LineNumber, RawDiagnostic, Span
from shelfread.core.inquiry import Asked, Inquiry, ask_again, recorded, still_hold
from shelfread.core.support.named_tuple import NamedTuple
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

_Key: TypeAlias = tuple[Any, ...]
"""What was asked: a question and its arguments, or what makes a summary."""


_MANY_ANSWERS = 1000
"""Of more answers only those are kept that are still needed."""


class RuleFindings(NamedTuple):
    """The findings of a rule in a part."""

    found: tuple[Diagnostic, ...] | None
    """None if the rule needs the whole file."""
    asked: frozenset[_Key]


class Row(NamedTuple):
    """The findings in a part."""

    by_rule: Mapping[str, RuleFindings]
    needs_file: frozenset[str]
    """The rules that need the whole file."""
    found: tuple[tuple[str, tuple[Diagnostic, ...]], ...]
    """The rules that found anything, in their order."""


_NO_ROW = Row({}, frozenset(), ())


class PartFindings(NamedTuple):
    """The findings in a file, and what they were made of."""

    parts: Parts
    rules: tuple[BoundRule, ...]
    diagnostics: tuple[Diagnostic, ...]
    rows: Mapping[int, Row]
    """By the identity of the part."""
    answers: Mapping[_Key, Any]
    """What was asked for the parts, and the answers."""
    looks: Mapping[_Key, Asked]
    """What was looked at meanwhile."""
    whole: Mapping[str, tuple[Diagnostic, ...]]
    """The findings of the rules that need the whole file."""
    inquiry: Inquiry
    """What these asked."""


def find(
    parts: Parts,
    diagnoser: Diagnoser,
    before: PartFindings | None = None,
    check_point: Callable[[], None] = lambda: None,
) -> PartFindings:
    """Return the findings in a file; what is the same as `before` is taken over.

    The check point is called now and then; it raises an exception to end what nobody needs any more.
    """
    path = parts.source.path or ""
    context, rules = diagnoser.context, diagnoser.rules(path)
    if before is not None and before.rules != rules:
        before = None
    document = view(parts)
    checks = [rule for rule in rules if rule.check is not None]
    sectioned = [rule for rule in checks if rule.by_section]
    asking = _Asking(parts, context, before)
    rows = _run_by_section(parts, sectioned, asking, before, check_point)
    by_section = {rule.id for rule in sectioned}.difference(*(row.needs_file for row in rows.values()))
    whole, inquiry = _run_on_file(
        document,
        context,
        [rule for rule in checks if rule.id not in by_section],
        parts,
        before,
        check_point,
    )
    placed = list(zip(parts.parts, shifts(parts), strict=True))
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
    return PartFindings(
        parts, rules, tuple(diagnostics), rows, asking.answers(rows), asking.looks, whole, inquiry
    )


# ------------------------------------------------------------------------------ section by section
class _Asking:
    """What the checks of parts ask, and whether the answers are those of before."""

    def __init__(self, parts: Parts, context: RuleContext, before: PartFindings | None) -> None:
        self._parts, self._context = parts, context
        self._questions: dict[_Key, Any] = {}
        self._summaries: dict[_Key, Any] = {}
        self.looks: dict[_Key, Asked] = {}
        self.changed: frozenset[_Key] | None = None
        """What is answered in another way than before; None if all is to be asked anew."""
        if before is not None and still_hold(before.looks.values()):
            self.looks.update(before.looks)
            asker = self.part_context(0)
            self.changed = frozenset(
                key for key, answer in before.answers.items() if self._ask(key, asker) != answer
            )

    def part_context(self, index: int) -> PartContext:
        """Return the context of the checks of a part."""
        return PartContext(
            taxonomy=self._context.taxonomy,
            _conventions=self._context._conventions,
            _project=self._context._project,
            answers=self._context.answers,
            parts=self._parts.parts,
            index=index,
            known=self._summaries,
        )

    def run(self, rule: BoundRule, part: Part, context: PartContext) -> RuleFindings:
        """Run a check on a part."""
        assert rule.check is not None
        context.begin_check()
        raws: list[RawDiagnostic] = []
        needs_file = True
        with recorded(self._questions) as inquiry, contextlib.suppress(NeedsFileError):
            raws += rule.check(part.document, context)
            needs_file = False
        self.looks.update((each[:2], each) for each in inquiry.looks)
        asked = frozenset([*inquiry.answers, *context.asked])
        if needs_file or inquiry.needs_all:
            return RuleFindings(None, asked)
        document = part.document
        return RuleFindings(
            tuple([diagnostic(rule, _with_marked_lines(raw), document) for raw in raws]), asked
        )

    def answers(self, rows: Mapping[int, Row]) -> Mapping[_Key, Any]:
        """Return the answers to what was asked for some rows, and perhaps to more."""
        answers = {**self._questions, **self._summaries}
        if len(answers) <= _MANY_ANSWERS:
            return answers
        asked = {key for row in rows.values() for each in row.by_rule.values() for key in each.asked}
        return {key: answers[key] for key in asked}

    def _ask(self, key: _Key, asker: PartContext) -> object:
        known = self._questions if isinstance(key[0], str) else self._summaries
        if key not in known:
            if known is self._questions:
                known[key] = ask_again(key[0], key[1], asker)
            else:
                known[key] = summarise(self._parts.parts, *key)
        return known[key]


def _run_by_section(
    parts: Parts,
    rules: Sequence[BoundRule],
    asking: _Asking,
    before: PartFindings | None,
    check_point: Callable[[], None],
) -> dict[int, Row]:
    """Return the findings of each part."""
    rows: dict[int, Row] = {}
    changed = asking.changed
    known = before.rows if before is not None and changed is not None else {}
    ids = {rule.id for rule in rules}
    for index, part in enumerate(parts.parts):
        row = known.get(id(part), _NO_ROW)
        missing = [
            rule
            for rule in (rules if changed or row.by_rule.keys() != ids else ())
            if rule.id not in row.by_rule or (changed and not changed.isdisjoint(row.by_rule[rule.id].asked))
        ]
        if missing:
            check_point()
            context = asking.part_context(index)
            by_rule = {**row.by_rule, **{rule.id: asking.run(rule, part, context) for rule in missing}}
            row = Row(
                by_rule={rule.id: by_rule[rule.id] for rule in rules},
                needs_file=frozenset([rule.id for rule in rules if by_rule[rule.id].found is None]),
                found=tuple([(rule.id, found) for rule in rules if (found := by_rule[rule.id].found)]),
            )
        rows[id(part)] = row
    return rows


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
    check_point: Callable[[], None],
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
        found: dict[str, tuple[Diagnostic, ...]] = {}
        for rule in rules:
            check_point()
            if rule.check is not None:
                raws = rule.check(document, context)
                found[rule.id] = tuple([diagnostic(rule, raw, document) for raw in raws])
    return found, inquiry


def _by_part(
    placed: Sequence[tuple[Part, Shift]],
    rules: Sequence[BoundRule],
    rows: Sequence[Row],
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
    touched = {index for index, _ in on_file}
    for index, row in enumerate(rows):
        in_part = {rule: found for rule, found in row.found if rule in by_section}
        own: list[Diagnostic] = []
        if index not in touched:
            for diagnostics in in_part.values():
                own += diagnostics
        else:
            for each_rule in rules:
                own += in_part.get(each_rule.id, on_file.get((index, each_rule.id), ()))
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
    moved = at.get(place)
    if moved is None:
        moved = [_moved(each, shift, 1) for each, _ in own]
        at.clear()
        at[place] = moved
    return moved


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
