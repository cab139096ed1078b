"""Runs the rules of a project over its documents: makes findings of the raw diagnostics of the checks."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from shelfread.core.diagnostics import (
    Applicability,
    Change,
    Diagnostic,
    Edit,
    Effect,
    Fix,
    RawDiagnostic,
    Severity,
    Span,
    find_overlapping,
    merged,
)
from shelfread.core.errors import RuleError
from shelfread.core.patterns import lazy
from shelfread.document.model import Document
from shelfread.engine.model import RunRequest
from shelfread.index.context import RuleContext
from shelfread.index.pages import find_presets
from shelfread.rulebook.metadata import BoundRule
from shelfread.rulebook.selection import BROKEN_LINK_RULES, bind_rules, presets_of

_FIELD = lazy(r"\{\{|\}\}|\{(\w*)\}")
# The rules that rest on what the fields of entries are.
_ON_FIELDS = ("entry/", "paper/", "complete/", "taxonomy/placement", "taxonomy/entry")


def lint(
    document: Document,
    context: RuleContext,
    rules: Sequence[BoundRule],
    known: Collection[str] = (),
    narrowed: bool = False,
    aside: Collection[str] = (),
    check_point: Callable[[], None] = lambda: None,
) -> list[Diagnostic]:
    """Return the findings of the rules in a document, sorted; `known` are all rules. The check point, before each rule, may raise."""
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
        from shelfread.fixes.flaws import guard_fixes

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
        is_safe = raw.safe and rule.fix != "unsafe"
        fix = Fix(raw.edits, Applicability.SAFE if is_safe else Applicability.UNSAFE)
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


_BACKUP = lazy(r"(?:^|[-_. ])(?:backup|bak|deprecated)(?:[-_. ]|$)", re.IGNORECASE)


def is_backup(path: str) -> bool:
    """Return whether the name of a file says that it is a backup."""
    return _BACKUP.search(os.path.basename(path)) is not None


class Diagnoser:
    """The selected rules, bound once for all files of the same presets, and the context that they run in."""

    def __init__(
        self, request: RunRequest, context: RuleContext, detected: Mapping[str, tuple[str, ...]] | None = None
    ) -> None:
        """`detected` has the presets of each file, if these are others than its list shows."""
        self.request, self.context = request, context
        self.detected = find_presets(context) if detected is None else detected
        self._bound: dict[tuple[str, ...], tuple[BoundRule, ...]] = {}

    def presets(self, path: str) -> tuple[str, ...]:
        return presets_of(self.request.selection, self.detected.get(path, ()))

    def rules(self, path: str) -> tuple[BoundRule, ...]:
        presets = self.presets(path)
        if presets not in self._bound:
            self._bound[presets] = bind_rules(self.request.selection, presets)
        return self._bound[presets]

    def diagnose(
        self,
        document: Document,
        context: RuleContext | None = None,
        rules: Sequence[BoundRule] | None = None,
        check_point: Callable[[], None] = lambda: None,
    ) -> list[Diagnostic]:
        """Return the findings in a document; all are infos if its name says that it is a backup.

        In a licence, a template and other files that are left alone, only broken links are found, and not fixed. What
        is fixed in a generated list is lost when it is generated again, so no fix of it is safe. The check point is
        called before each rule, and may raise an exception.
        """
        path = document.source.path or ""
        selection = self.request.selection
        rules = self.rules(path) if rules is None else rules
        if document.kind.is_left_alone:
            rules = [rule for rule in rules if rule.id in BROKEN_LINK_RULES]
        found = lint(
            document,
            context or self.context,
            rules,
            known=selection.rules,
            narrowed=selection.narrowed,
            aside=selection.partly_online,
            check_point=check_point,
        )
        if document.kind.is_left_alone:
            found = [diagnostic._replace(fix=None) for diagnostic in found]
        elif self.context.generated(path):
            found = [_with_consent(diagnostic) for diagnostic in found]
        if is_backup(path):
            found = [diagnostic._replace(severity=Severity.INFO) for diagnostic in found]
        return found


def _with_consent(diagnostic: Diagnostic) -> Diagnostic:
    if diagnostic.fix is None:
        return diagnostic
    return diagnostic._replace(fix=diagnostic.fix._replace(applicability=Applicability.UNSAFE))


def permitted(request: RunRequest, found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the findings without the fixes of infos, unless infos are shown: nothing is fixed that `check` does not show."""
    least = Severity.INFO if request.options.shows_info else Severity.WARNING
    return [finding if finding.severity >= least else finding._replace(fix=None) for finding in found]
