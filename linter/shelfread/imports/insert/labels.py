"""Finds the labels and badges of an entry: links whose words say what they lead to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from shelfread.core.diagnostics import Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Entry, LabelledLink
from shelfread.format.entries.title_parts import Label, label_rows, parse_label
from shelfread.imports.insert.forms import REPOSITORY, SAME, Part
from shelfread.imports.insert.spans import Found, group, literal_parts, states_year

_PICTURE = lazy(
    r"\[!\[[^\]\n]{0,200}\]\([^()\s]{0,500}\)\]\([^()\s]{0,500}\)|!\[[^\]\n]{0,200}\]\([^()\s]{0,500}\)|<img\b[^<>]{0,500}>"
)
_FILE = lazy(r"//(?:raw\.|user-images\.)?github(?:usercontent)?\.com/[^\s\"')]*\.(?:png|jpe?g|gif|svg|webp)")
"""A picture that lies in a repository; a badge is made for any."""


def find_pictures(span: Span, text: str) -> list[Span]:
    """Return the pictures within a span, each with its link."""
    return [Span(*match.span()) for match in _PICTURE.finditer(text, span.start, span.end)]


def find_badges(entry: Entry, pictures: Iterable[Span], text: str) -> Iterator[Found]:
    """Yield the pictures that show something of the entry's own repository."""
    own = entry.identifiers.get("github")
    for span in pictures if own else ():
        picture = text[slice(*span)]
        if f"/{own}" in picture and not _FILE.search(picture):
            badge = picture.replace(f"/{own}", f"/{REPOSITORY}")
            yield *span, Part("group", "", (Part("badge", badge),))


def find_labels(
    entry: Entry, links: Sequence[LabelledLink], facts: Sequence[Found], main: LabelledLink | None, text: str
) -> tuple[list[Found], list[Found]]:
    """Return the labels among links as fields, and the facts, such as the venue, that are no label's words."""
    found: list[Found] = []
    others = list(facts)
    plain: list[Label] = []
    for label in sorted((parse_label(link, text) for link in links), key=lambda label: label.span):
        link = label.link.link
        inner = [fact for fact in facts if link.start <= fact[0] < link.text.end]
        if not inner:
            plain.append(label)
            continue
        others = [fact for fact in others if fact not in inner]
        found += _stating_label(label, inner, entry, text)
    return [*found, *_rows(plain, text, main)], others


def _stating_label(label: Label, facts: Sequence[Found], entry: Entry, text: str) -> Iterator[Found]:
    """Yield a label whose words are facts of the paper: `[[OSDI 2020]](u)`, `[Stone et al. (2020)](u)`."""
    link = label.link.link
    if link.destination is None:
        return
    role = label.link.role.id if label.link.role else "paper"
    parts: list[Part] = []
    done = label.span.start
    stated = states_year(facts)
    for start, end, part in sorted(
        [*facts, (*link.destination, Part("link", role))], key=lambda item: item[:2]
    ):
        if start < done:
            return
        parts += [*_between(text[done:start], entry.year, stated), part]
        done = end
    parts += _between(text[done : label.span.end], entry.year, True)
    yield *label.span, Part("group", "", tuple(parts))


def _between(text: str, year: int | None, stated: bool) -> Iterator[Part]:
    """Yield text within a label; its brackets are no words in brackets."""
    head = len(text) - len(text.lstrip("["))
    if head:
        yield Part("text", text[:head])
    yield from literal_parts(text[head:], year, stated)


def _rows(labels: Sequence[Label], text: str, main: LabelledLink | None) -> Iterator[Found]:
    """Yield the labels in a row as one field; one with a colon before it as it is written."""
    rest = iter(labels)
    label = next(rest, None)
    for row in label_rows(labels, text, across_lines=False):
        own: list[Label] = []
        while label is not None and label.span.start < row.end:
            own.append(label)
            label = next(rest, None)
        if len(own) == 1 and text[max(0, row.start - 3) : row.start].rstrip(" ").endswith((":", "：")):
            yield link_field(own[0].link, Span(own[0].link.link.start, own[0].link.link.end), text, main)
        else:
            roles = " ".join(label.link.role.id if label.link.role else "" for label in own)
            yield *row, Part("group", "", (Part("labels", roles),))


def link_field(label: LabelledLink, span: Span, text: str, main: LabelledLink | None) -> Found:
    """Return a link whose words stay: brackets around it, its label (empty if that is its URL), its URL."""
    link = label.link
    inner = text[link.text.start : link.text.end]
    edge = 1 if inner.startswith("[") and inner.endswith("]") else 0
    words = Span(link.text.start + edge, link.text.end - edge)
    role = label.role.id if label.role else ""
    if main is not None and link.url == main.link.url:
        role = SAME
    shown = text[slice(*words)]
    fields: list[Found] = [(*words, Part("label", shown if shown != link.url else "", (Part("link", role),)))]
    if link.destination is not None:
        fields.append((*link.destination, Part("link", role)))
    return group(span, fields, text)
