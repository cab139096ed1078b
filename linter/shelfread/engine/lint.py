"""Runs rules over one document: makes findings of the raw diagnostics of the checks."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from shelfread.core.diagnostics import Applicability, Change, Diagnostic, Edit, Effect, Fix, Span
from shelfread.core.errors import RuleError
from shelfread.core.patterns import lazy
from shelfread.core.spans import find_overlapping, merged
from shelfread.rulebook.binding import BoundRule

if TYPE_CHECKING:
    from shelfread.core.diagnostics import RawDiagnostic
    from shelfread.document.model import Document
    from shelfread.index.context import RuleContext

_FIELD = lazy(r"\{\{|\}\}|\{(\w*)\}")
_ON_FIELDS = ("entry/", "paper/", "complete/", "taxonomy/placement", "taxonomy/entry")
"""The rules that rest on what the fields of entries are."""
_APPLICABILITY = {"safe": Applicability.SAFE, "mixed": Applicability.SAFE, "unsafe": Applicability.UNSAFE}


def lint(
    document: Document,
    context: RuleContext,
    rules: Sequence[BoundRule],
    known: Collection[str] = (),
    narrowed: bool = False,
    aside: Collection[str] = (),
    check_point: Callable[[], None] = lambda: None,
) -> list[Diagnostic]:
    """Return the findings of the rules in a document, sorted; `known` are all rules, `narrowed` and `aside` those of Scope.

    The check point is called before each rule, and may raise an exception.
    """
    found = []
    for rule in rules:
        check_point()
        if rule.check is not None:
            found += [diagnostic(rule, raw, document) for raw in rule.check(document, context)]
    if document.tree.comments:
        found = _heed_comments(found, document, rules, known, narrowed, aside)
    found = deduplicate(found)
    if document.misread:
        found = list(_without_misread(found, document))
    if any(finding.fix for finding in found):
        from shelfread.fixes.verify.guard import guard_fixes

        found = list(guard_fixes(found, document))
    return sorted(found, key=lambda finding: (finding.span, finding.rule))


def _heed_comments(
    found: Iterable[Diagnostic],
    document: Document,
    rules: Sequence[BoundRule],
    known: Collection[str],
    narrowed: bool,
    aside: Collection[str],
) -> list[Diagnostic]:
    """Return the findings that no comment of the document ignores, and those about its comments."""
    from shelfread.rulebook import suppressions

    source, tree = document.source, document.tree
    comments = suppressions.read_suppressions(source, tree)
    by_id = {rule.id: rule for rule in rules}
    kept = list(found)
    if (rule := by_id.get(suppressions.UNKNOWN)) is not None:
        unknown = suppressions.find_unknown(comments, source, tree, known)
        kept += [diagnostic(rule, raw, document) for raw in unknown]
    kept, unused = suppressions.suppress(kept, comments, source, suppressions.Scope(by_id, narrowed, aside))
    if (rule := by_id.get(suppressions.UNUSED)) is not None:
        kept += [diagnostic(rule, raw, document) for raw in unused]
    return kept


def _without_misread(found: Iterable[Diagnostic], document: Document) -> Iterator[Diagnostic]:
    """Yield findings without those that rest on the fields of entries that are read with little certainty."""
    misread = (document.entries[index].span for series in document.misread for index in series.entries)
    spans = merged(misread)
    for finding in found:
        span = finding.span
        rests = finding.rule.startswith(_ON_FIELDS)
        if not (rests and any(find_overlapping(spans, span.start, span.end))):
            yield finding


def diagnostic(rule: BoundRule, raw: RawDiagnostic, document: Document) -> Diagnostic:
    """Return a diagnostic with the message of the rule's page, at most as severe and as safe as the page says."""
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
        precedence=rule.precedence if raw.precedence is None else min(rule.precedence, raw.precedence),
    )


def format_message(rule: BoundRule, name: str, values: Mapping[str, object]) -> str:
    """Return a message of the rule's page with the values of its check.

    Only names of values are replaced, no attributes and no formats, as a page may be untrusted. Raises RuleError if
    the page has no such message, or if the message names a value that the check does not give.
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


def touches(edit: Edit, protected: Sequence[Span]) -> bool:
    """Return whether an edit changes protected spans; to move or remove a whole one is allowed."""
    removes = edit.effect.change in (Change.MOVED, Change.REMOVED)
    return any(
        not (removes and edit.start <= span.start and span.end <= edit.end)
        for span in find_overlapping(protected, edit.start, edit.end)
    )


def deduplicate(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return for each span the findings of the greatest precedence, with the safe edits of the others."""
    groups: dict[Span, list[Diagnostic]] = {}
    for finding in found:
        groups.setdefault(finding.span, []).append(finding)
    kept = []
    for group in groups.values():
        highest = max(finding.precedence for finding in group)
        first, *others = (finding for finding in group if finding.precedence == highest)
        dropped = [finding for finding in group if finding.precedence < highest]
        kept += [_with_edits(first, dropped) if dropped else first, *others]
    return kept


def _with_edits(kept: Diagnostic, dropped: Iterable[Diagnostic]) -> Diagnostic:
    """Return a finding with the safe edits of dropped ones that do not conflict with its own."""
    edits = kept.fix.edits if kept.fix else ()
    applicability = kept.fix.applicability if kept.fix else Applicability.SAFE
    for finding in dropped:
        if finding.fix is None or finding.fix.applicability is not Applicability.SAFE:
            continue
        if not any(_conflict(a, b) for a in finding.fix.edits for b in edits):
            edits = _combine((*edits, *finding.fix.edits), kept.span)
    return kept._replace(fix=Fix(tuple(sorted(edits)), applicability) if edits else None)


def _conflict(a: Edit, b: Edit) -> bool:
    """Return whether two edits overlap, or touch within one destination, where they could insert a text twice."""
    if a.effect.change is b.effect.change is Change.DESTINATION:
        return a.start <= b.end and b.start <= a.end
    return overlap(a, b)


def _combine(edits: Sequence[Edit], span: Span) -> tuple[Edit, ...]:
    """Return the edits; those of one destination each have the effect of all of them together."""
    changed = [edit for edit in edits if edit.effect.change is Change.DESTINATION]
    before = {edit.effect.before for edit in changed}
    if len(changed) < 2 or len(before) > 1 or len(url := before.pop()) != span.end - span.start:
        return tuple(edits)
    after, end = "", 0
    for edit in sorted(changed):
        after += url[end : edit.start - span.start] + edit.text
        end = edit.end - span.start
    effect = Effect(Change.DESTINATION, url, after + url[end:])
    return tuple(edit._replace(effect=effect) if edit in changed else edit for edit in edits)


def overlap(a: Edit, b: Edit) -> bool:
    """Return whether two edits share text, or a position at which both insert, and cannot both be applied."""
    return (a.start < b.end and b.start < a.end) or a.start == b.start
