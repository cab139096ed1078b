"""What stands at the head of an awesome list: its title, the badge, badges of builds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from shelfread.checks.common.front_page import is_front
from shelfread.core.diagnostics import Applicability, Change, Edit, Effect, RawDiagnostic, Severity, Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.index.anchors.anchors import heading_text
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Block, Html, Link

_HTML_TITLE = lazy(r"<h1[\s>]", re.IGNORECASE)
_HTML_HEADING = lazy(r"<h[1-6][\s>]", re.IGNORECASE)
_PICTURE = lazy(r"<(?:img|picture|svg)[\s>]", re.IGNORECASE)
_SMALL_WORDS = frozenset(
    "a an and as at but by for from in into of on or per the to up via vs with within".split()
)
_SMALL_NAME = lazy(
    r".*[\d.+#/@_:].*|i(?:OS|Pad|Phone).*|e?mac.*|.*[A-Z].*|npm|git|jq|zsh|vim|nginx|tmux|d3|webpack"
)

_HOME = "https://awesome.re"
_SOURCE = "https://awesome.re/badge.svg"
_BADGE = lazy(r"//(?:www\.)?awesome\.re/|sindresorhus/awesome(?:@|/)")
_LIKE_BADGE = lazy(
    r"badge/-?awesome\b|awesome(?:[-_]list)?[-_](?:badge|brightgreen|blue|green|\w+\.svg)|/awesome\.svg",
    re.IGNORECASE,
)
_OFFICIAL = lazy(
    r"https?://(?:www\.)?(?:awesome\.re(?:[/?#]|$)|github\.com/sindresorhus/awesome/?(?:[?#]|$))",
    re.IGNORECASE,
)

_CI = lazy(
    r"(?P<gone>travis-ci\.org/|shields\.io/travis/)"
    r"|travis-ci\.com/|circleci\.com/|app\.circleci|appveyor\.com/api/|/actions/workflows/[^/]+/badge\.svg"
    r"|github\.com/[^/]+/[^/]+/workflows/[^?#]+/badge\.svg|/badges/[^?#]*(?:pipeline|build)\.svg"
    r"|shields\.io/(?:circleci|appveyor|github/(?:actions/)?workflow|gitlab/pipeline)|dev\.azure\.com/.*_apis/build"
    r"|drone\.[^/]+/api/badges|semaphoreci\.com/.*badge|app\.codeship\.com/projects/.*status"
)


# ------------------------------------------------------------------------------------------- title


class _Head(NamedTuple):
    """A heading at the top of the tree, or the HTML or picture that serves as one; `level` 0 is a picture."""

    level: int
    span: Span
    block: Block


def _heads(blocks: Sequence[Block]) -> list[_Head]:
    found = []
    for block in blocks:
        if block.kind == "heading":
            span = (
                Span(block.inlines[0].start, block.inlines[-1].end)
                if block.inlines
                else Span(block.start, block.end)
            )
            found.append(_Head(block.level, span, block))
        elif not found and _serves(block) is not None:
            found.append(_Head(_serves(block) or 0, Span(block.start, block.end), block))
        elif block.kind == "html" and any(_HTML_TITLE.match(node.value) for node in _tags(block)):
            found.append(_Head(1, Span(block.start, block.end), block))
    return found


def _serves(block: Block) -> int | None:
    """The level of the heading that an HTML block or a picture before all headings is."""
    if block.kind not in ("html", "paragraph"):
        return None
    tags = [node.value for node in _tags(block)]
    if any(_HTML_TITLE.match(tag) for tag in tags):
        return 1
    if block.kind == "html" and any(_HTML_HEADING.match(tag) for tag in tags):
        return 0
    pictures = [tag for tag in tags if _PICTURE.match(tag)]
    pictures += [image.url for image in _images(block.inlines)]
    return 0 if any("badge" not in one and "shields.io" not in one for one in pictures) else None


def _tags(block: Block) -> Iterator[Html]:
    return (node for node in block.inlines if isinstance(node, Html))


def _images(inlines: Sequence[object]) -> Iterator[Link]:
    for node in inlines:
        if isinstance(node, Link):
            if node.image:
                yield node
            yield from _images(node.children)


def title(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Titles that are missing, too low, too many, or not in title case."""
    if not is_front(document, context):
        return
    heads = _heads(document.tree.blocks)
    if not heads:
        yield RawDiagnostic(Span(0, 0), {"fault": "the list has no title"})
        return
    first = heads[0]
    ones = [head for head in heads if head.level == 1]
    if first.level > 1:
        fault = f"a heading of level {first.level} stands where the title is to be"
        yield RawDiagnostic(first.span, {"fault": fault})
        return
    further = ones[1:]
    for head in further[:1]:
        counted = "a second heading" if len(further) == 1 else f"the first of {len(further)} further headings"
        values = {"fault": f"{counted} of level 1: only the title is one"}
        yield RawDiagnostic(head.span, values)
    if ones and ones[0].block.kind == "heading":
        yield from _in_title_case(ones[0])


def _in_title_case(head: _Head) -> Iterator[RawDiagnostic]:
    words = heading_text(head.block.inlines).split()
    if not any(word.lower().startswith("awesome") for word in words):
        return  # in no tongue that we know the title case of
    for at, word in enumerate(words):
        bare = word.strip("()[]\"'“”‘’,:;!?")
        if not bare[:1].islower() or (at and bare in _SMALL_WORDS) or _SMALL_NAME.fullmatch(bare):
            continue
        yield RawDiagnostic(head.span, {"fault": f"'{bare}' in the title has no capital"})
        return


# ------------------------------------------------------------------------------------------- badge


def badge(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Lists without the Awesome badge at their title, and badges that lead elsewhere."""
    if not is_front(document, context):
        return
    heads = [head for head in _heads(document.tree.blocks) if head.level <= 1][:1]
    if not heads:
        return
    outer: Link | None = None
    found: tuple[Link, Link | None] | None = None
    for link in document.links:
        if not link.image:
            outer = link
        elif _BADGE.search(link.url) or _LIKE_BADGE.search(link.url):
            found = (link, outer if outer is not None and outer.start <= link.start < outer.end else None)
            break
    if found is None:
        yield _without_badge(heads[0])
    else:
        yield from _told(document, *found)


def _without_badge(head: _Head) -> RawDiagnostic:
    edits: tuple[Edit, ...] = ()
    if head.block.kind == "heading" and head.block.inlines:
        text = f" [![Awesome]({_SOURCE})]({_HOME})"
        edits = (Edit(head.span.end, head.span.end, text, Effect(Change.REMOVED, after=text)),)
    return RawDiagnostic(head.span, {"fault": "no Awesome badge at the title"}, edits, Applicability.UNSAFE)


def _told(document: Document, image: Link, outer: Link | None) -> Iterator[RawDiagnostic]:
    """What is odd of a badge: where it leads, where it comes from, where it stands."""
    span = Span(image.start, image.end)
    if outer is None:
        edits: tuple[Edit, ...] = ()
        if image.form == "inline":
            written = document.source.text[slice(*span)]
            linked = f"[{written}]({_HOME})"
            edits = (Edit(*span, linked, Effect(Change.REMOVED, written, linked)),)
        yield RawDiagnostic(span, {"fault": "the Awesome badge leads nowhere"}, edits, Applicability.UNSAFE)
    elif not _OFFICIAL.match(outer.url):
        place = outer.destination or Span(outer.start, outer.end)
        fault = f"the Awesome badge leads to {_host(outer.url)}, not to awesome.re"
        yield RawDiagnostic(
            place, {"fault": fault}, _readdressed(document, outer, _HOME), Applicability.UNSAFE
        )
    elif "rawgit.com" in image.url:
        place = image.destination or span
        fault = "the Awesome badge comes from rawgit.com, which was shut down"
        yield RawDiagnostic(
            place, {"fault": fault}, _readdressed(document, image, _SOURCE), Applicability.UNSAFE
        )
    elif document.entries and image.start > document.entries[0].title_line.start:
        yield RawDiagnostic(span, {"fault": "the Awesome badge stands far from the title"})


def _host(url: str) -> str:
    try:
        parts = urlsplit(url)
        return f"{parts.hostname or ''}{parts.path}"[:60].rstrip("/") or "no page"
    except ValueError:
        return "no page"


def _readdressed(document: Document, link: Link, url: str) -> tuple[Edit, ...]:
    span = link.destination
    if span is None or document.source.text[span.start : span.end] != link.url:
        return ()
    return (Edit(*span, url, Effect(Change.DESTINATION, link.url, url)),)


# -------------------------------------------------------------------------------------- ci-badge


def ci_badge(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Badges of builds at the head of a list; those within entries are of the things listed."""
    if not is_front(document, context):
        return
    end = document.entries[0].span.start if document.entries else len(document.source.text)
    outer: Link | None = None
    for link in document.links:
        if link.start >= end:
            return
        if not link.image:
            outer = link
            continue
        match = _CI.search(link.url)
        if match is None:
            continue
        whole = outer if outer is not None and outer.start <= link.start < outer.end else link
        gone = match["gone"] is not None
        values = {"hint": ": travis-ci.org is gone" if gone else ""}
        severity = Severity.WARNING if gone else Severity.INFO
        yield RawDiagnostic(
            Span(whole.start, whole.end), values, _removed(document, whole), Applicability.UNSAFE, severity
        )


def _removed(document: Document, link: Link) -> tuple[Edit, ...]:
    """The edit that takes a badge away, with the blanks before it, or its line."""
    start, end = document.source.with_blanks(link.start, link.end)
    gone = document.source.text[link.start : link.end]
    return (Edit(start, end, "", Effect(Change.REMOVED, gone)),)
