"""The list that readers open first: its title, its badges, and its table of contents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from shelfread.core.diagnostics import Edit, RawDiagnostic, RawDiagnostics, Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document
from shelfread.document.plain_text import plain_text
from shelfread.index.context import RuleContext
from shelfread.index.table_of_contents import CONTENTS, Contents, contents_of, fold
from shelfread.markdown.node import Block, Html, Link, walk_inlines

_HTML_TITLE = lazy(r"(?i)<h1[\s>]")
_HTML_HEADING = lazy(r"(?i)<h[1-6][\s>]")
_IMAGE = lazy(r"(?i)<(?:img|picture|svg)[\s>]")
_SMALL_WORDS = frozenset(
    "a an and as at but by for from in into of on or per the to up via vs with within".split()
)
_SMALL_NAME = lazy(
    r"[^\d.+#/@_:\n]*[\d.+#/@_:].*|i(?:OS|Pad|Phone).*|e?mac.*|[^A-Z\n]*[A-Z].*|npm|git|jq|zsh|vim|nginx|tmux|d3|webpack"
)


def is_front(document: Document, context: RuleContext) -> bool:
    """Return whether a file is the topmost readme with entries, or, without such a readme, has entries at all."""
    path, facts = document.source.path, context.project.facts
    if path is None or len(facts) <= 1:
        return True
    names = (name for name in facts if name.rpartition("/")[2].lower().startswith("readme"))
    readmes = [name for name in names if facts[name].entries]
    if not readmes:
        return bool(document.entries)
    return path in readmes and path.count("/") == min(name.count("/") for name in readmes)


def title_span(document: Document) -> Span:
    """Return where a finding about the whole list is reported: at its first heading, else at its start."""
    headings = (block for block in document.tree.blocks if block.kind == "heading" and block.inlines)
    return next((block.content for block in headings), Span(0, 0))


class TitleHeading(NamedTuple):
    """A heading outside of lists and quotes, or HTML or an image in its place; images have the `level` 0."""

    level: int
    span: Span
    block: Block


def title_headings(blocks: Sequence[Block]) -> list[TitleHeading]:
    """Return the headings of a list; before the first one also HTML or an image in its place."""
    found = []
    for block in blocks:
        if block.kind == "heading":
            found.append(TitleHeading(block.level, block.content, block))
        elif not found and (level := _level_in_place(block)) is not None:
            found.append(TitleHeading(level, Span(block.start, block.end), block))
        elif block.kind == "html" and any(_HTML_TITLE.match(node.value) for node in _tags(block)):
            found.append(TitleHeading(1, Span(block.start, block.end), block))
    return found


def _level_in_place(block: Block) -> int | None:
    """Return the level of the heading that HTML or an image stands for, 0 for an image, or None."""
    if block.kind not in ("html", "paragraph"):
        return None
    tags = [node.value for node in _tags(block)]
    if any(_HTML_TITLE.match(tag) for tag in tags):
        return 1
    if block.kind == "html" and any(_HTML_HEADING.match(tag) for tag in tags):
        return 0
    links = (node for node in walk_inlines(block.inlines) if isinstance(node, Link))
    images = [tag for tag in tags if _IMAGE.match(tag)] + [link.url for link in links if link.image]
    return 0 if any("badge" not in image and "shields.io" not in image for image in images) else None


def _tags(block: Block) -> Iterator[Html]:
    return (node for node in block.inlines if isinstance(node, Html))


def title(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report a title that is missing, of a lower level, not the only one, or not in title case."""
    if not is_front(document, context):
        return
    headings = title_headings(document.tree.blocks)
    if not headings:
        yield RawDiagnostic(Span(0, 0), message="missing")
        return
    if headings[0].level > 1:
        yield RawDiagnostic(headings[0].span, {"level": headings[0].level}, message="level")
        return
    titles = [heading for heading in headings if heading.level == 1]
    # More of them are the sections of the list, and one with sections of its own is a part of it.
    if len(titles) == 2 and all(head.level < 2 for head in headings[headings.index(titles[1]) + 1 :][:1]):
        yield RawDiagnostic(titles[1].span, message="second")
    if titles and titles[0].block.kind == "heading":
        yield from _lower_case_word(titles[0])


def _lower_case_word(heading: TitleHeading) -> RawDiagnostics:
    """Report the only word of an English title that is not capitalized; several show that it has small letters on purpose."""
    words = plain_text(heading.block.inlines).split()
    if not any(word.lower().startswith("awesome") for word in words):
        return  # perhaps in a language without title case
    small = []
    for index, word in enumerate(words):
        bare = word.strip("()[]\"'“”‘’,:;!?")
        if index == 0 and "-" in bare:
            return  # the name of the repository
        if not bare[:1].islower() or (index and bare in _SMALL_WORDS) or _SMALL_NAME.fullmatch(bare):
            continue
        small.append(bare)
    if len(small) == 1:
        yield RawDiagnostic(heading.span, {"word": small[0]}, message="case")


_HOME = "https://awesome.re"
_SOURCE = "https://awesome.re/badge.svg"
_BADGE = lazy(r"(?://(?:www\.)?awesome\.re/|sindresorhus/awesome[@/])[^?#]{0,200}badge")
_LIKE_BADGE = lazy(
    r"(?i)badge/-?awesome\b|awesome(?:[-_]list)?[-_](?:badge|brightgreen|blue|green)|/awesome\.svg"
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


def badge(document: Document, context: RuleContext, *, required: bool = False) -> RawDiagnostics:
    """Report Awesome badges that link elsewhere, and a title without one if it is `required`."""
    if not is_front(document, context):
        return
    title = next((head for head in title_headings(document.tree.blocks) if head.level <= 1), None)
    if title is None:
        return
    for image, outer in _badge_images(document):
        if _BADGE.search(image.url) or _LIKE_BADGE.search(image.url):
            yield from _badge_problems(document, image, outer)
            return
    if not required:
        return
    edit = Edit.insert(title.span.end, f" [![Awesome]({_SOURCE})]({_HOME})")
    edits = (edit,) if title.block.kind == "heading" and title.block.inlines else ()
    yield RawDiagnostic(title.span, {}, edits, safe=False, message="missing")


def _badge_images(document: Document) -> Iterator[tuple[Link, Link | None]]:
    outer: Link | None = None
    for link in document.links:
        if not link.image:
            outer = link
        else:
            yield link, outer if outer is not None and link.start < outer.end else None


def _badge_problems(document: Document, image: Link, outer: Link | None) -> RawDiagnostics:
    """Report a badge that is loaded from rawgit.com, has no link, or links elsewhere."""
    span, edits = Span(image.start, image.end), _relink(document, image, _SOURCE)
    if "rawgit.com" in image.url:  # what nobody sees need not be linked well
        yield RawDiagnostic(image.destination or span, {}, edits, safe=False, message="rawgit")
    elif outer is None:
        if "badge" not in image.url.lower():
            return  # it may be a logo
        written = document.source.text[slice(*span)]
        edit = Edit.extend(span, written, f"[{written}]({_HOME})")
        edits = (edit,) if image.form == "inline" else ()
        yield RawDiagnostic(span, {}, edits, safe=False, message="unlinked")
    elif not _OFFICIAL.match(outer.url):
        span, edits = outer.destination or Span(outer.start, outer.end), _relink(document, outer, _HOME)
        yield RawDiagnostic(span, {}, edits, safe=False, message="elsewhere")


def _relink(document: Document, link: Link, url: str) -> tuple[Edit, ...]:
    span = link.destination
    is_plain = span is not None and document.source.text[slice(*span)] == link.url
    return (Edit.relink(span, link.url, url),) if span and is_plain else ()


def ci_badge(document: Document, context: RuleContext, *, builds: bool = False) -> RawDiagnostics:
    """Report badges of a dead service above the first entry, and of all `builds`; those within entries are about what is listed."""
    if not is_front(document, context):
        return
    end = document.entries[0].span.start if document.entries else len(document.source.text)
    for image, outer in _badge_images(document):
        match = _CI.search(image.url) if image.start < end else None
        if match is None or not (match["gone"] or builds):
            continue
        shown = outer or image
        span = Span(shown.start, shown.end)
        removed = Span(*document.source.with_blanks(*span))
        edits = (Edit.reduce(removed, document.source.text[slice(*span)]),)
        yield RawDiagnostic(span, {}, edits, safe=False, message="gone" if match["gone"] else "build")


_NOT_LISTED = lazy(
    r"(?i)\W*(?:contribut(?:e|ing|ions?)(?: guide(?:lines)?)?|how to contribute|footnotes|licen[cs]e)\W*"
)
_MAX_LEVELS = 2


def contents(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report a table of contents that is not the first section, not one list, too deep, or lists other sections."""
    found = contents_of(document, context)
    if found is None:
        return
    headings = found.headings
    index = next((index for index, heading in enumerate(headings) if fold(heading.title) in CONTENTS), None)
    if index is None:
        return
    heading = headings[index]
    before = next((other for other in headings[1:index] if other.level <= heading.level), None)
    if before is not None:
        yield RawDiagnostic(heading.span, {"section": before.title}, message="position")
    yield from _items(document, found, heading.span.end)


def _items(document: Document, found: Contents, start: int) -> RawDiagnostics:
    parts = [part for part in found.parts if part.block.start > start]
    if len(parts) > 1 and parts[1].block.kind == "list":
        yield RawDiagnostic(parts[1].items[0].link.text, message="several")
    from shelfread.index.item_style import Writer

    writer = Writer(document.source, found)
    for part in parts:
        depths: list[int] = []
        for item in part.items:
            depths.append(depths[item.parent] + 1 if item.parent >= 0 else 1)
            if _NOT_LISTED.fullmatch(item.text):
                edits = () if part.generator else writer.removed(item)
                yield RawDiagnostic(item.link.text, {"item": item.text}, edits, safe=False, message="item")
        deep = [item for item, depth in zip(part.items, depths, strict=True) if depth > _MAX_LEVELS]
        if deep:
            yield RawDiagnostic(deep[0].link.text, {"levels": _MAX_LEVELS}, message="depth")
