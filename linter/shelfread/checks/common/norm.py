"""What lists in the tradition of sindresorhus/awesome do, and how far a list follows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import NamedTuple

from shelfread.core.diagnostics import Applicability, Severity, Span
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.index.conventions.majority import LEAST_CASES, Convention, When, learn
from shelfread.index.conventions.question import Question

_FEW = 3


class ExpectedStyle(NamedTuple):
    """The form that entries are held to; where it is not settled, only for information."""

    convention: Convention
    severity: Severity
    applicability: Applicability


def norm(
    document: Document, context: RuleContext, question: Question, tradition: Collection[str], when: When
) -> ExpectedStyle | None:
    """The project's own clear form; else the tradition's, where the lists have not chosen another.

    Among few cases two of three settle it: the tradition speaks for them. `always` holds every list to the
    tradition. A file that mostly has another form is left alone, and one that is clear by itself holds to its own.
    """
    found = _norm(context.conventions.forms(question), tradition, when)
    facts = context.project.facts.get(document.source.path or "")
    if when != "learned" or facts is None or len(context.project.facts) == 1:
        return found
    here = Counter({form: count for (asked, form), count in facts.observations.items() if asked == question})
    if found is None or found.severity is Severity.INFO:
        own = _norm(here, tradition, when) if here.total() >= LEAST_CASES else None
        return own or found
    mostly_another = here.total() >= _FEW and here[found.convention.form] * 2 < here.total()
    return None if mostly_another else found


def _norm(forms: Counter[str], tradition: Collection[str], when: When) -> ExpectedStyle | None:
    own = learn(forms) if when == "learned" else None
    if own is not None:
        return ExpectedStyle(own, Severity.ERROR, Applicability.SAFE)
    usual = max(tradition, key=lambda form: forms[form])
    convention = Convention(usual, forms[usual], forms.total())
    if when == "always":
        return ExpectedStyle(convention, Severity.ERROR, Applicability.SAFE)
    if when == "never" or convention.cases * 2 < convention.total:
        return None
    few = _FEW <= convention.total < LEAST_CASES and convention.cases * 3 >= convention.total * 2
    if few:
        return ExpectedStyle(convention, Severity.ERROR, Applicability.SAFE)
    return (
        ExpectedStyle(convention, Severity.INFO, Applicability.UNSAFE) if convention.total >= _FEW else None
    )


def is_front(document: Document, context: RuleContext) -> bool:
    """Whether a list is the one that readers come to first: the readme, else the one that there is."""
    path = document.source.path
    if path is None or len(context.project.facts) <= 1:
        return True
    readmes = [one for one in context.project.facts if _is_readme(one) and context.project.facts[one].entries]
    if not readmes:
        return bool(document.entries)
    return path in readmes and path.count("/") == min(one.count("/") for one in readmes)


def _is_readme(path: str) -> bool:
    return path.rpartition("/")[2].lower().startswith("readme")


def title_span(document: Document) -> Span:
    """Where what concerns the whole list is told: at its title, else at its top."""
    for block in document.tree.blocks:
        if block.kind == "heading" and block.inlines:
            return Span(block.inlines[0].start, block.inlines[-1].end)
    return Span(0, 0)
