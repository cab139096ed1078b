"""Finds the fields of an entry in its text, with the brackets and marks that go with them."""

from __future__ import annotations

from shelfread.core.diagnostics import Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Entry, LabelledLink
from shelfread.format.entries.title_parts import with_venue_brackets
from shelfread.imports.insert.forms import Part
from shelfread.imports.insert.labels import find_badges, find_labels, find_pictures
from shelfread.imports.insert.people import ET_AL
from shelfread.imports.insert.spans import Found, around, field, group, is_inside, with_tags
from shelfread.index.conventions.line_style import main_link
from shelfread.index.conventions.paper_style import find_venue_form

_TAIL = lazy(
    r"\s+(?:`[^`\n]{1,80}`?|\((?:\[[^\[\]\n]{0,80}\]\([^()\s]{0,300}\)[,;|\s]{0,3}){1,6}\)"
    r"|\[{1,2}[^\[\]\n]{1,80}\]{1,2}(?:\([^()\s]{0,300}\)\]?)?)\.?\s*\Z"
)
"""Code, links in parentheses, a label."""
_MOST_TAILS, _LONGEST_TAIL = 6, 800
_LINK_END = lazy(r"\]\([^()\s]{0,300}\)")
_MOST_LINKS = 60
"""An entry with more is no model for others."""


def find_fields(entry: Entry, span: Span, text: str) -> list[Found] | None:
    """Return the fields of an entry within a span; None if its title is only a part of a link."""
    if len(entry.links) > _MOST_LINKS:
        return None
    title, main = entry.title.span, title_link(entry)
    whole = Span(main.link.start, main.link.end) if main is not None else title
    pictures = find_pictures(span, text)
    badges = list(find_badges(entry, pictures, text))
    hidden = [whole, *(Span(*badge[:2]) for badge in badges)]
    found: list[Found] = []
    description = None
    if entry.description is not None and is_inside(entry.description.span, span):
        description = trimmed_description(entry.description.span, text)
        if text[description.start - 1] == "`":
            return None
        hidden.append(description)
        found.append(field("description", description, text))
    facts = [
        fact
        for fact in (_citation(entry, span, text), _authors(entry, span, text))
        if fact is not None and not any(is_inside(Span(*fact[:2]), picture) for picture in pictures)
    ]
    if is_inside(title, span):
        if main is None:
            found.append((*title, Part("title")))
        elif main.link.destination is None or not is_inside(title, Span(*main.link.text)):
            return None
        else:
            words = main.link.text
            inner = [fact for fact in facts if is_inside(Span(*fact[:2]), words)]
            facts = [fact for fact in facts if fact not in inner]
            parts = [(*title, Part("title")), (*main.link.destination, Part("url")), *inner]
            found.append(group(whole, parts, text))
    links = [
        link
        for link in entry.links
        if link is not main
        and span.start <= link.link.start < span.end
        and not any(part.start <= link.link.start < part.end for part in hidden)
    ]
    labels, facts = find_labels(entry, links, facts, main, text)
    found += [*badges, *labels, *facts]
    if entry.name is not None and is_inside(entry.name.span, Span(span.start, whole.start)):
        found.append(field("name", entry.name.span, text))
    if entry.affiliations:
        place = Span(entry.affiliations[0].span.start, entry.affiliations[-1].span.end)
        if is_inside(place, span) and not any(is_inside(place, Span(*fact[:2])) for fact in facts):
            found.append(field("affiliations", place, text))
    return found


def title_link(entry: Entry) -> LabelledLink | None:
    """Return the link that an entry's title is, or is a part of; None if the first link is another one."""
    main = main_link(entry)
    title = entry.title.span
    if main is None or main.link.start >= title.end or main.link.end <= title.start:
        return None
    return main


def trimmed_description(span: Span, text: str) -> Span:
    """Return a description without the links, labels and code behind its last sentence."""
    start, end = span
    for _ in range(_MOST_TAILS):
        tail = _TAIL.search(text, max(start + 1, end - _LONGEST_TAIL), end)
        if tail is None:
            break
        end = tail.start()
    return Span(start, end)


def _authors(entry: Entry, span: Span, text: str) -> Found | None:
    """Return the authors with what stands for others, and with the place of the last one: it is not that of others."""
    if not entry.authors:
        return None
    whole = Span(entry.authors[0].span.start, entry.authors[-1].span.end)
    if not is_inside(whole, span):
        return None
    others = ET_AL.match(text, whole.end, span.end)
    if others is None:
        return field("authors", whole, text)
    whole = Span(whole.start, others.end())
    part = Part("authors", others["others"], named=len(entry.authors))
    return group(around(whole, text), [(*whole, part)], text)


def _citation(entry: Entry, span: Span, text: str) -> Found | None:
    """Return the venue's name and its year as fields, or the whole citation if it has another form, with its brackets."""
    cited = entry.citation
    if cited is None or not is_inside(cited.span, span) or is_inside(cited.span, entry.title.span):
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
    notes = _link_of_notes(entry, cited.span, text)
    if notes is not None:
        inner = [(*notes, group(cited.span, inner, text)[2])]
    whole, _ = with_venue_brackets(notes or cited.span, text)
    return group(with_tags(whole, text), inner, text)


def _link_of_notes(entry: Entry, cited: Span, text: str) -> Span | None:
    """Return the link of a citation that is no link of the entry, but leads to the list's own notes on the meeting."""
    end = _LINK_END.match(text, cited.end)
    if end is None or text[cited.start - 1] != "[":
        return None
    if any(link.link.text.start <= cited.start < link.link.text.end for link in entry.links):
        return None
    return Span(cited.start - 1, end.end())
