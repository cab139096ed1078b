"""The rule `text/proper-names`."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate

from shelfread.checks.common.styles import has_copied_descriptions
from shelfread.core.diagnostics import Edit, RawDiagnostic, RawDiagnostics, Severity, Span
from shelfread.core.folders import PACKAGE
from shelfread.core.patterns import lazy
from shelfread.core.yaml_files import load_table
from shelfread.document.model import Document
from shelfread.document.passages import entry_spans, find_text, within
from shelfread.index.context import RuleContext

# All bytes except ASCII letters become spaces.
_LETTERS = bytes(code if chr(code).isalpha() and code < 128 else 32 for code in range(256))
_DOTTED = ("Node.JS", "Node.Js", "node.JS", "Vue.JS", "Next.JS")
# What precedes a word that is part of a URL, a handle, a path or an identifier.
_JOINS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.@#:+~$\\=&?%")
_AFTER = r"(?![A-Za-z0-9_@]|\.[A-Za-z0-9])"
_PATH_BEFORE = lazy(r"([A-Za-z.]+)/$")
_PATH_AFTER = lazy(r"/([A-Za-z.]+)")
_SMALL = r"(?:windows|osx|mac|unix|bsd|python|java|rust|ruby|perl|swift|bash)"
_BETWEEN = r"(?:, (?:and |or )?| and | or | & )"
# Another word of an enumeration, which is no phrase: `css, javascript, sql`.
_ITEM = r"[a-z][a-z.+#-]{0,20}"
_NAME_BEFORE = lazy(rf"\b{_SMALL}{_BETWEEN}$|(?:[,:;.] |[(\[]){_ITEM}, (?:and |or )?$")
_NAME_AFTER = lazy(rf"{_BETWEEN}{_SMALL}\b|, (?!etc\b){_ITEM}(?:[,.;)\]](?!\w)| and | or |$)", re.MULTILINE)
_OLD_SYSTEM = lazy(r"\s(?:X|[789])\b")
_LONGEST_QUOTE = 500
_CISCO = lazy(r"cisco|junos", re.IGNORECASE)


@cache
def misspellings() -> dict[str, str]:
    """Return the right name for each misspelling."""
    table = load_table(PACKAGE / "checks" / "text" / "product_names.yaml")
    return {wrong: right for right, words in table.items() for wrong in words.split()}


@cache
def known_names() -> frozenset[str]:
    """Return all names and misspellings in lower case."""
    return frozenset(word.casefold() for pair in misspellings().items() for word in pair)


def proper_names(document: Document, context: RuleContext, *, names: Sequence[str] = ()) -> RawDiagnostics:
    """Report misspelled names in descriptions, headings and other prose."""
    text = document.source.text
    stretches = sorted(_prose(document))
    joined = "\n".join([text[start:end] for (start, end), _ in stretches])
    rights = _rights(joined, names)
    if not rights:
        return
    starts = [0, *accumulate(end - start + 1 for (start, end), _ in stretches)]
    found: dict[int, str] = {}
    copied = set[int]()
    for offset, wrong in _matches(joined, rights):
        index = bisect_right(starts, offset) - 1
        span, title = stretches[index]
        start = span.start + offset - starts[index]
        if wrong not in title:
            found[start] = wrong
            if title and has_copied_descriptions(document):
                copied.add(start)
    own_title = document.sections[0].title if document.sections else ""
    for start, wrong in sorted(found.items()):
        if _is_prose(document, start) and not _is_other(text, start, wrong):
            right = rights[wrong]
            span = Span(start, start + len(wrong))
            edit, values = Edit.reword(span, wrong, right), {"wrong": wrong, "right": right}
            # Small letters may be meant, as in a list of such names; a word alone in brackets is a label.
            is_label = text[start - 1 : start] == "[" and text[edit.end : edit.end + 1] == "]"
            is_own = wrong in own_title and right not in names  # the list calls itself so
            is_small = wrong.islower() and right not in names
            if is_small and (start in copied or _is_enumerated(text, start, start + len(wrong))):
                continue
            is_meant = is_small or is_label or is_own
            safe = not (is_meant or start in copied)  # a description is copied from GitHub again
            severity = Severity.INFO if is_meant else Severity.ERROR
            yield RawDiagnostic(span, values, (edit,), safe, severity)


def _is_enumerated(text: str, start: int, end: int) -> bool:
    """Return whether a name stands beside another word in small letters: the author writes the whole row so."""
    if text[start - 1 : start] + text[end : end + 1] == "()":
        return True  # a label
    return bool(_NAME_BEFORE.search(text, max(0, start - 40), start) or _NAME_AFTER.match(text, end))


def _prose(document: Document) -> set[tuple[Span, str]]:
    """Return the spans of the list's own prose: descriptions of classic entries, each with the entry's title, and
    headings, paragraphs and links of a table of contents, each with an empty title."""
    found = {
        (entry.description.span, entry.title.value)
        for entry in document.entries
        if entry.kind == "classic" and entry.description is not None
    }
    entries = entry_spans(document)
    papers = {entry.block.start for entry in document.entries if entry.kind == "paper" and entry.is_heading}
    is_of_paper = False  # the text below the title of a paper is its abstract
    for block in document.tree.blocks:
        if block.kind == "heading":
            is_of_paper = block.start in papers
        if is_of_paper:
            continue
        if block.kind == "heading" or (block.kind == "paragraph" and not within(entries, block.start)):
            found.add((Span(block.start, block.end), ""))
    return found | {(link.text, "") for link in document.links if link.url[:1] == "#" and not link.image}


def _rights(text: str, own: Sequence[str]) -> dict[str, str]:
    """Return the misspellings that a text has anywhere, and the right name for each; `own` are configured names."""
    words = {
        word.decode("ascii") for word in set(text.encode("utf-8", "replace").translate(_LETTERS).split())
    }
    known = misspellings()
    found = {wrong: known[wrong] for wrong in words.intersection(known)}
    found |= {wrong: f"{wrong.partition('.')[0].capitalize()}.js" for wrong in _DOTTED if wrong in text}
    for name in own:
        found = {wrong: right for wrong, right in found.items() if wrong.casefold() != name.casefold()}
    for name in own:
        spelt = re.findall(re.escape(name), text, re.IGNORECASE) if name.strip() else ()
        found |= {wrong: name for wrong in set(spelt) if wrong not in own}
    return found


def _matches(text: str, rights: Mapping[str, str]) -> Iterator[tuple[int, str]]:
    """Yield the offsets of misspellings that are whole words."""
    for wrong in rights:
        # A pattern that begins with its word is found fast, so that the character before it is checked afterwards.
        for match in re.compile(re.escape(wrong) + _AFTER).finditer(text):
            if text[match.start() - 1 : match.start()] not in _JOINS and _is_apart(text, match):
                yield match.start(), wrong


def _is_apart(text: str, match: re.Match[str]) -> bool:
    """Return whether a word is not part of a compound or path, other than names separated by slashes."""
    start, end = match.span()
    strict = match[0].islower()
    hyphens = (text[start - 1 : start], text[end : end + 1]).count("-")
    if hyphens > 1 or (strict and hyphens):
        return False  # `awesome-Github-lists` is what the repository is called
    for beside in (_PATH_BEFORE.search(text, max(0, start - 40), start), _PATH_AFTER.match(text, end)):
        if beside is not None and (strict or beside[1].strip(".").casefold() not in known_names()):
            return False
    return True


def _is_prose(document: Document, offset: int) -> bool:
    """Return whether a word is neither part of a link's text nor of a title that is quoted or emphasised."""
    position = find_text(document, offset)
    if position is None or position.emphasised:
        return False
    if position.link is not None and not position.link.url.startswith("#"):
        return False
    index = offset - position.text.start
    before = position.text.value[max(0, index - _LONGEST_QUOTE) : index]
    return before.count('"') % 2 == 0 and before.count("“") <= before.count("”")


def _is_other(text: str, offset: int, wrong: str) -> bool:
    """Return whether a word is the right name of another thing: the old Mac OS, or Cisco IOS."""
    if wrong.casefold() == "macos":
        return _OLD_SYSTEM.match(text, offset + len(wrong)) is not None
    return wrong == "IOS" and _CISCO.search(text) is not None
