"""Runs the rules of a project over its documents."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from shelfread.core.diagnostics import Applicability, Diagnostic, Severity
from shelfread.core.patterns import lazy
from shelfread.document.model import Document
from shelfread.engine.lint import lint
from shelfread.engine.model import RunRequest
from shelfread.index.context import RuleContext
from shelfread.index.presets import find_presets
from shelfread.rulebook.binding import BoundRule
from shelfread.rulebook.selection import BROKEN_LINK_RULES, bind_rules, presets_of

_BACKUP = lazy(r"(?:^|[-_. ])(?:backup|bak|deprecated)(?:[-_. ]|$)", re.IGNORECASE)


def is_backup(path: str) -> bool:
    """Return whether the name of a file says that it is a backup."""
    return _BACKUP.search(os.path.basename(path)) is not None


class Diagnoser:
    """The selected rules, bound once for all files of the same presets, and the context that they run in."""

    def __init__(
        self,
        request: RunRequest,
        context: RuleContext,
        detected: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        """`detected` has the presets of each file, if these are others than its list shows."""
        self.request, self.context = request, context
        self.detected = find_presets(context) if detected is None else detected
        self._bound: dict[tuple[str, ...], tuple[BoundRule, ...]] = {}

    def presets(self, path: str) -> tuple[str, ...]:
        """Return the presets that hold for a file."""
        return presets_of(self.request.selection, self.detected.get(path, ()))

    def rules(self, path: str) -> tuple[BoundRule, ...]:
        """Return the rules that run on a file."""
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
            return self._adjust(path, [diagnostic._replace(fix=None) for diagnostic in found], False)
        return self._adjust(path, found)

    def _adjust(self, path: str, found: list[Diagnostic], is_list: bool = True) -> list[Diagnostic]:
        """Return the findings of a file as safe and as severe as its path and its generator let them be."""
        if is_list and self.context.generated(path):
            found = [_with_consent(diagnostic) for diagnostic in found]
        if is_backup(path):
            return [diagnostic._replace(severity=Severity.INFO) for diagnostic in found]
        return found


def _with_consent(diagnostic: Diagnostic) -> Diagnostic:
    """Return a finding with an unsafe fix."""
    if diagnostic.fix is None:
        return diagnostic
    return diagnostic._replace(fix=diagnostic.fix._replace(applicability=Applicability.UNSAFE))


def permitted(request: RunRequest, found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the findings without the fixes of infos, unless infos are shown: nothing is fixed that `check` does not show."""
    least = Severity.INFO if request.options.shows_info else Severity.WARNING
    return [finding if finding.severity >= least else finding._replace(fix=None) for finding in found]
