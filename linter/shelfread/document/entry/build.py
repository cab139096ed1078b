"""Builds entries from their title lines and sub-lines."""

from __future__ import annotations

import re

from shelfread.core.diagnostics import Span
from shelfread.core.support.regex import lazy
from shelfread.document.entry.badge import icon_text
from shelfread.document.entry.byline import read_byline
from shelfread.document.entry.labelled_fields import read_labelled_field
from shelfread.document.entry.labels import CONSUMED
from shelfread.document.entry.links import entry_identifiers, entry_links, unlabelled_link
from shelfread.document.entry.sub_lines import SubLine, SubLineFields, collect_fields, is_label_line
from shelfread.document.entry.title import MAX_NAME_WORDS
from shelfread.document.entry.title_line import TitleLine
from shelfread.document.model import Citation, Entry, Field, LabelledLink
from shelfread.document.paper_urls import is_paper_url
from shelfread.document.plain_text import PlainText, TextRange
from shelfread.document.recognizers.citation import assumed_year, find_mentions, find_year, to_citation
from shelfread.document.recognizers.organisations import find_organisations, names_organisation
from shelfread.markdown.node import Block
from shelfread.taxonomy.vocabulary import Vocabulary

_BRACES = str.maketrans("", "", "{}")
_TITLE_START = " \n\t\0*_,;:–—\u200b\u200e\u200f"
_TITLE_EDGE = " \n\t\0*_,;:–—-.。\u200b\u200e\u200f"
_DESCRIPTION = lazy(
    r"[\s\0]*(?:\([^()]{0,200}\)(?=\s{1,9}[-–—:]))?[\s\0]*"
    r"(?:(?:[-–—－]+|:|：|\||｜|→|~)[\s\0]+|[:：]|[–—](?=\w)|,\s)?[\s\0]*"
)
_AFTER_NAME = lazy(r"[\s\0]*[-–—]\s[\s\0]*(?=[^\W\d])")
_PROSE = lazy(
    r"(?:[\s\0]*\([^()]{4,80}\d{4}[a-z]?\)\s+(?P<prose>[a-z]\w* \w+ \w[^\0]*?)|[ \0*]*\n\s*(?P<line>[A-Z](?:\w* (?=[a-z]))(?:[\w-]+ ){4}[^\0]*?[.!]))[\s\0]*$"
)
# Labels in brackets or at a line's end behind a separator: `([Demo](u), [Source](v))`, ` - [Slides](u), [Video](v)`.
_LABEL_GROUP = lazy(r"[(\[](?:[\s,;/|·&•–-]*\0)+[\s,;/|·&•–-]*[)\]]")
_LABEL_TAIL = lazy(r"(?:(?<=[.!?)])|\s[-–—|,;/·&•]+)\s*\0[\s\0,;/|·&•–—-]*$")
_SENTENCE = lazy(
    r"(?P<name>[\w.+-]+(?: [\w.+-]+){0,2}?)(?: is (?:an?|the) |: (?=[Aa]n? |[Tt]he ))(?=[a-zA-Z]\w* \w+ \w)"
)
_FIRST_WORDS = lazy(r"\s*[-–—:]\s")
# What a link in prose leads to if its host has nothing else. Other hosts have anything: code of others, people.
_TELLING_ROLES = frozenset({"paper", "video", "slides", "dataset", "demo", "model"})
_COLON = lazy(r":\s|：")
# EasyScale -- Elastic ...: only before a dash that no other reading of the line explains, one word that is a name.
_DASH = lazy(r"(?P<name>\w*[a-z0-9][A-Z]\w*|\w*[A-Z]{2,}\w*|\w+\d\w*)\s+(?:--|-|–|—)\s+(?=\w+ \w+ \w)")
_SEPARATOR = lazy(r"[\s\0]*(?:\([^()]{0,200}\)[\s\0]*)?(?:[-–—－:：|｜→~\n]|,\s)")
_MARKED_SHAPES = frozenset({"linked", "strong", "emphasis", "quoted"})
_INNER_CAPITAL = lazy(r"\w[A-Z]|\d")
_SPACED_STOPS = (" .", " ,", " ;", " :", " !", " ?")
_SPACE_BEFORE_STOP = lazy(r" (?<=\S )([.,;:!?])(?=\s|$)")
# Words before a colon that are the kind of a thing, not its name.
_KINDS = frozenset("paper survey poster demo book video slides blog link tutorial review note report".split())
_CITED_ID = lazy(r"(\d{4}\.\d{4,5})(?:v\d{1,3})?\b|arxiv[:\s]{1,3}([a-z-]{2,20}/\d{7})", re.IGNORECASE)


def is_paper(title_line: TitleLine, sub_lines: list[SubLine], vocabulary: Vocabulary) -> bool:
    """Return whether a line has what only papers have: a citation, a paper's URL or label, or authors."""
    title = title_line.title
    if title is None:
        return False
    description = _described_from(title_line, vocabulary) if title_line.mentions else -1
    for mention in title_line.mentions:
        if mention.start > description >= 0:
            continue
        if mention.venue is not None and (mention.year or mention.start < title.start):
            return True
    for label in title_line.labels:
        if label.role is not None and label.role.id == "paper":
            return True
    if title_line.badge is not None:
        return True
    if title_line.labels and title_line.shape != "linked" and title_line.labels[0].link.start > title.start:
        return True
    if "et al" in title_line.unread[title.end : title.end + 80] or title_line.leading_authors is not None:
        return True
    if title_line.attribution is not None:
        return True
    if title_line.title_link is not None:
        return is_paper_url(title_line.title_link.link.url, vocabulary)
    if title_line.mentions or (title_line.year and title_line.shape in ("emphasis", "strong", "quoted")):
        return True
    return any(_is_papers_sub_line(line, vocabulary) for line in sub_lines[:3])


def _described_from(title_line: TitleLine, vocabulary: Vocabulary) -> int:
    """Return where the description of a linked name begins, or -1. It may mention venues: `Shelf - of ECAL 2020`.

    A venue that the description begins with is that of the paper.
    """
    link, title = title_line.title_link, title_line.title
    if (
        link is None
        or title is None
        or title_line.shape != "linked"
        or len(title_line.title_text.split()) > 3
    ):
        return -1
    if is_paper_url(link.link.url, vocabulary):
        return -1
    match = _AFTER_NAME.match(title_line.unread, link.end)
    return match.end() if match else -1


def _is_papers_sub_line(line: SubLine, vocabulary: Vocabulary) -> bool:
    """Return whether a sub-line is one that only papers have."""
    text = line.plain.text
    labelled = read_labelled_field(text)
    if (labelled is not None and labelled[0] == "authors") or is_label_line(line):
        return True
    for label in line.labels:
        if (
            label.role is not None
            and label.role.id == "paper"
            and is_paper_url(label.link.link.url, vocabulary)
        ):
            return True
    if labelled is not None and labelled[0] == "links":
        return any(is_paper_url(link.link.url, vocabulary) for link in line.plain.links)
    return "et al" in text or bool(find_year(text) and find_mentions(text, vocabulary))


def build_paper(
    title_line: TitleLine,
    sub_lines: list[SubLine],
    block: Block,
    vocabulary: Vocabulary,
    *,
    section: int | None,
    dialect: str,
    source: str,
    end_line: int = 0,
) -> Entry:
    """Return an entry of the kind paper.

    `source` is the document's text, `end_line` the entry's last line, from 1, or 0 for that of `block`.
    """
    plain = title_line.plain
    title = title_line.title or TextRange(0, 0)
    title_proved = title_line.title_proved
    if title_line.extended_end is not None:
        end, title_proved = title_line.extended_end
        title = TextRange(title.start, end)
    name = clean_field(plain, title_line.name) if title_line.name else _name_of(plain, title)
    if name is not None and not name.value:
        name = None
    fields = collect_fields(sub_lines, source, vocabulary)
    citation = _citation(title_line, fields)
    byline = read_byline(title_line, title.end)
    links = entry_links(title_line, fields.labels, vocabulary)
    if title_line.title_link is not None and _leads_to_paper(links[0]):
        links = (links[0]._replace(role=vocabulary.roles["paper"]), *links[1:])
    identifiers = entry_identifiers(links)
    cited_id = _CITED_ID.search(citation.text if citation and "arxiv" not in identifiers else "")
    if cited_id:
        identifiers["arxiv"] = cited_id.group(1) or cited_id.group(2)
    year = citation.year if citation else None
    year = year or (title_line.year.year if title_line.year else None) or fields.year
    assumed = assumed_year(citation, identifiers) if year is None else None
    prose = _prose_after_citation(title_line, title.end)
    uncertain = set(byline.uncertain)
    if prose is not None:
        uncertain.add("description")
    if not byline.authors:
        uncertain |= fields.uncertain & {"authors"}
    if not byline.affiliations:
        uncertain |= fields.uncertain & {"affiliations"}
    if not title_proved:
        uncertain.add("title")
    if title_line.name is None and name is not None and not _names_something(name.value):
        uncertain.add("name")
    if citation is not None and citation.venue is None:
        uncertain.add("venue")
    return Entry(
        kind="paper",
        dialect=dialect,
        title=clean_field(plain, title),
        name=name,
        citation=citation,
        year=assumed if year is None else year,
        authors=tuple(byline.authors or fields.authors),
        affiliations=tuple(byline.affiliations or fields.affiliations or _organisations(title_line)),
        notes=tuple(fields.notes),
        description=prose,
        links=links,
        identifiers=identifiers,
        section=section,
        span=Span(block.start, block.end),
        title_line=_title_line_span(block),
        block=block,
        line=block.first + 1,
        end_line=end_line or block.last,
        year_from_arxiv_id=assumed is not None,
        uncertain=frozenset(uncertain),
    )


def _leads_to_paper(link: LabelledLink) -> bool:
    """Return whether a paper's title links to the paper itself: its URL has no other role."""
    return link.role is None or link.role.id == "review" or link.link.url.endswith(".pdf")


def build_classic(
    title_line: TitleLine,
    block: Block,
    vocabulary: Vocabulary,
    *,
    section: int | None,
    dialect: str,
    parts: tuple[LabelledLink, ...] = (),
    fields: SubLineFields | None = None,
) -> Entry:
    """Return an entry of the kind classic: a name, usually a link, and a description.

    `parts` are links below it: `- [Lecture Notes](u)`, `fields` what other lines below it state.
    """
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
    if description is not None and not _SEPARATOR.match(title_line.unread, title_line.after_title):
        uncertain.add("description")
    return Entry(
        kind="classic",
        dialect=dialect,
        title=name,
        name=name,
        description=description,
        authors=tuple(fields.authors),
        affiliations=tuple(fields.affiliations or _organisations(title_line)),
        notes=tuple(fields.notes),
        links=links,
        year=title_line.year.year if title_line.year is not None and title_line.shape == "linked" else None,
        identifiers=identifiers,
        section=section,
        span=Span(block.start, block.end),
        title_line=_title_line_span(block),
        block=block,
        line=block.first + 1,
        end_line=block.last,
        uncertain=frozenset(uncertain),
    )


def _prose_after_citation(title_line: TitleLine, title_end: int) -> Field | None:
    """Return the sentence after a citation in brackets: `[Tidy Shelves](u) (Stone et al. 1999) shows how ...`."""
    match = _PROSE.match(title_line.unread, title_end)
    if match is None or title_line.shape != "linked":
        return None
    kind = "prose" if match["prose"] else "line"
    return Field(" ".join(match[kind].split()), title_line.plain.span(*match.span(kind)))


def _marked_description(title_line: TitleLine) -> tuple[Field, list[Field]] | None:
    """Return what is in bold after a link, and the organisation in emphasis: `[CS 1](u) **Shelves** *Oxford*`."""
    plain, start = title_line.plain, title_line.after_title
    strong = next((found for found in plain.strong if found.start >= start), None)
    emphasis = next((found for found in plain.emphasis if strong and found.start >= strong.end), None)
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
    match = _SENTENCE.match(plain.text, title := plain.text.find(name.value))
    end = title + len(name.value)
    if title < 0 or match is None or match.end() >= end:
        return name, None
    text = plain.text[match.end() : end]
    return (
        Field(match["name"], plain.span(*match.span("name"))),
        Field(text, plain.span(match.end(), end)) if len(text.split()) > 2 else None,
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


def clean_field(plain: PlainText, field: TextRange) -> Field:
    """Return a title or name without BibTeX braces, punctuation at its edges and repeated whitespace."""
    start, end = field
    text = plain.text
    while start < end and text[start] in _TITLE_START:
        start += 1
    while end > start and text[end - 1] in _TITLE_EDGE and not text.endswith(("...", "et al."), start, end):
        end -= 1
    value = text[start:end]
    if "{" in value:
        value = value.translate(_BRACES)
    return Field(" ".join(value.split()), plain.span(start, end))


def _title_line_span(block: Block) -> Span:
    inlines = block.inlines or (block.blocks[0].inlines if block.kind == "item" and block.blocks else ())
    return Span(inlines[0].start, inlines[-1].end) if inlines else Span(block.start, block.end)


def _name_of(plain: PlainText, title: TextRange) -> Field | None:
    """Return the short name that a title begins with: EasyScale of `EasyScale: Elastic ...`."""
    text = plain.text[title.start : title.end]
    if match := _DASH.match(text):
        return clean_field(plain, TextRange(title.start, title.start + match.end("name")))
    match = _COLON.search(text)
    if match is None or not text[match.end() :].strip():
        return None
    words = text[: match.start()]
    if not 0 < len(words.split()) <= MAX_NAME_WORDS:
        return None
    field = clean_field(plain, TextRange(title.start, title.start + match.start()))
    return field if field.value and field.value.casefold() not in _KINDS else None


def _organisations(title_line: TitleLine) -> list[Field]:
    found = title_line.organisation
    return find_organisations(title_line.plain, *found) if found is not None else []


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


def _names_something(name: str) -> bool:
    """Return whether words before a colon have the form of a name: one word, or with a capital inside."""
    return " " not in name or bool(_INNER_CAPITAL.search(name))


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
    if not any(map(str.isalpha, value)):
        return None
    return Field(value, title_line.plain.span(start, end))


def _citation(title_line: TitleLine, fields: SubLineFields) -> Citation | None:
    """Return the citation of an entry: the first known venue with a year, else the first mention."""
    mentions = [(title_line.plain, mention) for mention in title_line.mentions] + fields.mentions
    if not mentions:
        return title_line.badge
    mentions.sort(key=lambda found: found[1].venue is None)
    return to_citation(*next((found for found in mentions if found[1].year), mentions[0]))
