"""The rules of a project, run over its documents."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from shelfread.core.diagnostics import Applicability, Diagnostic, Severity
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.engine.lint import lint
from shelfread.engine.model import RunRequest
from shelfread.index.context import RuleContext
from shelfread.index.presets import find_presets
from shelfread.rulebook.binding import BoundRule
from shelfread.rulebook.selection import bind_rules, presets_of

_BACKUP = lazy(r"(?:^|[-_. ])(?:backup|bak|deprecated)(?:[-_. ]|$)", re.IGNORECASE)


@dataclass(frozen=True)
class Diagnoser:
    """The selected rules, bound once for all files of the same presets, and the context that they run in."""

    request: RunRequest
    context: RuleContext
    detected: Mapping[str, tuple[str, ...]]
    """The detected presets of each file."""
    _bound: dict[tuple[str, ...], tuple[BoundRule, ...]] = field(default_factory=dict)

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
    ) -> list[Diagnostic]:
        """Return the findings in a document; in a file that is kept as a backup all are infos."""
        path = document.source.path or ""
        selection = self.request.selection
        found = lint(
            document,
            context or self.context,
            self.rules(path) if rules is None else rules,
            known=selection.rules,
            narrowed=selection.narrowed,
            aside=selection.partly_online,
        )
        if _BACKUP.search(os.path.basename(path)):
            return [diagnostic._replace(severity=Severity.INFO) for diagnostic in found]
        return found


def build_diagnoser(request: RunRequest, context: RuleContext) -> Diagnoser:
    """Return what diagnoses the files of a project, by the presets that its lists show."""
    return Diagnoser(request, context, find_presets(context))


def permitted(request: RunRequest, found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the findings with the fixes that may be applied: no unsafe one of an info that is not shown."""
    if request.show_info:
        return list(found)
    return [
        diagnostic._replace(fix=None)
        if diagnostic.severity is Severity.INFO
        and diagnostic.fix is not None
        and diagnostic.fix.applicability is Applicability.UNSAFE
        else diagnostic
        for diagnostic in found
    ]
