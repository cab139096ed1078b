"""Check that a text shows the same page as before, to CommonMark and to GitHub, which differ in rare texts.

The HTML of markdown-it-py is made from its tokens alone, so equal tokens are an equal page. The tokens of a line
depend only on its content and on the definitions, so lines are read only where their content differs. For GitHub the
HTML is compared that its own parser makes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from cmarkgfm.cmark import Options, markdown_to_html_with_extensions
from markdown_it import MarkdownIt
from markdown_it.token import Token

from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.markdown.parse import find_front_matter

_INLINE = ("inline",)
_GITHUB_EXTENSIONS = ["table", "strikethrough", "autolink", "tasklist"]
_POSITION = lazy(r' data-sourcepos="(\d+):\d+-(\d+):(\d+)"')


class Part(NamedTuple):
    """What a top-level block shows: lines `first` to `last` of the text, the one behind the block."""

    first: int
    last: int
    blocks: list[tuple[Any, ...]]  # its blocks without positions and markers
    contents: list[str]  # the text of each block that has one, not parsed yet


class GithubPart(NamedTuple):
    """The HTML that GitHub makes of lines `first` to `last`, the one behind them."""

    first: int
    last: int
    html: str


class Page(NamedTuple):
    """What a text shows."""

    front_matter: list[str]
    parts: list[Part]  # the blocks that CommonMark reads
    github: list[GithubPart]  # what GitHub shows
    env: dict[str, Any]  # the definitions, used or not; their lines count from the front matter's end


def read_page(text: str) -> Page:
    """Return what a text shows, with the tables and the strikethrough of GitHub."""
    source = Source(text)
    front = find_front_matter(source)
    env: dict[str, Any] = {}
    tokens: list[Token] = []
    parser = _parser()
    lines = source.lines[front:]
    # A missing newline at the end does not show.
    shown = "\n".join([*lines, ""] if lines and lines[-1] else lines)
    parser.block.parse(shown.replace("\0", "\ufffd"), parser, env, tokens)
    parts: list[Part] = []
    for token in tokens:
        if token.level == 0 and token.map is not None:
            parts.append(Part(front + token.map[0], front + token.map[1], [], []))
        if token.type == "inline":
            parts[-1].contents.append(token.content)
        parts[-1].blocks.append(_INLINE if token.type == "inline" else _shown(token))
    return Page(source.lines[:front], parts, list(_github_parts(shown, front, len(source.lines))), env)


def _github_parts(text: str, first: int, last: int) -> Iterator[GithubPart]:
    """Yield what GitHub makes of the top-level blocks on some lines; raw HTML, which has no line, belongs to the block above."""
    options = Options.CMARK_OPT_SOURCEPOS | Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_FOOTNOTES
    html = markdown_to_html_with_extensions(text, options, _GITHUB_EXTENSIONS)
    begins, offset, end = first, 0, 0
    for match in _POSITION.finditer(html):
        start = int(match[1])
        if start > end:
            at = html.rindex("<", 0, match.start())
            if at > offset:
                yield GithubPart(begins, first + start - 1, _POSITION.sub("", html[offset:at]))
            begins, offset = first + start - 1, at
            # Column 0: the block ends with the line above. An underlined heading says that it ends further down.
            end = start if html[at + 1] in "hp" else int(match[2]) - (match[3] == "0")
    if html[offset:]:
        yield GithubPart(begins, last, _POSITION.sub("", html[offset:]))


def is_same_page(before: Page, after: Page) -> bool:
    """Return whether the syntax trees, the HTML and the definitions are the same."""
    return (
        _definitions(before) == _definitions(after)
        and before.front_matter == after.front_matter
        and "".join(part.html for part in before.github) == "".join(part.html for part in after.github)
        and len(before.parts) == len(after.parts)
        and all(_is_same_part(*pair, before, after) for pair in zip(before.parts, after.parts, strict=True))
    )


def find_changed_places(before: Page, after: Page, origins: Sequence[int]) -> list[range]:
    """Return the lines of the text before of which something else is shown; `origins` of the lines after are such.

    What changes a block may change all below it too, so of places that overlap only the first block is returned. A
    definition is no place.
    """
    old_places: list[range] = []
    places: list[range] = []
    sides: Sequence[tuple[Sequence[Part | GithubPart], Sequence[Part | GithubPart]]]
    sides = (before.parts, after.parts), (before.github, after.github)
    for old_parts, new_parts in sides:
        old = {part.first: part for part in old_parts}
        new = {origins[part.first]: part for part in new_parts if part.first < len(origins)}
        for first, part in old.items():
            if first not in new or not _is_same_part(part, new[first], before, after):
                old_places.append(range(first, part.last))
        for first, part in new.items():
            if first not in old or not _is_same_part(old[first], part, before, after):
                last = origins[min(part.last, len(origins)) - 1]
                places.append(range(first, last + 1))
    return list(_first_of_each(old_places, places))


def _first_of_each(blocks: Sequence[range], others: Sequence[range]) -> Iterator[range]:
    """Yield of places that overlap the first block; the first of all if none is a block."""
    chosen: tuple[range, bool] | None = None
    reach = 0
    places = [(place, True) for place in blocks] + [(place, False) for place in others]
    for place, is_block in sorted(places, key=lambda found: (found[0].start, not found[1])):
        if chosen is None or place.start >= reach:
            if chosen is not None:
                yield chosen[0]
            chosen = place, is_block
        elif is_block and not chosen[1]:
            chosen = place, is_block
        reach = max(reach, place.stop)
    if chosen is not None:
        yield chosen[0]


def _definitions(page: Page) -> dict[str, tuple[str, str]]:
    """Return URL and title of each label."""
    references = page.env.get("references", {})
    return {label: (reference["href"], reference["title"]) for label, reference in references.items()}


def _is_same_part(old: Part | GithubPart, new: Part | GithubPart, before: Page, after: Page) -> bool:
    """Return whether two blocks show the same."""
    if isinstance(old, Part) and isinstance(new, Part):
        return old.blocks == new.blocks and _is_same_text(old.contents, new.contents, before.env, after.env)
    return old[2:] == new[2:]


def _is_same_text(
    before: Sequence[str], after: Sequence[str], old_env: dict[str, Any], new_env: dict[str, Any]
) -> bool:
    return len(before) == len(after) and all(
        old == new or _parse_inline(old, old_env) == _parse_inline(new, new_env)
        for old, new in zip(before, after, strict=True)
    )


def _parse_inline(content: str, env: dict[str, Any]) -> list[tuple[Any, ...]]:
    return _tree(_parser().parseInline(content, env)[0].children or ())


def _tree(tokens: Sequence[Token]) -> list[tuple[Any, ...]]:
    return [(*_shown(token), token.children and _tree(token.children)) for token in tokens]


def _shown(token: Token) -> tuple[Any, ...]:
    """Return a token without position and markup, as an item's number; an image's text is its children."""
    info = "" if token.type == "list_item_open" else token.info
    content = "" if token.type == "image" else token.content
    return token.type, token.tag, token.hidden, token.attrs, info, content


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": 100}).enable(["table", "strikethrough"])
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    return parser
