"""A table of contents that differs from the headings of its page, or GitBook's SUMMARY.md from the pages of its book."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from urllib.parse import unquote

from shelfread.core.diagnostics import RawDiagnostic, RawDiagnostics, Severity
from shelfread.core.patterns import lazy
from shelfread.document.file_kind import SUFFIXES
from shelfread.document.model import Document
from shelfread.document.plain_text import plain_text
from shelfread.document.unclosed import hides_headings
from shelfread.index.context import RuleContext
from shelfread.index.table_of_contents import contents_of, fold
from shelfread.markdown.node import Link

_TITLES = frozenset({"summary", "tableofcontents"})
_BOOKS = ("book.json", "book.js", ".gitbook.yaml", ".gitbook.yml")
# Pages for contributors and readers of the repository, and folders whose name begins with `.` or `_`.
_NOT_IN_BOOK = lazy(
    r"(?i)(?:.*/)?[._].*|(?:.*/)?(?:readme|summary|glossary|contributing|license|changelog|code[_-]of[_-]conduct|security|"
    r"pull_request_template|index)\.\w+"
)
_LEAST_PAGES = 5


def sync(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield headings that the table of contents omits, and items with a wrong target, place or wording."""
    contents = contents_of(document, context)
    if contents is not None and not hides_headings(document):
        # Modules that a list without contents does not need.
        from shelfread.checks.contents.differences import differences
        from shelfread.checks.contents.listing import ListedHeadings

        yield from differences(ListedHeadings(document, contents))


def summary(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield pages of a book that its SUMMARY.md does not list."""
    path = document.source.path or ""
    folder, name = posixpath.split(path)
    if name.lower() != "summary.md":
        return
    pages = list(_pages(document, folder))
    known = [(path, link) for path, link in pages if context.has_file(path)]
    if len(known) * 2 < len(pages) or len(known) < _LEAST_PAGES or not _is_book(document, context, folder):
        return
    yield from _unlisted(context, folder, known)


def _is_book(document: Document, context: RuleContext, folder: str) -> bool:
    first = next((block for block in document.tree.blocks if block.kind == "heading"), None)
    if first is not None and first.level == 1 and fold(plain_text(first.inlines)) in _TITLES:
        return True
    return any(context.disk.is_file(posixpath.join(folder, name)) for name in _BOOKS)


def _pages(document: Document, folder: str) -> Iterator[tuple[str, Link]]:
    """Yield the pages that a summary lists: the path from the working directory, and the link."""
    for link in document.links:
        written = unquote(link.url.partition("#")[0])
        if not link.image and "://" not in link.url and written.lower().endswith(SUFFIXES):
            yield posixpath.normpath(posixpath.join(folder, written)), link


def _unlisted(context: RuleContext, folder: str, known: list[tuple[str, Link]]) -> RawDiagnostics:
    """Yield pages in the folders of listed ones that are not listed, if these are at most one in five."""
    listed = {path for path, _ in known}
    last_listed = {posixpath.dirname(path): link for path, link in known}
    prefix = folder + "/" if folder else ""
    unlisted = [
        path
        for path in sorted(context.project.facts)
        if path not in listed
        and path.startswith(prefix)
        and posixpath.dirname(path) in last_listed
        and not _NOT_IN_BOOK.fullmatch(path[len(prefix) :])
    ]
    if len(unlisted) * 4 > len(listed):
        return
    for path in unlisted:
        link, values = last_listed[posixpath.dirname(path)], {"page": path[len(prefix) :]}
        yield RawDiagnostic(link.text, values, severity=Severity.WARNING)
