"""The list that readers open first, and its title."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from shelfread.core.diagnostics import RawDiagnostic, RawDiagnostics, Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document
from shelfread.index.anchors import heading_text
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Block, Html, Link

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
    for block in document.tree.blocks:
        if block.kind == "heading" and block.inlines:
            return Span(block.inlines[0].start, block.inlines[-1].end)
    return Span(0, 0)


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
            inlines = block.inlines or (block,)
            found.append(TitleHeading(block.level, Span(inlines[0].start, inlines[-1].end), block))
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
    images = [tag for tag in tags if _IMAGE.match(tag)] + [image.url for image in _images(block.inlines)]
    return 0 if any("badge" not in image and "shields.io" not in image for image in images) else None


def _tags(block: Block) -> Iterator[Html]:
    return (node for node in block.inlines if isinstance(node, Html))


def _images(inlines: Sequence[object]) -> Iterator[Link]:
    for node in inlines:
        if isinstance(node, Link):
            if node.image:
                yield node
            yield from _images(node.children)


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
    if len(titles) > 1:
        message = "second" if len(titles) == 2 else "several"
        yield RawDiagnostic(titles[1].span, {"count": len(titles) - 1}, message=message)
    if titles and titles[0].block.kind == "heading":
        yield from _lower_case_word(titles[0])


def _lower_case_word(heading: TitleHeading) -> RawDiagnostics:
    """Report the first word of an English title that is not capitalized."""
    words = heading_text(heading.block.inlines).split()
    if not any(word.lower().startswith("awesome") for word in words):
        return  # perhaps in a language without title case
    for index, word in enumerate(words):
        bare = word.strip("()[]\"'“”‘’,:;!?")
        if not bare[:1].islower() or (index and bare in _SMALL_WORDS) or _SMALL_NAME.fullmatch(bare):
            continue
        yield RawDiagnostic(heading.span, {"word": bare}, message="case")
        return
