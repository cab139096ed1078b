"""Labels of links: how they are written, and whether they say what the link is."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.core.diagnostics import Applicability, Change, Edit, Effect, RawDiagnostic, Severity, Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document, LabelledLink
from shelfread.index.context import RuleContext
from shelfread.index.conventions.majority import When, learn_spelling
from shelfread.index.conventions.observations import LABEL
from shelfread.index.conventions.question import Observation, Question
from shelfread.index.conventions.title_line import labels_of
from shelfread.taxonomy.evidence import split_url

# Names whose owners have one way to write them: a list's habit never makes another one right.
_NAMES = {
    name.casefold(): name
    for name in (
        "arXiv BibTeX bioRxiv Colab DBLP DockerHub Gist GitHub GitLab Gitee Google HuggingFace IEEE Jupyter "
        "JAX Keras LinkedIn MATLAB MindSpore ModelScope MXNet OpenReview PaddlePaddle PyPI PyTorch ResearchGate "
        "SlideShare SlidesLive SourceForge Substack TensorFlow Theano Twitter USENIX Vimeo YouTube Zenodo"
    ).split()
}
_REPOSITORY = lazy(r"/[^/?#]+/[^/?#]+/?(?:[?#].*)?$")
_SOURCES = lazy(r"\b(?:codes?|github|git|repo|repository|implementation|source)\b")
_PAPERS = lazy(r"\b(?:papers?|pdf|arxiv|preprint|abs|abstract)\b")
_ONLY_PAPERS = lazy(
    r"arxiv\.org/(?:abs|pdf|html)/|openaccess\.thecvf\.com/content|aclanthology\.org/[^/]*\d|proceedings\.mlr\.press/v|"
    r"(?:proceedings|papers)\.n(?:eur)?ips\.cc/paper"
)


def label_case(
    document: Document, context: RuleContext, *, when: When = "learned"
) -> Iterator[RawDiagnostic]:
    """Labels that differ from the list's own by case alone."""
    usual = context.departures(document, LABEL, when, learn_spelling)
    text = document.source.text
    own = context.project.facts[document.source.path or ""].observations
    for entry in document.entries if usual else ():
        for label in labels_of(entry, text):
            folded = label.label.casefold()
            convention = usual.get(folded)
            if convention is None or convention.form == label.label:
                continue
            if _NAMES.get(folded, convention.form) != convention.form:
                continue
            span = span_of(label, text)
            edits: tuple[Edit, ...] = ()
            if text[span.start : span.end] == label.label:
                edits = (Edit(*span, convention.form, Effect(Change.WORDS, label.label, convention.form)),)
            values: dict[str, object] = {"label": label.label, "usual": convention.form}
            values |= {"count": convention.cases, "total": convention.total}
            question = Question(LABEL, folded)
            if (
                when == "learned"
                and own[Observation(question, label.label)]
                > 3 * own[Observation(question, convention.form)] + 1
            ):
                yield RawDiagnostic(span, values, edits, Applicability.UNSAFE, Severity.INFO)
            else:
                yield RawDiagnostic(span, values, edits)


def label_role(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Labels that say paper where the link is a repository, or code where it is a paper."""
    vocabulary, text = context.vocabulary, document.source.text
    for entry in document.entries:
        if entry.kind != "paper":
            continue
        for label in labels_of(entry, text):
            url = label.link.url
            if "github.com" not in url and "gitlab.com" not in url and not _ONLY_PAPERS.search(url):
                continue
            said = vocabulary.role(label.label)
            if said is None:
                continue
            words = label.label.casefold()
            host, path = split_url(url)
            if said.id == "paper" and host in ("github.com", "gitlab.com"):
                found = "a repository" if _PAPERS.search(words) and _REPOSITORY.fullmatch(path) else ""
            elif said.id == "code":
                found = "a paper" if _SOURCES.search(words) and _ONLY_PAPERS.match(f"{host}{path}") else ""
            else:
                found = ""
            if found:
                yield RawDiagnostic(span_of(label, text), {"label": label.label, "found": found})


def span_of(label: LabelledLink, text: str) -> Span:
    """Where a label's words stand; the whole text of a link that has marks in it."""
    at = text.find(label.label, *label.link.text)
    return Span(at, at + len(label.label)) if at >= 0 else label.link.text
