"""The rule `entry/label-case`."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.checks.common.local_style import local_styles
from shelfread.core.diagnostics import Applicability, Edit, RawDiagnostic, Severity, Span
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.index.conventions.label_spelling import LABEL, find_labels
from shelfread.index.conventions.majority import When, learn_spelling
from shelfread.index.conventions.question import Question

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
    labels = [label for label in find_labels(document) if label.word.casefold() in usual]
    styles = local_styles(document, ((label, label.word.casefold(), label.word) for label in labels))
    for label in labels:
        word, folded = label.word, label.word.casefold()
        convention = usual[folded]
        form = convention.form
        if form == word or _NAMES.get(folded, form) != form:
            continue
        start = text.find(word, *label.span)
        span = Span(start, start + len(word)) if start >= 0 else label.span
        edits = (Edit.reword(span, word, form),) if start >= 0 else ()
        values = {"label": word, "usual": form, "count": convention.cases, "total": convention.total}
        raw = RawDiagnostic(span, values, edits)
        question = Question(LABEL, folded)
        in_file = observations[question, word]
        if when == "learned" and in_file > 3 * observations[question, form] + 1:
            # The file has a spelling of its own.
            raw = raw._replace(applicability=Applicability.UNSAFE, severity=Severity.INFO)
        yield styles.lower(raw, label, folded, word, form, when)
