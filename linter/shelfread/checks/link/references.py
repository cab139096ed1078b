"""Links to anchors and definitions that are not there, and definitions without a link."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from markdown_it.common.utils import normalizeReference

from shelfread.core.diagnostics import Edit, RawDiagnostic, RawDiagnostics, Severity, Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document
from shelfread.document.passages import Address, is_text, odd_addresses, opening
from shelfread.document.unclosed import hides_headings
from shelfread.index.context import RuleContext
from shelfread.index.pages import TEMPLATE, visible
from shelfread.markdown.node import Definition

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
# `[Oak] - Sorts books.`: what may be a link without a definition.
_IN_BRACKETS = lazy(r"(?<![\\!\]])\[([^\[\]\n^]{3,80})\](?![\[(:])")
_MOST_PAIRS = 20_000  # so many labels and texts are compared with each other
_NEARLY = 0.8  # of two texts so much is the same
_FEW = 10  # a page is a template if one of so many URLs has a placeholder


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
    words = islice(_FILLED_IN.finditer(text), _LEAST_FILLED_IN)
    return len(list(words)) == _LEAST_FILLED_IN


# What breaks an address, and what cannot be seen in one, such as the selector of a picture behind an emoji.
_ENCODED = lazy(r"[\s()<>%\\\u200b-\u200f\ufe00-\ufe0f]")


def _diagnostic(address: Address, hint: Hint, text: str) -> RawDiagnostic:
    file, _, fragment = address.url.partition("#")
    message, near = hint.message, hint.anchor
    if not near:
        values = {"target": visible(address.url), "file": hint.file}
        return RawDiagnostic(address.span, values, message=message)
    anchor = quote(near, safe="") if "%" in fragment or _ENCODED.search(near) else near
    start, end = address.span
    edit = Edit.relink(Span(end - len(fragment), end), address.url, f"{file}#{anchor}", anchor)
    differs_in_case = near.casefold() == unquote(fragment).casefold()
    values = {"target": visible(address.url), "anchor": visible(anchor)}
    edits = (edit,) if text[start:end] == address.url else ()
    severity, message = (Severity.INFO, "case") if differs_in_case else (Severity.ERROR, message)
    return RawDiagnostic(address.span, values, edits, hint.is_certain, severity, message)


LONGEST_TEXT = 300
# A year, which with or without a venue is seldom the text of a link.
_DATED = lazy(r"(?:19|20)\d\d|['’]\d\d")
_FEW_WORDS, _LEAST_DATED = 5, 3
_REFERENCE = lazy(r"\]\[([^\[\]\n]{0,200})\]")
_FOOTNOTE = lazy(r"(?<=[\w.,;:!?)*`])\[\^([\w-]{1,40})\](?![:(\[])")
_NOTE = lazy(r"[ \t>]*\[\^([\w-]{1,40})\]:")
_LETTER = lazy(r"[^\W\d_]")
# The label of a comment: `[//]: # (text)`, `[comment]: <> (text)`.
_COMMENT = lazy(r"(?i)\W*|comments?|todo|hidden|note")


def undefined_reference(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield `[text][label]` whose label has no definition, unless it is rather a pair of tags."""
    text = document.source.text
    yield from _notes(document)
    candidates = list(_REFERENCE.finditer(text))
    if not candidates:
        return
    defined = {definition.label for definition in document.tree.definitions}
    ends = {link.end for link in document.links if link.form == "reference"}
    unresolved = [match for match in candidates if match.end() not in ends]
    found = [
        reference for match in unresolved if (reference := _undefined(document, context, match, defined))
    ]
    # Where most such pairs are links, these were meant to be links too.
    for span, label in found if len(candidates) - len(unresolved) >= len(found) else ():
        yield RawDiagnostic(span, {"label": shortened(label)}, message="link")


def _notes(document: Document) -> RawDiagnostics:
    """Yield references to footnotes that have no note."""
    found = list(_FOOTNOTE.finditer(document.source.text))
    if not found:
        return
    noted = {match[1].casefold() for line in document.source.lines if (match := _NOTE.match(line))}
    for match in (match for match in found if match[1].casefold() not in noted):
        if is_text(document, match.start()) and is_text(document, match.end() - 1):
            yield RawDiagnostic(Span(*match.span()), {"label": match[0][1:-1]}, message="note")


def _undefined(
    document: Document, context: RuleContext, match: re.Match[str], defined: Collection[str]
) -> tuple[Span, str] | None:
    """Return the span and the label of a reference that is not defined; None if it is defined, or no reference."""
    text = document.source.text
    close = match.start()
    start = opening(text, close, "[]", LONGEST_TEXT)
    words = text[start + 1 : close]
    name = match[1].strip() or words
    if start < 0 or not _LETTER.search(words) or words[0] in "^@" or name[0] in "^@!":
        return None
    if normalizeReference(name) in defined or _are_tags(context, words, name):
        return None
    # `a[i][j]` is code, and several pairs in a row are tags.
    before = text[start - 1 : start] if start else " "
    if (before.isalnum() and before.isascii()) or before in "]\\_":
        return None
    if text[match.end() : match.end() + 1] in ("[", "("):
        return None
    is_picture = before == "!"
    if not (is_text(document, close, of_link=is_picture) and is_text(document, start, of_link=is_picture)):
        return None
    return Span(start - 1 if is_picture else start, match.end()), name


def _are_tags(context: RuleContext, words: str, name: str) -> bool:
    """Return whether two texts in brackets are tags: `[CVPR][2020]`, `[Paper][Code]`."""
    vocabulary, texts = context.vocabulary, (words, name)
    if any(_DATED.search(text) or vocabulary.venue(text) is not None for text in texts):
        return True
    return words != name and all(vocabulary.role(text) is not None for text in texts)


def is_dated(words: str, document: Document) -> bool:
    """Return whether a few words have a year, as no link of the list has: they are rather a venue than its text."""
    return _has_year(words) and not _links_years(document)


def _has_year(words: str) -> bool:
    return len(words.split()) <= _FEW_WORDS and _DATED.search(words) is not None


@lru_cache(maxsize=1)
def _links_years(document: Document) -> bool:
    texts = (document.source.text[slice(*link.text)] for link in document.links if link.form == "inline")
    return sum(map(_has_year, texts)) >= _LEAST_DATED


def shortened(words: str) -> str:
    """Return words as a message shows them: at most 60 characters."""
    return words if len(words) <= 60 else words[:57].rstrip() + "..."


def unused_definition(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield definitions that no link uses, a whole block of them once, and further definitions of a label."""
    if not document.tree.blocks:
        return
    line_at = document.source.line_at
    used = {link.label for link in document.links if link.form == "reference"}
    first: dict[str, Definition] = {}
    unused: dict[Definition, str] = {}
    for definition in document.tree.definitions:
        label = document.source.text[slice(*definition.text)]
        # A comment (`[//]: # (...)`), or a footnote, which is GitHub's syntax.
        if label.startswith("^") or definition.url in ("", "#") or _COMMENT.fullmatch(label):
            continue
        effective = first.setdefault(definition.label, definition)
        if effective is definition and definition.label not in used:
            unused[definition] = label
        elif effective is not definition and definition.label in used:  # else the label is reported as unused
            span, edits = Span(definition.start, definition.end), (_removal(document, definition),)
            message = "repeated" if effective.url == definition.url else "conflicting"
            values = {"label": label, "line": line_at(effective.start) + 1}
            yield RawDiagnostic(span, values, edits, safe=False, message=message)
    # A text in brackets that is spelt nearly so is the link: its URL must stay.
    texts = sorted({match[1] for match in _IN_BRACKETS.finditer(document.source.text)}) if unused else []
    if len(texts) * len(unused) > _MOST_PAIRS:
        texts = []  # so many are no slips, and comparing them all takes quadratic time
    meant = {one: found[0] for one, label in unused.items() if (found := _nearly(label, texts))}
    for one, near in meant.items():
        values = {"label": unused.pop(one), "near": near}
        yield RawDiagnostic(Span(one.start, one.end), values, message="misspelt")
    # Those in lines one below the other are one finding.
    runs: list[list[Definition]] = []
    for definition in unused:
        if runs and line_at(definition.start) == line_at(runs[-1][-1].end - 1) + 1:
            runs[-1].append(definition)
        else:
            runs.append([definition])
    for run in runs:
        span, removals = Span(run[0].start, run[0].end), tuple(_removal(document, one) for one in run)
        values = {"label": unused[run[0]], "count": len(run), "line": line_at(run[-1].start) + 1}
        message = "unused" if len(run) == 1 else "unused-block"
        yield RawDiagnostic(span, values, removals, safe=False, message=message)


def _nearly(label: str, texts: Iterable[str]) -> list[str]:
    """Return the text in brackets that a label is a misspelling of, if there is one."""
    from difflib import get_close_matches

    return get_close_matches(label, [text for text in texts if text != label], n=1, cutoff=_NEARLY)


def _removal(document: Document, definition: Definition) -> Edit:
    """Return the edit that removes a definition, with its line if nothing else is in it."""
    text = document.source.text
    start, end = definition.start, definition.end
    while start and text[start - 1] in " \t":
        start -= 1
    if start and text[start - 1] not in "\r\n":
        start = definition.start
    elif text.startswith("\r\n", end):
        end += 2
    elif text.startswith(("\n", "\r"), end):
        end += 1
    return Edit.reduce(Span(start, end), text[definition.start : definition.end])
