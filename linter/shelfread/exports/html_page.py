"""Self-contained HTML pages: a style sheet, data, and the scripts that draw them, the only ones that the content policy allows."""

from __future__ import annotations

import json
from base64 import b64encode
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from html import escape
from itertools import takewhile
from pathlib import Path
from typing import Any

from shelfread.core.diagnostics import Severity, Span
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.entry_data import citation_and_year
from shelfread.document.identity import address_of_ids
from shelfread.document.model import Document, EntryIndex, Field
from shelfread.document.plain_text import plain_text
from shelfread.document.recognizers.people import has_others
from shelfread.document.recognizers.venues import short_label, workshop_of
from shelfread.exports.cited_work import plain, tells_nothing, upright
from shelfread.exports.shown_lists import PageContent, ShownList, folder_of_lists, title_of_lists
from shelfread.index.answers import LinkRecord, Verdict
from shelfread.links.verdicts import date_of
from shelfread.mapping.proposals import main_list
from shelfread.markdown.node import Link, walk_blocks
from shelfread.markdown.parse import parse
from shelfread.report.rendering import printable, without_unsafe
from shelfread.taxonomy.hosts import key_of

_FOLDER = Path(__file__).parent / "assets"
# Notes of their entries are cells with the names of their columns.
_TABLES = ("table-row", "html-table")
# So many words of a paragraph say what a list is; badges and links to other languages have fewer.
_FEWEST_WORDS = 4
_CHINESE = lazy(r"[\u3040-\u30ff\u3400-\u9fff，、]{8,}")  # or Japanese: words without blanks between them
_LONGEST_ABOUT = 240
_SENTENCE = lazy(r".{8,}?(?:[。！？]|(?<=.{20})[.!?](?=\s|$))")
_BEFORE_STOP = lazy(r" (?=[.,;:!?](?:\s|$))")  # the blank before a symbol that has no text
_PLACE = lazy(r"\{\{(\w+)\}\}")
# Within a script element no text may look like its end, nor like a comment.
_ESCAPES = str.maketrans({char: f"\\u{ord(char):04x}" for char in "<>&"})


def fill(body: Path, title: str, data: Any, script: Path, styles: Sequence[Path] = ()) -> str:
    """Return a page as HTML, its generator named by the body's file; `script` and `styles` come after the common ones."""
    style = _joined([_FOLDER / "page.css", *styles])
    code = _joined([_FOLDER / "elements.js", script])
    shown = escape("".join(char for char in title if char.isprintable()))
    text = without_unsafe(json.dumps(data, ensure_ascii=False, separators=(",", ":"))).translate(_ESCAPES)
    parts = {
        "kind": body.stem,
        "policy": f"default-src 'none'; script-src {_hash(code)}; style-src {_hash(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'",
        "title": shown,
        "style": style,
        "body": body.read_text("utf-8").replace("{{title}}", shown),
        "data": text,
        "script": code,
    }
    return _PLACE.sub(lambda match: parts[match[1]], (_FOLDER / "frame.html").read_text("utf-8"))


def _joined(files: Sequence[Path]) -> str:
    return "".join(file.read_text("utf-8") for file in files)


def _hash(text: str) -> str:
    """Return the source expression of an inline element (https://www.w3.org/TR/CSP3/#grammardef-hash-source)."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _page_data(content: PageContent) -> dict[str, Any]:
    """Return the data of a page. Keys whose value is empty are left out; lists are named by their index."""
    sections: dict[tuple[str, ...], int] = {}
    entries: list[dict[str, Any]] = []
    others: list[dict[str, Any]] = []
    for number, shown in enumerate(content.lists):
        of_entry, outside = _findings(shown)
        others += [{"list": number, **finding} for finding in outside]
        entries += [{"list": number, **data} for data in _entries(shown, of_entry, content.records, sections)]
    title = title_of_lists(shown.document for shown in content.lists) or "Nothing listed"
    return {
        "title": title,
        "about": _about(content, title),
        "repository": content.repository,
        "feed": content.feed,
        "venues": _venues(content),
        "lists": [printable(shown.document.source.path or "") for shown in content.lists],
        "sections": [list(path) for path in sections],
        "entries": entries,
        "findings": others,
    }


def _about(content: PageContent, title: str) -> str:
    documents = [shown.document for shown in content.lists]
    document = main_list(documents)
    if document is None or not folder_of_lists(documents)[1]:
        return ""
    start = next((section.span.end for section in document.sections if section.title == title), 0)
    end = min((entry.span.start for entry in document.entries if entry.span.start > start), default=start)
    for block in document.tree.blocks:
        if block.start >= end:
            break
        if block.start < start:
            continue
        inner = block.blocks[0] if block.kind == "quote" and block.blocks else block
        text = plain_text(inner.inlines) if inner.kind == "paragraph" else ""
        if len(text.split()) >= _FEWEST_WORDS or _CHINESE.search(text):
            text = _BEFORE_STOP.sub("", text)
            sentence = _SENTENCE.match(text)
            return _cut_between_words(sentence[0] if sentence else text)
    return ""


def _cut_between_words(text: str) -> str:
    if len(text) <= _LONGEST_ABOUT:
        return text
    cut = text[: _LONGEST_ABOUT - 2]
    words = cut.rpartition(" ")[0]
    return (words if 2 * len(words) > len(cut) else cut[:-1]).rstrip(" ,;:-–—(，、（") + "..."


def _venues(content: PageContent) -> dict[str, dict[str, str]]:
    return {
        label: {"kind": venue.kind, "name": f"{'Findings of ' * (label != venue.label)}{venue.name}"}
        for shown in content.lists
        for entry in shown.document.entries
        if (citation := citation_and_year(entry, shown.document)[0]) is not None
        and (venue := citation.venue) is not None
        and (label := short_label(citation.text, venue, entry.identifiers))
    }


def _entries(
    shown: ShownList,
    findings: Mapping[Span, Sequence[dict[str, Any]]],
    records: Mapping[str, LinkRecord],
    sections: dict[tuple[str, ...], int],
) -> Iterator[dict[str, Any]]:
    document = shown.document
    for entry in document.entries:
        citation, year = citation_and_year(entry, document)
        path = document.sections[entry.section].path if entry.section is not None else ()
        known = citation.venue if citation else None
        venue = citation.name.value if citation and citation.name else None
        if citation is not None and known is not None:
            venue = short_label(citation.text, known, entry.identifiers)
        labels: dict[str, str] = {}
        for link in entry.links:
            said = link.role.label if link.role and tells_nothing(link.label) else link.label
            labels.setdefault(link.link.url or "", said)
        for note in entry.notes:
            for inner in _links_in(document, note.span):
                labels.setdefault(inner.url, plain_text(inner.children))
        links = [_link(label, url, records) for url, label in labels.items() if url]
        if not links and (url := address_of_ids(entry.identifiers)):
            links = [{"label": "Paper", "url": url}]
        data = {
            "line": entry.line,
            "paper": entry.kind == "paper" or None,
            "title": entry.title.value,
            "name": entry.name.value if entry.name and entry.name.value != entry.title.value else None,
            "text": entry.description.value if entry.description else None,
            "authors": [upright(plain(author.value)) for author in entry.authors],
            "others": has_others(entry.authors, document.source.text) or None,
            "groups": [plain(group.value) for group in entry.affiliations],
            "notes": [note.value for note in entry.notes] if entry.dialect in _TABLES else None,
            "remarks": None if entry.dialect in _TABLES else list(map(_remark, entry.notes)),
            "venue": venue,
            "workshop": plain(workshop_of(citation.text, known)) if citation and known else None,
            "year": year,
            "section": sections.setdefault(path, len(sections)) if path else None,
            "links": links,
            "findings": findings.get(entry.span, ()),
        }
        yield {key: value for key, value in data.items() if value not in (None, "", [], ())}


def _remark(note: Field) -> str:
    """Return the beginning of a note of any length as it is shown, without its Markdown."""
    blocks = walk_blocks(parse(Source(note.value)).blocks)
    return _cut_between_words(" ".join(filter(None, (plain_text(block.inlines) for block in blocks))))


def _links_in(document: Document, span: Span) -> Iterator[Link]:
    """Yield the links to the web within a span."""
    at = bisect_left(document.links, span.start, key=lambda link: link.start)
    for link in takewhile(lambda link: link.start < span.end, document.links[at:]):
        if not link.image and key_of(link.url) is not None:
            yield link


def _link(label: str, url: str, records: Mapping[str, LinkRecord]) -> dict[str, Any]:
    data = {"label": label, "url": url}
    record = records.get(key_of(url) or "")
    if record is None or record.verdict is Verdict.ALIVE:
        return data if record is None else {**data, "health": "alive"}
    why = f"{record.reason}, checked on {date_of(record.checked_at)}"
    return {**data, "health": record.verdict.value, "why": why}


def _findings(shown: ShownList) -> tuple[dict[Span, list[dict[str, Any]]], list[dict[str, Any]]]:
    """Return the findings in each entry, by its span, and those outside entries; infos are left out."""
    inside: dict[Span, list[dict[str, Any]]] = {}
    index = EntryIndex(shown.document.entries)
    outside: list[dict[str, Any]] = []
    for diagnostic in shown.diagnostics:
        if diagnostic.severity is Severity.INFO:
            continue
        entry = index.around(diagnostic.span)
        target = outside if entry is None else inside.setdefault(entry.span, [])
        target.append(
            {
                "rule": diagnostic.rule,
                "severity": diagnostic.severity.label,
                "message": diagnostic.message,
                "line": shown.document.source.position(diagnostic.span.start)[0],
            }
        )
    return inside, outside


def list_page(content: PageContent) -> str:
    """Return the page of lists as HTML; it needs no other file and sends no request."""
    data = _page_data(content)
    return fill(_FOLDER / "page.html", data["title"], data, _FOLDER / "page.js", [_FOLDER / "entries.css"])
