"""Builds entries of the kind classic: a name, usually a link, and a description."""

from __future__ import annotations

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.document.entry.entry_fields import (
    Setting,
    clean_field,
    entry_identifiers,
    entry_links,
    leading_organisations,
    title_line_span,
    unlabelled_link,
)
from shelfread.document.entry.link_labels import CONSUMED, icon_text
from shelfread.document.entry.sub_lines import SubLineFields
from shelfread.document.entry.title_line import TitleLine
from shelfread.document.model import Entry, Field, LabelledLink
from shelfread.document.plain_text import PlainText, TextRange
from shelfread.document.recognizers.organisations import find_organisations, names_organisation
from shelfread.markdown.node import Block
from shelfread.taxonomy.vocabulary import Vocabulary

_DESCRIPTION = lazy(
    r"[\s\0]*(?:\([^()]{0,200}\)(?=\s{1,9}[-–—:]))?[\s\0]*"
    r"(?:(?:[-–—－]+|:|：|\||｜|→|~)[\s\0]+|[:：]|[–—](?=\w)|,\s)?[\s\0]*"
)
# Labels in brackets or at a line's end behind a separator: `([Demo](u), [Source](v))`, ` - [Slides](u), [Video](v)`.
_LABEL_GROUP = lazy(r"[(\[](?:[\s,;/|·&•–-]*\0)+[\s,;/|·&•–-]*[)\]]")
_LABEL_TAIL = lazy(r"(?:(?<=[.!?)])|\s[-–—|,;/·&•]+)\s*\0[\s\0,;/|·&•–—-]*$")
# `Shelf is a library for books`, `Shelf: a library for books`.
_NAME_AND_SENTENCE = lazy(
    r"(?P<name>[\w.+-]+(?: [\w.+-]+){0,2}?)(?: is (?:an?|the) |: (?=[Aa]n? |[Tt]he ))(?=[a-zA-Z]\w* \w+ \w)"
)
_FIRST_WORDS = lazy(r"\s*[-–—:]\s")
# What a link in prose leads to if its host has nothing else. Other hosts have anything: code of others, people.
_TELLING_ROLES = frozenset({"paper", "video", "slides", "dataset", "demo", "model"})
_SEPARATOR = lazy(r"[\s\0]*(?:\([^()]{0,200}\)[\s\0]*)?(?:[-–—－:：|｜→~\n]|,\s)")
# A description without a separator is known by its own form: a capital, words, a full stop.
_SENTENCE = lazy(r"[A-Z]\S* (?:.* )?\S+[.!?]$")
_MARKED_SHAPES = frozenset({"linked", "strong", "emphasis", "quoted"})
_SPACED_STOPS = (" .", " ,", " ;", " :", " !", " ?")
_SPACE_BEFORE_STOP = lazy(r" (?<=\S )([.,;:!?])(?=\s|$)")


def build_classic(
    title_line: TitleLine,
    block: Block,
    setting: Setting,
    parts: tuple[LabelledLink, ...] = (),
    fields: SubLineFields | None = None,
) -> Entry:
    """Return an entry of the kind classic: a name, usually a link, and a description.

    `parts` are links below it: `- [Lecture Notes](u)`, `fields` what other lines below it state.
    """
    vocabulary = setting.vocabulary
    fields = fields or SubLineFields()
    plain = title_line.plain
    title = title_line.title or TextRange(0, 0)
    description = None
    links = entry_links(title_line, [], vocabulary)
    identifiers = entry_identifiers(links)
    if title_line.title_link is not None and links[0].role is vocabulary.roles.get("project"):
        links = (links[0]._replace(role=None), *links[1:])  # a book, a talk, a post: its host does not tell
    if title_line.title_link is not None and title_line.shape == "linked":
        title = TextRange(title_line.title_link.start, title_line.title_link.end)
        description = _description(title_line)
    elif plain.links:
        first = plain.links[0].start
        title = TextRange(title.start, min(title.end, first) if first > title.start else title.end)
        if plain.text.startswith((" - ", " – ", " — "), plain.links[-1].end):
            description = _description(title_line._replace(after_title=plain.links[-1].end))
        listed = {link.link.start for link in links}
        links += tuple(
            unlabelled_link(plain, link, vocabulary) for link in plain.links if link.link.start not in listed
        )
        identifiers = entry_identifiers(links)
    else:
        description = _description(title_line)
    links += further_links(plain, links, vocabulary) + parts
    links += tuple(LabelledLink(label.label, label.role, label.link.link) for label in fields.labels)
    if "github" not in identifiers and (repository := entry_identifiers(links).get("github")):
        identifiers["github"] = repository
    name = clean_field(plain, title)
    uncertain = set()
    if title_line.shape not in _MARKED_SHAPES and not plain.links:
        uncertain |= {"title", "name"}
    if title_line.shape != "linked" and description is None:
        name, description = _split_sentence(plain, name)
    marked = _marked_description(title_line) if description is not None else None
    if marked is not None:
        description, organisations = marked
        fields.affiliations = fields.affiliations or organisations
    if (
        description is not None
        and not _SEPARATOR.match(title_line.unread, title_line.after_title)
        and not _SENTENCE.match(description.value)
    ):
        uncertain.add("description")
    return Entry(
        kind="classic",
        dialect=setting.dialect,
        title=name,
        name=name,
        description=description,
        authors=tuple(fields.authors),
        affiliations=tuple(fields.affiliations or leading_organisations(title_line)),
        notes=tuple(fields.notes),
        links=links,
        year=title_line.year.year if title_line.year is not None and title_line.shape == "linked" else None,
        identifiers=identifiers,
        section=setting.section,
        span=Span(block.start, block.end),
        title_line=title_line_span(block),
        block=block,
        line=block.first + 1,
        end_line=block.last,
        uncertain=frozenset(uncertain),
    )


def further_links(
    plain: PlainText, links: tuple[LabelledLink, ...], vocabulary: Vocabulary
) -> tuple[LabelledLink, ...]:
    """Return the links of a line that are not among `links`. Those in prose have a role only if their text has one."""
    if len(plain.links) <= len(links):
        return ()
    listed = {link.link.start for link in links}
    further: list[LabelledLink] = []
    for link in plain.links:
        if link.link.start in listed:
            continue
        if label := " ".join(plain.text[link.start : link.end].split()):
            role = vocabulary.role(label) or vocabulary.role(_FIRST_WORDS.split(label, maxsplit=1)[0])
            if (
                role is None
                and (by_host := vocabulary.role("", link.link.url))
                and by_host.id in _TELLING_ROLES
            ):
                role = by_host
            further.append(LabelledLink(label, role, link.link))
        elif (role := vocabulary.role("", link.link.url)) and (label := icon_text(link.link)):
            further.append(LabelledLink(label, None if "awesome" in label.casefold() else role, link.link))
    return tuple(further)


def _marked_description(title_line: TitleLine) -> tuple[Field, list[Field]] | None:
    """Return what is in bold after a link, and the organisation in emphasis: `[CS 1](u) **Shelves** *Oxford*`."""
    plain, start = title_line.plain, title_line.after_title
    strong = next((mark for mark in plain.strong if mark.start >= start), None)
    emphasis = next((mark for mark in plain.emphasis if strong and mark.start >= strong.end), None)
    if strong is None or emphasis is None or plain.text[start : strong.start].strip():
        return None
    if plain.text[strong.end : emphasis.start].strip():
        return None
    organisations = find_organisations(plain, *emphasis)
    if (
        not names_organisation(plain.text[emphasis.start : emphasis.end])
        and plain.text[emphasis.end :].strip()
    ):
        return None
    return Field(" ".join(plain.text[strong.start : strong.end].split()), plain.span(*strong)), organisations


def _split_sentence(plain: PlainText, name: Field) -> tuple[Field, Field | None]:
    """Return the name and the description of `Shelf is a library for books`, `Shelf: a library for books`."""
    match = _NAME_AND_SENTENCE.match(plain.text, title := plain.text.find(name.value))
    end = title + len(name.value)
    if title < 0 or match is None or match.end() >= end:
        return name, None
    text = plain.text[match.end() : end]
    return (
        Field(match["name"], plain.span(*match.span("name"))),
        Field(text, plain.span(match.end(), end)) if len(text.split()) > 2 else None,
    )


def _description(title_line: TitleLine) -> Field | None:
    """Return a classic entry's text after the separator, as plain text without its labels."""
    unread = title_line.unread
    match = _DESCRIPTION.match(unread, title_line.after_title)
    start = match.end() if match else title_line.after_title
    end = len(unread.rstrip(" \n\0"))
    value = " ".join(_without_labels(title_line, start, end).split())
    if any(stop in value for stop in _SPACED_STOPS):
        value = _SPACE_BEFORE_STOP.sub(r"\1", value)
    value = value.replace("( ", "(").strip("\u200b\u200e\u200f ")  # where a picture stood
    is_set_apart = _SEPARATOR.match(unread, title_line.after_title) is not None
    if not any(map(str.isalpha, value)) or (
        not is_set_apart and _is_only_links(title_line.plain, start, end)
    ):
        return None
    return Field(value, title_line.plain.span(start, end))


def _is_only_links(plain: PlainText, start: int, end: int) -> bool:
    """Return whether a range of a line has no words but those of links that are set off by blanks: `[x](u) [y](v)`."""
    links = [link for link in plain.links if link.start >= start and link.end <= end]
    if not links or start != links[0].start:
        return False
    done = start
    for link in links:
        if any(map(str.isalnum, plain.text[done : link.start])):
            return False
        done = link.end
    return not any(map(str.isalnum, plain.text[done:end]))


def _without_labels(title_line: TitleLine, start: int, end: int) -> str:
    """Return a range of a line without its groups of labels. A label within a sentence is one of its words."""
    plain, unread = title_line.plain, title_line.unread
    if CONSUMED not in unread[start:end]:
        return unread[start:end]
    linked = plain.text
    for link in plain.links:
        linked = linked[: link.start] + CONSUMED * (link.end - link.start) + linked[link.end :]
    kept = list(plain.text[start:end])
    for group in _LABEL_GROUP.finditer(linked, start, end):
        if CONSUMED in unread[slice(*group.span())]:
            kept[group.start() - start : group.end() - start] = " " * len(group[0])
    tail = _LABEL_TAIL.search(linked, start, end)
    return "".join(kept[: tail.start() - start] if tail else kept)
