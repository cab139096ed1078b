"""Links to anchors that no page of the project has."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from shelfread.core.diagnostics import Applicability, Edit, RawDiagnostic, RawDiagnostics, Severity, Span
from shelfread.core.patterns import lazy
from shelfread.document.list_addresses import Address, odd_addresses
from shelfread.document.model import Document
from shelfread.document.unclosed import hides_headings
from shelfread.index.context import RuleContext
from shelfread.index.local_links import TEMPLATE, visible

if TYPE_CHECKING:
    from shelfread.checks.link.anchor_hints import Hint

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


def missing_anchor(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield links to `#x` where no heading, id or name of the page makes this anchor."""
    local = (address for address in odd_addresses(document) if "://" not in address.url)
    linked = [address for address in local if "#" in address.url]
    if not linked:
        return
    from shelfread.checks.link.anchor_hints import (  # many lists have no such links
        AnchoredPage,
        Hints,
        page_of,
    )

    pages: dict[str, AnchoredPage | None] = {}
    is_unknown = _is_template(document) or hides_headings(document)
    path = document.source.path or ""
    hints = Hints(document, context)
    ignored: list[RawDiagnostic] = []
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
            pages[file] = page_of(file, path, document, context)
        page = pages[file]
        if page is None or page.has(anchor):
            continue
        found = _diagnostic(address, hints.find(address, anchor, page), document.source.text)
        if found.message == "case":
            ignored.append(found)
        else:
            yield found
    if ignored:  # GitHub shows nothing of it, so it is said once
        edits = tuple(edit for each in ignored for edit in each.edits)
        values = {**ignored[0].values, "count": len(ignored)}
        message = "case" if len(ignored) == 1 else "cases"
        yield ignored[0]._replace(values=values, edits=edits, message=message)


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


def _diagnostic(address: Address, hint: Hint, text: str) -> RawDiagnostic:
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
