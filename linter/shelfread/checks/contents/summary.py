"""GitBook's SUMMARY.md and the pages that it lists."""

from __future__ import annotations

import os
import posixpath
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import quote, unquote

from shelfread.checks.contents.model import fold
from shelfread.core.diagnostics import Applicability, Change, Edit, Effect, RawDiagnostic, Severity
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.document.plain_text import plain_text
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Block, Link
from shelfread.project.files import SUFFIXES

_TITLES = frozenset({"summary", "tableofcontents"})
_BOOKS = ("book.json", "book.js", ".gitbook.yaml", ".gitbook.yml")
# Pages of a repository that no book has, and folders that begin with a dot or underscore.
_ASIDE = lazy(
    r"(?:.*/)?[._].*|(?:.*/)?(?:readme|summary|glossary|contributing|license|changelog|code[_-]of[_-]conduct|security|"
    r"pull_request_template|index)\.\w+",
    re.IGNORECASE,
)
_PREFIX = lazy(r"[ \t]*[-*+][ \t]+")
_SPECIAL = lazy(r"([\\`*_\[\]<>])")
_LEAST_PAGES = 5
_LEAST_TITLES = 10


class _Page(NamedTuple):
    """A page as the summary lists it: its path from the working directory, and its link."""

    path: str
    link: Link


def summary(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Pages of the book that its summary does not list, and those that it gives another title than they have."""
    path = document.source.path or ""
    folder, name = posixpath.split(path)
    if name.lower() != "summary.md":
        return
    pages = list(_pages(document, folder))
    known = [page for page in pages if page.path in context.project.facts]
    if len(known) * 2 < len(pages) or len(known) < _LEAST_PAGES or not _is_book(document, folder):
        return
    yield from _orphans(document, context, folder, known)
    yield from _titled(document, context, known)


def _is_book(document: Document, folder: str) -> bool:
    first = next((block for block in document.tree.blocks if block.kind == "heading"), None)
    if first is not None and first.level == 1 and fold(plain_text(first.inlines)) in _TITLES:
        return True
    return any(os.path.exists(posixpath.join(folder, name)) for name in _BOOKS)


def _pages(document: Document, folder: str) -> Iterator[_Page]:
    for link in document.links:
        written = unquote(link.url.partition("#")[0])
        if not link.image and "://" not in link.url and written.lower().endswith(SUFFIXES):
            yield _Page(posixpath.normpath(posixpath.join(folder, written)), link)


def _title(context: RuleContext, path: str) -> str:
    """What a page calls itself: its first heading, of level 1."""
    first = next((one for one in context.project.facts[path].landmarks if one.heading), None)
    return " ".join(first.text.split()) if first is not None and first.level == 1 else ""


# ---------------------------------------------------------------------------------------- orphans


def _orphans(
    document: Document, context: RuleContext, folder: str, known: Sequence[_Page]
) -> Iterator[RawDiagnostic]:
    listed = {page.path for page in known}
    latest = {posixpath.dirname(page.path): page for page in known}
    inside = folder + "/" if folder else ""
    orphans = [
        path
        for path in sorted(context.project.facts)
        if path not in listed
        and path.startswith(inside)
        and posixpath.dirname(path) in latest
        and not _ASIDE.fullmatch(path[len(inside) :])
    ]
    if len(orphans) * 4 > len(listed):
        return
    together: dict[_Page, list[str]] = defaultdict(list)
    for path in orphans:
        together[latest[posixpath.dirname(path)]].append(path)
    for page, paths in together.items():
        edits = _lines(document, context, page, paths, folder)
        for path in paths:
            finding = f"the summary lacks '{path[len(inside) :]}'{_named(context, path)}"
            yield RawDiagnostic(
                page.link.text, {"finding": finding}, edits, Applicability.UNSAFE, Severity.WARNING
            )


def _named(context: RuleContext, path: str) -> str:
    title = _title(context, path)
    return f" ('{title}')" if title else ""


def _lines(
    document: Document, context: RuleContext, page: _Page, paths: Sequence[str], folder: str
) -> tuple[Edit, ...]:
    """The lines of pages below that of another one, and below what is nested in it."""
    source = document.source
    line = source.line_at(page.link.start)
    prefix = source.text[source.starts[line] : page.link.start]
    item = _item_of(document.tree.blocks, page.link.start)
    if item is None or not _PREFIX.fullmatch(prefix):
        return ()
    last = source.line_at(item.end)
    at = source.starts[last] + len(source.lines[last])
    text = ""
    for path in paths:
        title = _title(context, path) or posixpath.splitext(posixpath.basename(path))[0]
        written = quote(posixpath.relpath(path, folder or "."), safe="/.-_~")
        text += f"\n{prefix}[{_SPECIAL.sub(lambda match: chr(92) + match[1], title)}]({written})"
    return (Edit(at, at, text, Effect(Change.REMOVED, "", text)),)


def _item_of(blocks: Sequence[Block], at: int) -> Block | None:
    """The innermost list item around an offset."""
    found = None
    while inner := next((block for block in blocks if block.start <= at < block.end), None):
        found = inner if inner.kind == "item" else found
        blocks = inner.blocks
    return found


# ----------------------------------------------------------------------------------------- titles


def _titled(document: Document, context: RuleContext, known: Sequence[_Page]) -> Iterator[RawDiagnostic]:
    """Pages under another title than their own, where nearly all have theirs."""
    pairs = [
        (page, plain_text(page.link.children), title)
        for page in known
        if (title := _title(context, page.path))
    ]
    differing = [(page, said, title) for page, said, title in pairs if fold(said) != fold(title)]
    if len(pairs) < _LEAST_TITLES or len(differing) * 10 > len(pairs):
        return
    for page, said, title in differing:
        if fold(said) in fold(title) or fold(title) in fold(said):
            continue
        span = page.link.text
        before = document.source.text[slice(*span)]
        edits = (Edit(*span, title, Effect(Change.WORDS, before, title)),) if before == said else ()
        values = {"finding": f"the summary says '{said}', the page '{title}'"}
        yield RawDiagnostic(span, values, edits, Applicability.UNSAFE, Severity.INFO)
