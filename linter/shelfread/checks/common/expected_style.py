"""The form that the entries of a list are expected to have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from shelfread.core.diagnostics import Applicability, Severity
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.index.conventions.conventions import LEAST_CASES, Convention, Question, When, learn
from shelfread.index.facts import Facts

_FEW = 3


class ExpectedStyle(NamedTuple):
    """The form that entries are held to, and how severe and how safe to fix a departure from it is."""

    convention: Convention
    severity: Severity
    applicability: Applicability


def expected_style(
    document: Document, context: RuleContext, question: Question, awesome: Collection[str], when: When
) -> ExpectedStyle | None:
    """Return the form that most entries of the project have, or one of the forms that awesome lists use.

    An awesome form is expected where two of three entries have it and there are too few entries to learn from, or
    with `always`; if just most entries have it, findings are for information. None if nothing is expected, as in a
    file that mostly has another form than the project; a file with a clear form of its own is held to that. None too
    if no entry of the file departs from it.
    """
    files = context.project.facts
    facts = files.get(document.source.path or "")
    style = _expected(context.conventions.forms(question), awesome, when)
    if facts is not None and when == "learned" and len(files) > 1:
        style = _style_of_file(style, facts, question, awesome)
    if style is None or not context.departs(document, question, style.convention.form):
        return None
    return style


def _style_of_file(
    style: ExpectedStyle | None, facts: Facts, question: Question, awesome: Collection[str]
) -> ExpectedStyle | None:
    observations = facts.observations.items()
    forms = Counter({form: count for (answered, form), count in observations if answered == question})
    if style is None or style.severity is Severity.INFO:
        own = _expected(forms, awesome, "learned") if forms.total() >= LEAST_CASES else None
        return own or style
    mostly_another = forms.total() >= _FEW and forms[style.convention.form] * 2 < forms.total()
    return None if mostly_another else style


def _expected(forms: Counter[str], awesome: Collection[str], when: When) -> ExpectedStyle | None:
    own = learn(forms) if when == "learned" else None
    if own is not None:
        return ExpectedStyle(own, Severity.ERROR, Applicability.SAFE)
    usual = max(awesome, key=lambda form: forms[form])
    convention = Convention(usual, forms[usual], forms.total())
    if when == "always":
        return ExpectedStyle(convention, Severity.ERROR, Applicability.SAFE)
    if when == "never" or convention.cases * 2 < convention.total or convention.total < _FEW:
        return None
    if convention.total < LEAST_CASES and convention.cases * 3 >= convention.total * 2:
        return ExpectedStyle(convention, Severity.ERROR, Applicability.SAFE)
    return ExpectedStyle(convention, Severity.INFO, Applicability.UNSAFE)
