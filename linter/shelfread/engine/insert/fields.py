"""Finds the fields of an entry in its text, with the brackets and marks that go with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from shelfread.core.diagnostics import Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Entry, LabelledLink
from shelfread.engine.insert.forms import REPOSITORY, SAME, Part, kinds_in
from shelfread.format.entries.title_parts import Label, label_rows, parse_label, with_venue_brackets
from shelfread.index.conventions.title_line import main_link
from shelfread.index.conventions.venue_style import find_venue_form

Found: TypeAlias = "tuple[int, int, Part]"
"""A field and where it stands."""

_BADGE = lazy(
    r"\[!\[[^\]\n]{0,200}\]\([^()\s]{0,500}\)\]\([^()\s]{0,500}\)|!\[[^\]\n]{0,200}\]\([^()\s]{0,500}\)|<img\b[^<>]{0,500}>"
)
_FILE = lazy(r"//(?:raw\.|user-images\.)?github(?:usercontent)?\.com/[^\s\"')]*\.(?:png|jpe?g|gif|svg|webp)")
"""A picture that lies in a repository; a badge is made for any."""
_OTHER = lazy(
    r"!\[[^\]\n]{0,200}\]\([^()\s]{0,500}\)|<img\b[^<>]{0,500}>|`[^`\n]{1,60}`|\[[^\[\]\n]{1,60}\](?![(\[:])"
    r"|(?P<date>(?<!\d)(?:(?P<month>(?:19|20)\d\d(?P<mark>[-/.])(?:0[1-9]|1[0-2]|[1-9])(?![-/.]?\d))"
    r"|(?:\d{1,2}(?:st|nd|rd|th)?\s)?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?,?\s(?:\d{1,2},?\s)?(?:19|20)\d\d"
    r"|(?:19|20)\d\d(?:[-/.]\d\d?){0,2})(?!\d))"
)
"""Pictures, code, words in brackets, dates."""
_ET_AL = lazy(r"(?P<place>\s?\([^()\n]{1,80}\))?(?P<others>,?\s(?:\*|_)?(?:et\.?\s?al\b\.?|and others))")
_TAIL = lazy(
    r"\s+(?:`[^`\n]{1,80}`?|\((?:\[[^\[\]\n]{0,80}\]\([^()\s]{0,300}\)[,;|\s]{0,3}){1,6}\)"
    r"|\[{1,2}[^\[\]\n]{1,80}\]{1,2}(?:\([^()\s]{0,300}\)\]?)?)\.?\s*\Z"
)
"""Code, links in parentheses, a label."""
_MOST_TAILS, _LONGEST_TAIL = 6, 800
_PAIRS = {"(": ")", "[": "]", "（": "）", "*": "*", "_": "_", "`": "`", '"': '"'}
_OPENING_TAG = lazy(r"<(b|i|u|em|ins|strong|sub|sup|code|small)>\Z")
_LONGEST_TAG = 8


def find_fields(entry: Entry, span: Span, text: str) -> list[Found] | None:
    """Return the fields of an entry within a span; None if its title is only a part of a link."""
    found: list[Found] = []
    main = main_link(entry)
    title = entry.title.span
    whole = title
    cited = _citation(entry, span, text)
    if _is_inside(title, span):
        inner: list[Found] = [(*title, Part("title"))]
        link = main.link if main is not None else None
        if link is not None:
            if link.destination is None or not (link.start <= title.start and title.end <= link.end):
                return None
            whole = Span(link.start, link.end)
            inner.append((*link.destination, Part("url")))
            if cited is not None and _is_inside(Span(*cited[:2]), Span(*link.text)):
                inner, cited = [*inner, cited], None
        found.append(_group(whole, inner, text) if link is not None else (*title, Part("title")))
    pictures = [(Span(*match.span()), match[0]) for match in _BADGE.finditer(text, span.start, span.end)]
    if cited is not None and any(_is_inside(Span(*cited[:2]), picture) for picture, _ in pictures):
        cited = None
    badges = list(_badges(entry, pictures))
    found += badges
    hidden = [whole, *(Span(*badge[:2]) for badge in badges)]
    if entry.description is not None and _is_inside(entry.description.span, span):
        description = trimmed_description(entry.description.span, text)
        if text[description.start - 1] == "`":
            return None
        hidden.append(description)
        found.append(_field("description", description, text))
    links = [
        link
        for link in entry.links
        if link is not main
        and span.start <= link.link.start < span.end
        and not any(part.start <= link.link.start < part.end for part in hidden)
    ]
    labels = sorted((parse_label(link, text) for link in links), key=lambda label: label.span)
    for label in labels:
        if cited is not None and label.link.link.start <= cited[0] < label.link.link.end:
            found += _cited_label(label, cited, text)
            labels = [other for other in labels if other is not label]
            cited = None
    if cited is not None:
        found.append(cited)
    found += _label_fields(labels, text, main)
    if entry.name is not None and _is_inside(entry.name.span, Span(span.start, whole.start)):
        found.append(_field("name", entry.name.span, text))
    people = Span(0, 0)
    if entry.authors and _is_inside(Span(entry.authors[0].span.start, entry.authors[-1].span.end), span):
        found.append(_authors(entry, span, text))
        people = Span(*found[-1][:2])
    if entry.affiliations:
        place = Span(entry.affiliations[0].span.start, entry.affiliations[-1].span.end)
        if _is_inside(place, span) and not _is_inside(place, people):
            found.append(_field("affiliations", place, text))
    return found


def trimmed_description(span: Span, text: str) -> Span:
    """Return a description without the links, labels and code behind its last sentence."""
    start, end = span
    for _ in range(_MOST_TAILS):
        tail = _TAIL.search(text, max(start + 1, end - _LONGEST_TAIL), end)
        if tail is None:
            break
        end = tail.start()
    return Span(start, end)


def literal_parts(text: str, entry: Entry, found: Iterable[Found]) -> Iterator[Part]:
    """Yield the text between fields, and dates and pictures in it: the first date is the year, if no field states it."""
    kinds = {kind for _, _, part in found for kind in kinds_in((part,))}
    stated = not kinds.isdisjoint(("year", "short_year", "citation"))
    done = 0
    for match in _OTHER.finditer(text):
        if match.start() > done:
            yield Part("text", text[done : match.start()])
        done = match.end()
        if match["month"]:
            yield Part("month", match["mark"])
        else:
            is_year = not stated and match["date"] is not None and str(entry.year) in match["date"]
            yield Part("year" if is_year else "other")
            stated = stated or is_year
    if text[done:]:
        yield Part("text", text[done:])


def _is_inside(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start < inner.end <= outer.end


def _group(span: Span, inner: Sequence[Found], text: str) -> Found:
    """Return a span as one group, with fields in it."""
    parts: list[Part] = []
    done = span.start
    for start, end, part in sorted(inner, key=lambda item: item[:2]):
        parts += [*_text(text[done:start]), part]
        done = end
    parts += _text(text[done : span.end])
    return span.start, span.end, Part("group", "", tuple(parts))


def _text(text: str) -> Iterator[Part]:
    if text:
        yield Part("text", text)


def _field(kind: str, span: Span, text: str) -> Found:
    return _group(_around(span, text), [(*span, Part(kind))], text)


def _around(span: Span, text: str) -> Span:
    """Return a span with the brackets, marks and tags that hold nothing else."""
    start, end = span
    while start and _PAIRS.get(text[start - 1]) == text[end : end + 1]:
        start, end = start - 1, end + 1
    return _with_tags(Span(start, end), text)


def _with_tags(span: Span, text: str) -> Span:
    tag = _OPENING_TAG.search(text, max(0, span.start - _LONGEST_TAG), span.start)
    if tag is None or not text.startswith(f"</{tag[1]}>", span.end):
        return span
    return Span(tag.start(), span.end + len(tag[1]) + 3)


def _authors(entry: Entry, span: Span, text: str) -> Found:
    """Return the authors with what stands for others, and with the place of the last one: it is not that of others."""
    whole = Span(entry.authors[0].span.start, entry.authors[-1].span.end)
    others = _ET_AL.match(text, whole.end, span.end)
    if others is None:
        return _field("authors", whole, text)
    whole = Span(whole.start, others.end())
    part = Part("authors", others["others"], named=len(entry.authors))
    return _group(_around(whole, text), [(*whole, part)], text)


def _citation(entry: Entry, span: Span, text: str) -> Found | None:
    """Return the venue's name and its year as fields, or the whole citation if it has another form, with its brackets."""
    cited = entry.citation
    if cited is None or not _is_inside(cited.span, span) or _is_inside(cited.span, entry.title.span):
        return None
    form = find_venue_form(entry, text)
    if cited.year is None:
        inner: list[Found] = [(*cited.span, Part("venue"))]
    elif form is None or cited.name is None:
        inner = [(*cited.span, Part("citation"))]
    else:
        year = Span(form.span.end - form.digits, form.span.end)
        inner = [
            (*cited.name.span, Part("venue")),
            (*year, Part("year" if form.digits == 4 else "short_year")),
        ]
    whole, _ = with_venue_brackets(cited.span, text)
    return _group(_with_tags(whole, text), inner, text)


def _badges(entry: Entry, pictures: Iterable[tuple[Span, str]]) -> Iterator[Found]:
    """Yield the pictures that show something of the entry's own repository."""
    own = entry.identifiers.get("github")
    for span, picture in pictures if own else ():
        if f"/{own}" in picture and not _FILE.search(picture):
            badge = picture.replace(f"/{own}", f"/{REPOSITORY}")
            yield *span, Part("group", "", (Part("badge", badge),))


def _cited_label(label: Label, cited: Found, text: str) -> Iterator[Found]:
    """Yield a label whose words are the venue: `[[OSDI 2020]](u)`."""
    link = label.link.link
    if link.destination is not None:
        role = label.link.role.id if label.link.role else "paper"
        yield _group(label.span, [cited, (*link.destination, Part("link", role))], text)


def _label_fields(labels: Sequence[Label], text: str, main: LabelledLink | None) -> Iterator[Found]:
    """Yield the labels in a row as one field; one with words before it on its line as it is written."""
    for row in label_rows(labels, text, across_lines=False):
        own = [label for label in labels if row.start <= label.span.start < row.end]
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
    return _group(span, fields, text)
