"""Links to anchors that no page of the project has."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection
from functools import cached_property
from typing import NamedTuple
from urllib.parse import quote, unquote

from shelfread.checks.link.anchor_hints import AnchoredPage, anchors_beside, is_telling
from shelfread.core.diagnostics import Applicability, Edit, RawDiagnostic, RawDiagnostics, Severity, Span
from shelfread.core.patterns import lazy
from shelfread.document.list_addresses import Address, odd_addresses
from shelfread.document.model import Document
from shelfread.document.plain_text import plain_text
from shelfread.document.unclosed import hides_headings
from shelfread.index.context import RuleContext
from shelfread.index.heading_names import fold
from shelfread.index.local_links import TEMPLATE, linked_page, visible
from shelfread.markdown.node import Link

_TOP = lazy(r"(?i)[\W_]*(?:(?:back|go|return|jump|scroll) )?(?:to (?:the )?)?top(?: of (?:the )?page)?[\W_]*")
# Anchors that GitHub adds to every page.
_BUILT_IN = lazy(
    r"(?i)top|readme|[\w-]+-ov-file|start-of-content|repo-content-\w+-container|js-repo-pjax-container|L\d+(?:C\d+)?(?:-L?\d+(?:C\d+)?)?"
    r"|fn(?:ref)?[-:]?[\w-]+|:~:.*"
)
# What all-contributors writes for a contribution that has no page.
_CONTRIBUTION = lazy(
    r"(?:a11y|audio|blog|bug|business|code|content|data|design|doc|eventOrganizing|example|financial|fundingFinding|ideas|infra"
    r"|maintenance|mentoring|platform|plugin|projectManagement|promotion|question|research|review|security|talk|test|tool|translation"
    r"|tutorial|userTesting|video)-(?P<login>[\w-]+)"
)
_PLACEHOLDER = lazy(r"(?:^|[^\\\w{])\{\w+\}")
# Lines that a template engine replaces by others, and headings that it fills in.
_GENERATED = lazy(
    r"(?m)^[ \t]*(?:\{%-?[ \t]*(?:for|include|import|block|render)\b|\{\{[^{}\n]*\}\}[ \t]*(?![^\r\n]))|^#{1,6}[ \t].*\{\{"
)
# A word of a text that a generator fills in: `{project_count} projects`. LaTeX has `_{max_len}` and `^{a_b}`.
_FILLED_IN = lazy(r"(?:^|[^\\\w{$^`])\{[a-z]+(?:_[a-z]+)+\}(?!`)")
_LEAST_FILLED_IN = 2
_FEW = 10
"""A page is a template if one of so many URLs has a placeholder."""
_MOST_FILES = 20
"""The most files with missing anchors that one file links to, beside which other files are looked at."""
_MOST_COMPARED = 10_000_000
"""The most pairs of characters of missing anchors and of all others that are compared for one file, which is slow."""


class _Hint(NamedTuple):
    """The anchor that a missing one is to be replaced by."""

    message: str
    anchor: str = ""
    is_certain: bool = False
    file: str = ""


def missing_anchor(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield links to `#x` where no heading, id or name of the page makes this anchor."""
    pages: dict[str, AnchoredPage | None] = {}
    local = (address for address in odd_addresses(document) if "://" not in address.url)
    linked = [address for address in local if "#" in address.url]
    is_unknown = bool(linked) and (_is_template(document) or hides_headings(document))
    path = document.source.path or ""
    hints = _Hints(document, context)
    for address in linked:
        url = address.url
        if is_unknown and url[0] == "#":
            continue
        file, _, fragment = url.partition("#")
        anchor = unquote(fragment)
        if not fragment or _BUILT_IN.fullmatch(anchor) or anchor[0] in "/!" or TEMPLATE.search(url):
            continue
        contribution = _CONTRIBUTION.fullmatch(anchor)
        if contribution is not None and f"github.com/{contribution['login']}" in document.source.text:
            continue
        if file not in pages:
            pages[file] = _page(file, path, document, context)
        page = pages[file]
        if page is None or page.has(anchor):
            continue
        yield _diagnostic(address, hints.find(address, anchor, page), document.source.text)


def _is_template(document: Document) -> bool:
    """Return whether a generator makes the page of this file, so that its headings are not known."""
    text = document.source.text
    if "{" not in text:
        return False
    filled_in = sum(1 for link in document.links if "{" in link.url and _PLACEHOLDER.search(link.url))
    if filled_in * _FEW > len(document.links) or (
        ("{{" in text or "{%" in text) and _GENERATED.search(text) is not None
    ):
        return True
    words = _FILLED_IN.finditer(text)
    return all(next(words, None) is not None for _ in range(_LEAST_FILLED_IN))


class _Hints:
    """What a missing anchor of a file may mean."""

    def __init__(self, document: Document, context: RuleContext) -> None:
        self.document = document
        self.context = context
        self.beside: dict[str, dict[str, str]] = {}
        self.budget = _MOST_COMPARED

    def find(self, address: Address, anchor: str, page: AnchoredPage) -> _Hint:
        """Return the best hint for a link to a page that lacks its anchor."""
        if near := page.same_letters(anchor):
            return _Hint("misspelled", near, is_certain=True)
        link = self._links.get(address.span)
        text = plain_text(link.children) if link is not None else ""
        if near := page.named(anchor, text):
            return _Hint("similar", near)
        cost = 0 if anchor in page.compared else len(anchor) * page.size
        if cost <= self.budget:
            self.budget -= cost
            if near := page.similar(anchor, self._taken(link, text, anchor)):
                return _Hint("similar", near)
        if address.url[0] == "#" and _TOP.fullmatch(text):
            return _Hint("top", "top")
        file = self._beside(address.url.partition("#")[0]).get(anchor) if is_telling(anchor) else None
        return _Hint("elsewhere", file=file) if file is not None else _Hint("missing")

    def _beside(self, written: str) -> dict[str, str]:
        path = self.document.source.path or ""
        if written not in self.beside and len(self.beside) < _MOST_FILES:
            self.beside[written] = anchors_beside(path, written, self.context)
        return self.beside.get(written, {})

    def _taken(self, link: Link | None, text: str, anchor: str) -> Collection[str]:
        """Return the anchors that other links beside a link name, if its own text names its anchor."""
        if link is None or fold(text) != fold(anchor):
            return frozenset()
        return self._named.get(self._region(link), frozenset())

    def _region(self, link: Link) -> int:
        """Return which heading a link is below."""
        return bisect_right(self._starts, link.start)

    @cached_property
    def _links(self) -> dict[Span, Link]:
        return {link.destination: link for link in self.document.links if link.destination is not None}

    @cached_property
    def _starts(self) -> list[int]:
        return [section.span.start for section in self.document.sections]

    @cached_property
    def _named(self) -> dict[int, set[str]]:
        """The anchors that are named by the text of their link, by the heading that it is below."""
        found: dict[int, set[str]] = {}
        for link in self.document.links:
            if link.url[:1] == "#" and fold(plain_text(link.children)) == fold(unquote(link.url[1:])):
                found.setdefault(self._region(link), set()).add(unquote(link.url[1:]))
        return found


def _page(file: str, path: str, document: Document, context: RuleContext) -> AnchoredPage | None:
    """Return the page that a URL without its fragment leads to; None if the project has none."""
    whole = context.project.collector(path) if not file else None
    if not file and whole is None:
        return AnchoredPage(*context.own_anchors(document))
    if whole is not None:
        return AnchoredPage(context.landmarks(whole), context.anchors(whole) or ())
    name = linked_page(file, path, context)
    anchors = context.anchors(name) if name is not None else None
    return (
        AnchoredPage(context.landmarks(name), anchors) if name is not None and anchors is not None else None
    )


def _diagnostic(address: Address, hint: _Hint, text: str) -> RawDiagnostic:
    file, _, fragment = address.url.partition("#")
    message, near = hint.message, hint.anchor
    if not near:
        values = {"target": visible(address.url), "file": hint.file}
        return RawDiagnostic(address.span, values, message=message)
    anchor = quote(near, safe="") if "%" in fragment or re.search(r"[\s()<>%\\]", near) else near
    start, end = address.span
    edit = Edit.relink(Span(end - len(fragment), end), address.url, f"{file}#{anchor}", anchor)
    differs_in_case = near.casefold() == unquote(fragment).casefold()
    values = {"target": visible(address.url), "anchor": visible(anchor)}
    edits = (edit,) if text[start:end] == address.url else ()
    applicability = Applicability.SAFE if hint.is_certain else Applicability.UNSAFE
    severity = Severity.INFO if differs_in_case else Severity.ERROR
    return RawDiagnostic(
        address.span, values, edits, applicability, severity, "case" if differs_in_case else message
    )
