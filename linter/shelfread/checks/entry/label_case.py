"""The rule `entry/label-case`."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.checks.common.labels import span_of
from shelfread.checks.common.local_style import local_styles
from shelfread.core.diagnostics import Applicability, Change, Edit, Effect, RawDiagnostic, Severity
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.index.conventions.majority import When, learn_spelling
from shelfread.index.conventions.observations import LABEL
from shelfread.index.conventions.question import Question
from shelfread.index.conventions.title_line import labels_of

# Names with one official spelling, which no convention of a list overrides.
_NAMES = {
    name.casefold(): name
    for name in (
        "arXiv BibTeX bioRxiv Colab DBLP DockerHub Gist GitHub GitLab Gitee Google HuggingFace IEEE Jupyter "
        "JAX Keras LinkedIn MATLAB MindSpore ModelScope MXNet OpenReview PaddlePaddle PyPI PyTorch ResearchGate "
        "SlideShare SlidesLive SourceForge Substack TensorFlow Theano Twitter USENIX Vimeo YouTube Zenodo"
    ).split()
}


def label_case(
    document: Document, context: RuleContext, *, when: When = "learned"
) -> Iterator[RawDiagnostic]:
    """Report labels that differ from the usual spelling in case alone."""
    usual = context.departures(document, LABEL, when, learn_spelling)
    if not usual:
        return
    text = document.source.text
    observations = context.project.facts[document.source.path or ""].observations
    cases = [
        (entry, label)
        for entry in document.entries
        for label in labels_of(entry, text)
        if label.label.casefold() in usual
    ]
    styles = local_styles(document, ((entry, label.label.casefold(), label.label) for entry, label in cases))
    for entry, label in cases:
        folded = label.label.casefold()
        convention = usual[folded]
        if (form := convention.form) == label.label:
            continue
        if _NAMES.get(folded, form) != form:
            continue
        span = span_of(label, text)
        edits: tuple[Edit, ...] = ()
        if text[span.start : span.end] == label.label:
            edits = (Edit(*span, form, Effect(Change.WORDS, label.label, form)),)
        values = {"label": label.label, "usual": form}
        raw = RawDiagnostic(span, {**values, "count": convention.cases, "total": convention.total}, edits)
        question = Question(LABEL, folded)
        in_file = observations[question, label.label]
        if when == "learned" and in_file > 3 * observations[question, form] + 1:
            # The file has a spelling of its own.
            raw = raw._replace(applicability=Applicability.UNSAFE, severity=Severity.INFO)
        yield styles.lower(raw, entry, folded, label.label, when)
