"""Rules run over one document: from the places that checks yield to findings."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from shelfread.core.diagnostics import (
    Applicability,
    Change,
    Diagnostic,
    Edit,
    Effect,
    Fix,
    RawDiagnostic,
    Span,
)
from shelfread.core.errors import RuleError
from shelfread.core.support.regex import lazy
from shelfread.rulebook.binding import BoundRule
from shelfread.rulebook.suppressions import UNUSED, Scope, read_suppressions, suppress

if TYPE_CHECKING:
    from shelfread.document.model import Document
    from shelfread.index.context import RuleContext

_FIELD = lazy(r"\{\{|\}\}|\{(\w*)\}")
_APPLICABILITY = {"safe": Applicability.SAFE, "mixed": Applicability.SAFE, "unsafe": Applicability.UNSAFE}


def lint(
    document: Document,
    context: RuleContext,
    rules: Sequence[BoundRule],
    known: Collection[str] = (),
    narrowed: bool = False,
    aside: Collection[str] = (),
) -> list[Diagnostic]:
    """The findings of the rules in one document, in order of their places; for the rest see Scope."""
    found = [
        diagnostic(rule, place, document)
        for rule in rules
        if rule.check is not None
        for place in rule.check(document, context)
    ]
    suppressions = read_suppressions(document.source, document.tree)
    if suppressions:
        scope = Scope({rule.id for rule in rules}, known, narrowed, aside)
        found, unused = suppress(found, suppressions, document.source, scope)
        judge = next((rule for rule in rules if rule.id == UNUSED), None)
        if judge is not None:
            found += [diagnostic(judge, place, document) for place in unused]
    found = deduplicate(found, {rule.id: rule.precedence for rule in rules})
    return sorted(found, key=lambda one: (one.span, one.rule))


def diagnostic(rule: BoundRule, raw: RawDiagnostic, document: Document) -> Diagnostic:
    """Return a diagnostic with the message of the rule's page, at most as severe and as safe to fix as the page says."""
    fix = None
    protected = document.tree.protected
    if raw.edits and rule.fix is not None and not any(touches(edit, protected) for edit in raw.edits):
        fix = Fix(raw.edits, min(raw.applicability, _APPLICABILITY[rule.fix]))
    return Diagnostic(
        rule=rule.id,
        severity=min(rule.severity, raw.severity),
        message=format_message(rule, raw.message, raw.values),
        path=document.source.path or "",
        span=raw.span,
        fix=fix,
    )


def format_message(rule: BoundRule, name: str, values: Mapping[str, object]) -> str:
    """Return a message of the rule's page with the values of its check.

    Only names of values are replaced, no attributes and no formats: a page may be a stranger's. Raises RuleError if
    the page has no such message, or if it names a value that the check does not give.
    """

    def value(match: re.Match[str]) -> str:
        if match[0] in ("{{", "}}"):
            return match[0][0]
        if match[1] not in values:
            has = ", ".join(values) or "none"
            raise RuleError(f"{rule.id}: its message names '{match[1]}', its check gives {has}")
        return " ".join(str(values[match[1]]).split())

    if name not in rule.messages:
        raise RuleError(f"{rule.id}: its page has no message '{name}', which its check names")
    return _FIELD.sub(value, rule.messages[name])


def touches(edit: Edit, opaque: Sequence[Span]) -> bool:
    """Whether an edit reaches into an opaque span; to move or remove one whole is allowed."""
    if edit.path:
        return False
    goes = edit.effect.change in (Change.MOVED, Change.REMOVED)
    for span in opaque[bisect_right(opaque, edit.start, key=lambda span: span.end) :]:
        if span.start >= edit.end:
            return False
        if not (goes and edit.start <= span.start and span.end <= edit.end):
            return True
    return False


def deduplicate(found: Iterable[Diagnostic], precedence: Mapping[str, int]) -> list[Diagnostic]:
    """One finding a place: the greatest precedence speaks, and brings the others' edits along."""
    places: dict[Span, list[Diagnostic]] = {}
    for one in found:
        places.setdefault(one.span, []).append(one)
    spoken = []
    for group in places.values():
        highest = max(precedence[one.rule] for one in group)
        loud = [one for one in group if precedence[one.rule] == highest]
        silent = [one for one in group if precedence[one.rule] < highest]
        spoken += [_joined(loud[0], silent), *loud[1:]] if silent else loud
    return spoken


def _joined(loud: Diagnostic, silent: Iterable[Diagnostic]) -> Diagnostic:
    """The finding with the safe edits of those it silences, as far as they leave its own alone."""
    edits = loud.fix.edits if loud.fix else ()
    applicability = loud.fix.applicability if loud.fix else Applicability.SAFE
    for one in silent:
        if one.fix is None or one.fix.applicability is not Applicability.SAFE:
            continue
        if not any(_meet(a, b) for a in one.fix.edits for b in edits):
            edits = _composed((*edits, *one.fix.edits), loud.span)
    fix = Fix(tuple(sorted(edits)), applicability) if edits else None
    return Diagnostic(loud.rule, loud.severity, loud.message, loud.path, loud.span, fix)


def _meet(a: Edit, b: Edit) -> bool:
    """Whether two edits overlap, or touch within one address, where they would say a thing twice."""
    if a.effect.change is b.effect.change is Change.DESTINATION:
        return a.path == b.path and a.start <= b.end and b.start <= a.end
    return overlap(a, b)


def _composed(edits: Sequence[Edit], span: Span) -> tuple[Edit, ...]:
    """Edits of one address, each with the effect of all together: what the address becomes in the end."""
    address = [edit for edit in edits if edit.effect.change is Change.DESTINATION]
    before = {edit.effect.before for edit in address}
    if len(address) < 2 or len(before) > 1 or len(url := before.pop()) != span.end - span.start:
        return tuple(edits)
    after, end = "", 0
    for edit in sorted(address):
        after += url[end : edit.start - span.start] + edit.text
        end = edit.end - span.start
    effect = Effect(Change.DESTINATION, url, after + url[end:])
    return tuple(edit._replace(effect=effect) if edit in address else edit for edit in edits)


def overlap(a: Edit, b: Edit) -> bool:
    """Whether two edits cannot both be made: they share text, or a point at which both insert."""
    return a.path == b.path and ((a.start < b.end and b.start < a.end) or a.start == b.start)
