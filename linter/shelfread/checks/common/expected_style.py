"""The form that the entries of a list are expected to have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from functools import partial

from shelfread.core.diagnostics import Applicability, Severity
from shelfread.core.inquiry import question as asks
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.index.conventions.conventions import (
    LEAST_CASES,
    Convention,
    Question,
    Topic,
    When,
    later,
    learn,
)
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
    path = document.source.path or ""
    asked = path, question.topic, question.subject, tuple(awesome), when
    found = _find_form(context, *asked)
    if found is None:
        return None
    form, severity, applicability = found
    convention = later(form, partial(_is_strict, context, *asked), partial(_find_convention, context, *asked))
    return ExpectedStyle(convention, severity, applicability)


@asks
def _find_form(
    context: RuleContext, path: str, topic: Topic, subject: str, awesome: Collection[str], when: When
) -> tuple[str, Severity, Applicability] | None:
    found = _find_style(context, path, topic, subject, awesome, when)
    return None if found is None else (found.convention.form, found.severity, found.applicability)


@asks
def _find_convention(
    context: RuleContext, path: str, topic: Topic, subject: str, awesome: Collection[str], when: When
) -> Convention:
    found = _find_style(context, path, topic, subject, awesome, when)
    if found is None:
        raise LookupError(subject)  # nothing is expected any more
    return found.convention


@asks
def _is_strict(
    context: RuleContext, path: str, topic: Topic, subject: str, awesome: Collection[str], when: When
) -> bool:
    return _find_convention(context, path, topic, subject, awesome, when).is_strict


@asks
def _find_style(
    context: RuleContext, path: str, topic: Topic, subject: str, awesome: Collection[str], when: When
) -> ExpectedStyle | None:
    question, files = Question(topic, subject), context.project.facts
    facts = files.get(path)
    style = _expected(context.conventions.forms(question), awesome, when)
    if facts is None:
        return style
    if when == "learned" and len(files) > 1:
        style = _style_of_file(style, facts, question, awesome)
    return style if style is not None and not facts.forms(question) <= {style.convention.form} else None


def _style_of_file(
    style: ExpectedStyle | None, facts: Facts, question: Question, awesome: Collection[str]
) -> ExpectedStyle | None:
    forms = Counter({form: count for (asked, form), count in facts.observations.items() if asked == question})
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
