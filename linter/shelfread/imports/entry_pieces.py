"""Finds the parts of an entry in its text: fields with the brackets and marks that go with them, labels, badges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.document.identity import identify
from shelfread.document.model import Entry, Field, LabelledLink
from shelfread.document.recognizers.venues import PART
from shelfread.format.house_style import ANY_LINK
from shelfread.format.title_parts import Label, label_rows, parse_label, with_venue_brackets
from shelfread.imports.entry_form import (
    ADDRESS,
    ANY,
    CALLS,
    DEFINED,
    ET_AL,
    IDENTIFIER,
    FormPart,
    Piece,
    bracketed,
    group,
    is_inside,
    literal,
    literal_parts,
    short_address,
    states_year,
)
from shelfread.index.line_style import main_link
from shelfread.markdown.node import Link
from shelfread.taxonomy.hosts import host_of, registrable

_ACRONYM = lazy(r"\s?[(（](?P<acronym>[A-Z][\w&-]{1,11})[)）]")  # behind the full name of a venue
# Behind the name of a venue, before its year.
_WORDS = lazy(r"(?:[\s,–-]{0,2}[(\[]?[^\W\d_][^\W_]*[)\]]?){1,6}")
_PRAISE = lazy(r"(?i)oral|poster|spotlight|highlight|award")
_GOES_ON = (",", ":", ";", ")", "：", "，")  # behind `et al.` they show that its stop ends no sentence
_MARK = lazy(r"([*_`])\1{0,2}")
_LAST_MARK = lazy(r"([*_`])\1{0,2}$")
_LONGEST_CALL = 24  # of the word before a link, with its colon
_MOST_LINKS = 60  # an entry with more is no model for others
_PICTURE = lazy(
    r"\[!\[[^\]\n]{0,200}\]\([^()\s]{0,500}\)\]\([^()\s]{0,500}\)|!\[[^\]\n]{0,200}\]\([^()\s]{0,500}\)|<img\b[^<>]{0,500}>"
)
# A picture that lies in a repository; a badge is made for any.
_FILE = lazy(r"//(?:raw\.|user-images\.)?github(?:usercontent)?\.com/[^\s\"')]*\.(?:png|jpe?g|gif|svg|webp)")


def find_pieces(entry: Entry, span: Span, text: str) -> list[Piece] | None:
    """Return the fields of an entry within a span in order; None if its title is only a part of a link."""
    if len(entry.links) > _MOST_LINKS:
        return None
    title, main = entry.title.span, main_link(entry)
    whole = Span(main.link.start, main.link.end) if main is not None else title
    pictures = [Span(*match.span()) for match in _PICTURE.finditer(text, span.start, span.end)]
    pieces = list(_badges(entry, pictures, text))
    hidden = [whole, *(badge.span for badge in pieces)]
    if entry.description is not None and is_inside(entry.description.span, span):
        description = _with_marks(entry.description.span, text)
        hidden.append(description)
        pieces.append(Piece(description, FormPart("description")))
    facts = [
        fact
        for fact in (_citation(entry, span, text), _authors(entry, span, text), _doi(entry, span, text))
        if fact is not None and not any(is_inside(fact.span, picture) for picture in pictures)
    ]
    if is_inside(title, span):
        if main is None:
            pieces.append(Piece(title, FormPart("title")))
        elif not is_inside(title, main.link.text):
            return None
        else:
            inner = [fact for fact in facts if is_inside(fact.span, main.link.text)]
            facts = [fact for fact in facts if fact not in inner]
            if not states_year([*inner, *facts]):
                inner += _year(entry, Span(title.end, main.link.text.end), text)
            pieces.append(_linked(main.link, [Piece(title, FormPart("title")), *inner], text))
    links = [
        link
        for link in entry.links
        if link is not main
        and span.start <= link.link.start < span.end
        and not any(part.start <= link.link.start < part.end for part in hidden)
    ]
    pieces += _labels(entry, links, facts, text)
    if entry.name is not None and is_inside(entry.name.span, Span(span.start, min(whole.start, span.end))):
        pieces.append(Piece(entry.name.span, FormPart("name")))
    if entry.affiliations:
        place = Span(entry.affiliations[0].span.start, entry.affiliations[-1].span.end)
        if is_inside(place, span) and not any(is_inside(place, fact.span) for fact in facts):
            pieces.append(Piece(place, FormPart("affiliations")))
    pieces += [
        Piece(note.span, FormPart("other"))
        for note in entry.notes
        if is_inside(note.span, span)
        and text[note.span.start - 1] != "`"  # tags are told by their marks
        and not any(piece.span.start < note.span.end and note.span.start < piece.span.end for piece in pieces)
    ]
    return sorted(pieces, key=lambda piece: piece.span)


def _with_marks(span: Span, text: str) -> Span:
    """Return the span of a text with the marks at its ends that pair with one inside: `**Old.** Sorts books *(Open)*`."""
    inner = {match[0] for match in _MARK.finditer(text, *span)}
    before = _LAST_MARK.search(text, max(0, span.start - 3), span.start)
    behind = _MARK.match(text, span.end)
    return Span(
        before.start() if before is not None and before[0] in inner else span.start,
        behind.end() if behind is not None and behind[0] in inner else span.end,
    )


def _linked(link: Link, inner: Sequence[Piece], text: str) -> Piece:
    """Return a linked title with what else is in the link; one whose definition has another name stands for an inline link."""
    whole = Span(link.start, link.end)
    if link.destination is not None:
        return group(whole, [*inner, Piece(link.destination, FormPart("url"))], text)
    end = link.text.end
    if text[end : link.end] in ("]", "][]"):
        return group(whole, [*inner, Piece(Span(end, end), FormPart("url", DEFINED))], text)
    words = group(Span(link.start, end), inner, text).part.parts
    url = (FormPart("text", "]("), FormPart("url"), FormPart("text", ")"))
    return Piece(whole, FormPart("group", "", (*words, *url)))


def _authors(entry: Entry, span: Span, text: str) -> Piece | None:
    """Return the authors with what stands for others, and with the place of the last one: it is not that of others."""
    if not entry.authors:
        return None
    whole = Span(entry.authors[0].span.start, entry.authors[-1].span.end)
    if not is_inside(whole, span):
        return None
    others = ET_AL.match(text, whole.end, span.end)
    turned = sum(1 for _ in takewhile(lambda author: "," in author.value, entry.authors[:2]))
    if others is None:
        return Piece(whole, FormPart("authors", turned=turned))
    whole = Span(whole.start, others.end())
    follows = text[whole.end : span.end].lstrip()
    is_end = follows[:1] not in ("", *_GOES_ON) and others["others"].endswith(".")
    stop = (FormPart("text", "."),) if is_end else ()
    return Piece(whole, FormPart("authors", others["others"], stop, len(entry.authors), turned))


def _doi(entry: Entry, span: Span, text: str) -> Piece | None:
    """Return the DOI that is written out."""
    doi = entry.identifiers.get("doi", "")
    at = text.find(doi, span.start, span.end) if doi else -1
    if at < 0 or any(each.link.start <= at < each.link.end for each in entry.links):
        return None
    return Piece(Span(at, at + len(doi)), FormPart("doi"))


def _year(entry: Entry, span: Span, text: str) -> Iterator[Piece]:
    """Yield the year of an entry within a span, with its brackets: `[Tidy Shelves (2007)](u)`."""
    at = text.find(str(entry.year), *span) if entry.year is not None else -1
    if at >= 0:
        year = Span(at, at + len(str(entry.year)))
        yield group(with_venue_brackets(year, text)[0], [Piece(year, FormPart("year"))], text)


def _citation(entry: Entry, span: Span, text: str) -> Piece | None:
    """Return the venue's name and its year as fields, or the whole citation if it has another form, with its brackets."""
    cited = entry.citation
    if cited is None or not is_inside(cited.span, span) or is_inside(cited.span, entry.title.span):
        return None
    whole, name, year = cited.span, cited.name, cited.year_span(text)
    if year is None:
        inner = [*_preprint(entry, whole, name, text)] or [Piece(whole, FormPart("venue"))]
    elif (
        name is None
        or text[max(name.span.end, year.end) : whole.end].strip(")）]")
        or (name.span.start < year.end and year.start < name.span.end)
    ):
        inner = [Piece(whole, FormPart("citation"))]
    else:
        digits = FormPart("year" if year.end - year.start == 4 else "short_year")
        venue = _with_part(cited.span, name.span, year, text)
        inner = [Piece(venue, FormPart("venue")), Piece(year, digits)]
        if acronym := _ACRONYM.match(text, venue.end, max(venue.end, year.start)):
            field = Piece(Span(*acronym.span("acronym")), FormPart("acronym"))
            inner.append(group(Span(field.span.start - 1, acronym.end()), [field], text))
    return group(cited.span, inner, text)


def _with_part(cited: Span, name: Span, year: Span, text: str) -> Span:
    """Return a venue's name with what it says of one paper beside it: `Findings of EMNLP`, `EMNLP-Findings`, `CVPR (Oral)`."""
    start = cited.start if PART.search(text, cited.start, max(cited.start, name.start)) else name.start
    behind = _WORDS.match(text, name.end, max(name.end, year.start))
    is_own = behind and (PART.search(behind[0]) or _PRAISE.search(behind[0]))
    return Span(start, behind.end() if behind and is_own else name.end)


def _preprint(entry: Entry, cited: Span, name: Field | None, text: str) -> Iterator[Piece]:
    """Yield the venue and the id of a citation that ends with it: `arXiv preprint arXiv:2001.00001`."""
    number = entry.identifiers.get("arxiv", "")
    start = cited.end - len(number)
    if name is not None and number and name.span.end < start and text[start : cited.end] == number:
        yield Piece(name.span, FormPart("venue"))
        yield Piece(Span(name.span.end, cited.end), FormPart("arxiv", text[name.span.end : start]))


# -------------------------------------------------------------------------------------------------- labels and badges
def _badges(entry: Entry, pictures: Iterable[Span], text: str) -> Iterator[Piece]:
    """Yield the pictures that show something of the entry's own repository."""
    own = entry.identifiers.get("github")
    for span in pictures if own else ():
        picture = text[slice(*span)]
        if f"/{own}" in picture and not _FILE.search(picture):
            badge = picture.replace(f"/{own}", f"/{IDENTIFIER}")
            yield Piece(span, FormPart("group", "", (FormPart("badge", badge),)))


def _labels(
    entry: Entry, links: Sequence[LabelledLink], facts: Sequence[Piece], text: str
) -> Iterator[Piece]:
    """Yield the labels among links, and the facts, such as the venue, that are no label's words."""
    others = list(facts)
    plain: list[Label] = []
    for label in sorted((parse_label(link, text) for link in links), key=lambda label: label.span):
        link = label.link.link
        inner = [fact for fact in facts if link.start <= fact.span.start < link.text.end]
        if inner:
            others = [fact for fact in others if fact not in inner]
            yield from _stating_label(label, inner, entry, text)
        else:
            plain.append(label)
    yield from _rows(entry, plain, text)
    yield from others


def _stating_label(label: Label, facts: Sequence[Piece], entry: Entry, text: str) -> Iterator[Piece]:
    """Yield a label whose words are facts of the paper: `[[OSDI 2020]](u)`, `[Stone et al. (2020)](u)`."""
    link = label.link.link
    if link.destination is None:
        return
    url = Piece(link.destination, FormPart("link", label.link.role.id if label.link.role else "paper"))
    parts: list[FormPart] = []
    done = label.span.start
    stated = states_year(facts)
    for span, part in sorted(facts, key=lambda piece: piece.span):
        if span.start < done:
            return
        parts += [*literal_parts(text[done : span.start], entry.year, stated), part]
        done = span.end
    parts += literal_parts(text[done : link.text.end], entry.year, stated)
    behind = (
        *literal(text[link.text.end : url.span.start]),
        url.part,
        *literal(text[url.span.end : label.span.end]),
    )
    # What stands in brackets alone goes with them.
    yield Piece(label.span, FormPart("group", "", (*bracketed(parts), *behind)))


def _rows(entry: Entry, labels: Sequence[Label], text: str) -> Iterator[Piece]:
    """Yield the labels in a row as one field; one with a colon before it, and an address alone, as it is written."""
    for row in label_rows(labels, text, across_lines=False):
        written = [label for label in labels if row.start <= label.span.start < row.end]
        own = [label.link for label in written]
        is_named = text[max(0, row.start - 3) : row.start].rstrip(" ").endswith((":", "："))
        link = own[0].link
        is_titled = own[0].label == entry.title.value
        if len(own) == 1 and (is_named or is_titled or link.destination == link.text):
            yield link_field(entry, own[0], Span(link.start, link.end) if is_named else row, text)
        else:
            roles = " ".join(link.role.id if link.role else "" for link in own)
            brackets = tuple(FormPart("text", mark) for mark in written[0].form)
            yield Piece(row, FormPart("group", "", (FormPart("labels", roles, brackets),)))


def _with_marks_for_ids(words: str, url: str) -> str:
    """Return the words of a link: empty if they are its URL, a mark if they are an id or the address in it."""
    if words in identify(url).values():
        return IDENTIFIER
    return "" if words == url else ADDRESS if words == short_address(url) else words


def link_field(entry: Entry, label: LabelledLink, span: Span, text: str) -> Piece:
    """Return a link whose words stay: brackets around it, its label (empty if that is its URL) or the title, its URL."""
    link = label.link
    inner = text[slice(*link.text)]
    edge = 1 if inner.startswith("[") and inner.endswith("]") else 0
    words = Span(link.text.start + edge, link.text.end - edge)
    shown = text[slice(*words)]
    role = label.role.id if label.role else ANY if shown.casefold() in ANY_LINK else ""
    if link.destination == words:
        return group(span, [Piece(words, FormPart("link", role if role == "paper" else ANY))], text)
    called = CALLS.search(text, max(0, span.start - _LONGEST_CALL), span.start)
    word = called["word"].casefold() if called else ""
    is_of_host = word and word not in ANY_LINK and word in registrable(host_of(link.url))
    address = FormPart("link", role, (FormPart("text", word),) if is_of_host else ())
    said = FormPart("label", _with_marks_for_ids(shown, link.url), (address,))
    pieces = [Piece(words, FormPart("title") if label.label == entry.title.value else said)]
    if link.destination is not None:
        pieces.append(Piece(link.destination, address))
    return group(span, pieces, text)
