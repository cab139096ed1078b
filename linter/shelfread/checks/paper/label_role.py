"""The rule `paper/label-role`."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.core.diagnostics import RawDiagnostic, RawDiagnostics, Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document, Entry, LabelledLink
from shelfread.index.context import RuleContext
from shelfread.index.line_style import labels_of
from shelfread.taxonomy.hosts import split_url
from shelfread.taxonomy.vocabulary import Vocabulary

_REPOSITORY = lazy(r"/[^/?#]+/[^/?#]+/?(?:[?#].*)?$")
_SOURCES = lazy(r"\b(?:codes?|github|git|repo|repository|implementation|source)\b")
_PAPERS = lazy(r"\b(?:paper|pdf|arxiv|preprint|abs|abstract)\b(?! ?(?:list|collection))")
# Files beside a paper on its publisher's host: code, data, a supplement, slides, a poster, a citation.
_ATTACHMENT = lazy(
    r"(?i)\.(?:zip|tgz|tar|gz|bz2|xz|7z|rar|bib|pptx?|key|mp4|mov|txt|csv|tsv|json|ya?ml|py|ipynb|tex|png|jpe?g)$|"
    r"(?<![a-z])(?:supp?|suppl|supplement(?:al|ary)?|appendix|slides?|poster|presentation|code|data|software|attachment)"
    r"(?![a-z])[^/]{0,80}\.[a-z0-9]{2,4}$|/attachments/"
)
_ONLY_PAPERS = lazy(
    r"arxiv\.org/(?:abs|pdf|html)/|openaccess\.thecvf\.com/content|aclanthology\.org/[^/]*\d|proceedings\.mlr\.press/v|"
    r"(?:proceedings|papers)\.n(?:eur)?ips\.cc/paper"
)


def span_of(label: LabelledLink, text: str) -> Span:
    """Return the span of a label's words, or of the link's whole text if markup divides them."""
    start = text.find(label.label, *label.link.text)
    return Span(start, start + len(label.label)) if start >= 0 else label.link.text


def label_role(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report labels for a paper on links to a repository, and labels for code on links to a paper."""
    text = document.source.text
    for entry in (entry for entry in document.entries if entry.kind == "paper"):
        for label, message in _find(entry, context.vocabulary, text):
            yield RawDiagnostic(span_of(label, text), {"label": label.label}, message=message)


def _find(entry: Entry, vocabulary: Vocabulary, text: str) -> Iterator[tuple[LabelledLink, str]]:
    """Yield the labels of an entry that disagree with their links, each with the name of its message."""
    for label in labels_of(entry, text):
        url = label.link.url
        if "github.com" not in url and "gitlab.com" not in url and not _ONLY_PAPERS.search(url):
            continue
        role = vocabulary.role(label.label)
        if role is None or not url.startswith("http") or label.link.text.start == label.link.text.end:
            continue
        words = label.label.casefold()
        host, path = split_url(url)
        if role.id == "paper" and host in ("github.com", "gitlab.com"):
            if _PAPERS.search(words) and _REPOSITORY.fullmatch(path):
                yield label, "repository"
        elif role.id == "code" and _SOURCES.search(words) and _is_paper(host, path):
            yield label, "paper"


def _is_paper(host: str, path: str) -> bool:
    """Return whether a URL is that of a paper, and not of a file beside it."""
    file = path.partition("?")[0].partition("#")[0]
    return _ONLY_PAPERS.match(f"{host}{path}") is not None and not _ATTACHMENT.search(file)
