"""Badges at the top of an awesome list: the Awesome badge, and those of builds."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from shelfread.checks.awesome.front_page import is_front, title_headings
from shelfread.core.diagnostics import Applicability, Edit, RawDiagnostic, RawDiagnostics, Severity, Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Link

_HOME = "https://awesome.re"
_SOURCE = "https://awesome.re/badge.svg"
_BADGE = lazy(r"//(?:www\.)?awesome\.re/|sindresorhus/awesome(?:@|/)")
_LIKE_BADGE = lazy(
    r"(?i)badge/-?awesome\b|awesome(?:[-_]list)?[-_](?:badge|brightgreen|blue|green|\w+\.svg)|/awesome\.svg"
)
_OFFICIAL = lazy(
    r"(?i)https?://(?:www\.)?(?:awesome\.re(?:[/?#]|$)|github\.com/sindresorhus/awesome/?(?:[?#]|$))"
)

_CI = lazy(
    r"(?P<gone>travis-ci\.org/|shields\.io/travis/)"
    r"|travis-ci\.com/|circleci\.com/|app\.circleci|appveyor\.com/api/|/actions/workflows/[^/]{1,200}/badge\.svg"
    r"|github\.com/[^/]{1,100}/[^/]{1,100}/workflows/[^?#]{1,200}/badge\.svg|/badges/[^?#]{0,200}(?:pipeline|build)\.svg"
    r"|shields\.io/(?:circleci|appveyor|github/(?:actions/)?workflow|gitlab/pipeline)|dev\.azure\.com/.{0,200}_apis/build"
    r"|drone\.[^/]{1,200}/api/badges|semaphoreci\.com/.{0,200}badge|app\.codeship\.com/projects/.{0,200}status"
)


def badge(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report a title without the Awesome badge, and Awesome badges that link elsewhere."""
    if not is_front(document, context):
        return
    title = next((head for head in title_headings(document.tree.blocks) if head.level <= 1), None)
    if title is None:
        return
    for image, outer in _images(document):
        if _BADGE.search(image.url) or _LIKE_BADGE.search(image.url):
            yield from _badge_problems(document, image, outer)
            return
    edit = Edit.insert(title.span.end, f" [![Awesome]({_SOURCE})]({_HOME})")
    edits = (edit,) if title.block.kind == "heading" and title.block.inlines else ()
    yield RawDiagnostic(title.span, {}, edits, Applicability.UNSAFE, message="missing")


def _images(document: Document) -> Iterator[tuple[Link, Link | None]]:
    """Yield the images of a list, each with the link that it is in."""
    outer: Link | None = None
    for link in document.links:
        if not link.image:
            outer = link
        else:
            yield link, outer if outer is not None and outer.start <= link.start < outer.end else None


def _badge_problems(document: Document, image: Link, outer: Link | None) -> RawDiagnostics:
    """Report a badge that has no link, links elsewhere, is loaded from rawgit.com, or is below the entries."""
    span = Span(image.start, image.end)
    if outer is None:
        written = document.source.text[slice(*span)]
        linked = f"[{written}]({_HOME})"
        edit = Edit.extend(span, written, linked)
        edits: tuple[Edit, ...] = (edit,) if image.form == "inline" else ()
        yield RawDiagnostic(span, {}, edits, Applicability.UNSAFE, message="unlinked")
    elif not _OFFICIAL.match(outer.url):
        span, edits = outer.destination or Span(outer.start, outer.end), _relink(document, outer, _HOME)
        page = _host_and_path(outer.url)
        message = "elsewhere" if page else "no-page"
        yield RawDiagnostic(span, {"page": page}, edits, Applicability.UNSAFE, message=message)
    elif "rawgit.com" in image.url:
        span, edits = image.destination or span, _relink(document, image, _SOURCE)
        yield RawDiagnostic(span, {}, edits, Applicability.UNSAFE, message="rawgit")


def _host_and_path(url: str) -> str:
    try:
        parts = urlsplit(url)
        return f"{parts.hostname or ''}{parts.path}"[:60].rstrip("/")
    except ValueError:
        return ""


def _relink(document: Document, link: Link, url: str) -> tuple[Edit, ...]:
    span = link.destination
    if span is None or document.source.text[span.start : span.end] != link.url:
        return ()
    return (Edit.relink(span, link.url, url),)


# ---------------------------------------------------------------------------------- awesome/ci-badge
def ci_badge(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report badges of builds above the first entry; those within entries are about what is listed."""
    if not is_front(document, context):
        return
    end = document.entries[0].span.start if document.entries else len(document.source.text)
    for image, outer in _images(document):
        match = _CI.search(image.url) if image.start < end else None
        if match is None:
            continue
        shown = outer or image
        span = Span(shown.start, shown.end)
        removed = Span(*document.source.with_blanks(*span))
        edits = (Edit.reduce(removed, document.source.text[slice(*span)]),)
        severity, message = (Severity.WARNING, "gone") if match["gone"] else (Severity.INFO, "build")
        yield RawDiagnostic(span, {}, edits, Applicability.UNSAFE, severity, message)
