"""Papers: how they are told from other entries, and their entries, from title lines and sub-lines."""

from __future__ import annotations

import re

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.document.entry.behind_name import LEADS_ON
from shelfread.document.entry.byline import read_byline
from shelfread.document.entry.classic import further_links
from shelfread.document.entry.entry_fields import (
    Setting,
    assumed_year,
    clean_field,
    entry_identifiers,
    entry_links,
    leading_organisations,
    short_name,
    title_line_span,
)
from shelfread.document.entry.link_labels import CONSUMED, LABEL_WORDS, blank_out, has_words, may_be_post
from shelfread.document.entry.prefix import names_nothing, names_something, names_something_only
from shelfread.document.entry.remarks import is_prose, links_behind_stop, with_remark
from shelfread.document.entry.sub_lines import (
    SubLine,
    SubLineFields,
    collect_fields,
    is_label_line,
    labelled_title,
    read_labelled_field,
)
from shelfread.document.entry.title_line import TitleLine
from shelfread.document.identity import is_paper_url
from shelfread.document.model import Citation, Entry, Field, LabelledLink
from shelfread.document.plain_text import PlainText, TextLink, TextRange
from shelfread.document.recognizers.people import are_authors, are_named, are_surely_people, is_list_of_people
from shelfread.document.recognizers.venues import (
    blank_mentions,
    find_mentions,
    is_citation,
    only_cites,
    rank_mention,
    to_citation,
)
from shelfread.document.years import find_year
from shelfread.markdown.node import Block
from shelfread.taxonomy.hosts import DOI, split_url
from shelfread.taxonomy.vocabulary import Vocabulary

_REMARK = lazy(
    r"(?:[\s\0*]*\([^()\0]{0,40}\b\d{4}\b[^()\0]{0,40}\))?[\s\0*]*(?:[:：]|\s[-–—]+)\s*(?P<remark>[^\s\0][^\n]*)"
)
_LEADS_TO_VENUE = lazy(
    r"[\s.,;:(|–—-]*(?:(?:\b(?:[Pp]ublished|[Pp]resented|[Aa]ppeared|[Aa]ccep\w{1,5}|[Tt]o appear) (?:in|at|on|by|to)|\b[Ii]n|\b[Aa]t)(?: the)?)?\s*$"
)
_DOI = lazy(rf"/{DOI}")  # in the address of a page
_STATED_DOI = lazy(rf"\bdoi\s?:\s?(?P<doi>{DOI}[^\s\0<>\[\]]{{2,100}})", re.IGNORECASE)
_CITED_ID = lazy(r"(\d{4}\.\d{4,5})(?:v\d{1,3})?\b|arxiv[:\s]{1,3}([a-z-]{2,20}/\d{7})", re.IGNORECASE)
_LINE_BELOW = lazy(r"[*_.\s]{0,9}\n([^\n\0]{5,600})")
_PEOPLE_IN_BRACKETS = lazy(r"[\s*_]{0,4}\((?P<people>[^\d()\0]{3,70}?),?\s(?:19|20)\d\d[a-z]?\)")
_ONE_NAME = lazy(r"[!-.0-9;-~]+")  # one word in ASCII, and no address
_MAX_CITATION = 600
_MIN_CITED_WORDS = 4
_AFTER_COLON = lazy(r"[\s\0]*[:：]\s?")
# The paper that a repository is about, and whose venue is named, is another thing than the repository.
_IMPLEMENTS = lazy(
    r"\b(?:(?:re)?implement\w*|(?:source )?code (?:for|of|to|from)|repo(?:sitory)? (?:for|of)|port of|reproduc\w+|based on)\b",
    re.IGNORECASE,
)
_BEFORE_MAKERS = (" by ", " - ", " – ", " — ", " | ")
_AFTER_NAME = lazy(r"[\s\0]*[-–—]\s[\s\0]*(?=[^\W\d])")


def is_paper(title_line: TitleLine, sub_lines: list[SubLine], vocabulary: Vocabulary) -> bool:
    """Return whether a line has what only papers have: a citation, a paper's URL or label, or authors."""
    title = title_line.title
    if title is None:
        return False
    description = _described_from(title_line, vocabulary) if title_line.mentions else -1
    behind = max(title.end, title_line.after_title)
    for mention in title_line.mentions:
        people = title_line.unread[behind : mention.start].strip(" ,.:-–—*_(|")
        is_title = len(title_line.title_text.split()) >= _MIN_CITED_WORDS
        if (
            mention.venue is not None
            and len(people) <= _MAX_CITATION
            and (are_named(people) or (is_title and is_list_of_people(people)))
        ):
            return True  # `[Tidy Shelves](u), Ada Stone, Ben Field. ICML`
        if mention.start > description >= 0:
            continue
        if mention.venue is not None and (mention.year or mention.start < title.start):
            return True
    for label in title_line.labels:
        is_labelled = label.role is not None and label.role.id == "paper"
        is_post = title_line.shape == "linked" and may_be_post(label.label, label.link.link.url, vocabulary)
        if is_labelled and not is_post:
            return True
    if title_line.badge is not None:
        return True
    if title_line.labels and title_line.shape != "linked" and title_line.labels[0].link.start > title.start:
        return True
    if "et al" in title_line.unread[title.end : title.end + 80] or title_line.leading_authors is not None:
        return True
    cited = _PEOPLE_IN_BRACKETS.match(title_line.unread, title.end)
    if cited is not None and is_list_of_people(cited["people"]):
        return True
    if title_line.attribution is not None:
        return True
    below = _LINE_BELOW.match(title_line.unread, title.end)
    if below is not None and is_list_of_people(below[1]):
        return True
    if title_line.title_link is not None:
        if is_paper_url(title_line.title_link.link.url, vocabulary):
            return True
        behind_title = title_line.unread[title.end : title_line.title_link.end]
        # Books and talks have `(2022)` there, too, and who made them: `[Sorting Many Tidy Shelves - Ada Stone (2022)](u)`.
        says_more = behind_title.startswith(",") or not (
            only_cites(behind_title) or behind_title.startswith(_BEFORE_MAKERS)
        )
        if says_more and find_year(behind_title) and len(title_line.title_text.split()) >= _MIN_CITED_WORDS:
            return True  # `[Sorting Many Tidy Shelves, 2022](u)`
        labelled = {field[0] for line in sub_lines[:3] if (field := read_labelled_field(line.plain.text))}
        return labelled >= {"authors", "venue"} or any(
            _cites(line.plain.text, vocabulary) for line in sub_lines[:3]
        )
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
    if match is None and (match := _AFTER_COLON.match(title_line.unread, link.end)) is not None:
        described = title_line.unread[match.end() : match.end() + 200]
        return match.end() if _IMPLEMENTS.search(described) else -1
    return match.end() if match else -1


def _is_papers_sub_line(line: SubLine, vocabulary: Vocabulary) -> bool:
    """Return whether a sub-line is one that only papers have."""
    text = line.plain.text
    labelled = read_labelled_field(text)
    if (labelled is not None and labelled[0] == "authors") or is_label_line(line):
        return True
    are_links = labelled is not None and labelled[0] == "links"
    papers = (label.link for label in line.labels if label.role is not None and label.role.id == "paper")
    if any(is_paper_url(link.link.url, vocabulary) for link in (line.plain.links if are_links else papers)):
        return True
    if not has_words(blank_out(text, [], line.plain.links)) and any(
        _is_paper_alone(text, link, vocabulary) for link in line.plain.links
    ):
        return True
    return "et al" in text or bool(find_year(text) and find_mentions(text, vocabulary))


def _is_paper_alone(text: str, link: TextLink, vocabulary: Vocabulary) -> bool:
    """Return whether a link leads to a paper, and its text is an address, names its host, or says nothing: `([link](u))`, `[ijcai](u)`."""
    label = text[link.start : link.end].strip(" ()[]").casefold()
    says_nothing = label in LABEL_WORDS or link.link.form in ("bare", "autolink")
    return (says_nothing or label in split_url(link.link.url)[0]) and is_paper_url(link.link.url, vocabulary)


def _cites(text: str, vocabulary: Vocabulary) -> bool:
    """Return whether a line is a citation with a year, perhaps after people: `Ada Stone, Ben Field. ICML 2021`."""
    if len(text) > _MAX_CITATION or not find_year(text):
        return False
    mentions = find_mentions(text, vocabulary)
    if not mentions or is_citation(text, vocabulary):
        return bool(mentions)
    before = text[: mentions[0].start].rstrip(" .,(")
    return is_citation(text[mentions[0].start :], vocabulary) and are_authors(before)


def is_field_line(title_line: TitleLine) -> bool:
    """Return whether a line states a field of the entry above: `Link: [arXiv](u)`, `Example: [MArk](u)`."""
    labelled = read_labelled_field(title_line.plain.text)
    if labelled is None or title_line.title is None or title_line.shape == "quoted":
        return False
    links = title_line.plain.links
    if links and links[0].start < labelled[1] < links[0].end:
        return False  # `[NOTE: Tidy Shelves](u)`
    if labelled[0] == "links":
        before = title_line.plain.text[labelled[1] : links[0].start if links else None]
        if (title_line.title_link is not None and title_line.shape == "linked") or len(before.split()) > 3:
            return False  # `CODE: A Title of a Paper [pdf](u)`
    return labelled[0] != "note" or not title_line.labels


def is_byline(title_line: TitleLine) -> bool:
    """Return whether a line is nothing but people and their venue: `Justin Fu. BAIR Blog, 2020.`"""
    if len(title_line.plain.links) > len(title_line.labels):
        return False
    if title_line.shape != "plain" or title_line.name is not None or title_line.leading_authors is not None:
        return False
    title = title_line.title
    if title is None or any(mention.start < title.start for mention in title_line.mentions):
        return False
    words = title_line.title_text
    if not are_authors(words.partition(". ")[0], minimum=0):
        return False
    below = _LINE_BELOW.match(title_line.unread, title.end)
    if below is not None and is_list_of_people(below[1]) and not (" and " in words or are_named(words)):
        return False  # `Tidy Shelves`, and the people below it
    if title_line.labels:
        text = (
            blank_mentions(title_line.unread[:600], title_line.mentions).partition(CONSUMED)[0].strip(" .,")
        )
        return "(" not in text and are_surely_people(text)
    text = blank_mentions(title_line.unread[:600], title_line.mentions).strip(" .,")
    return is_list_of_people(text) or (len(words.split()) <= 20 and is_list_of_people(words))


def build_paper(
    title_line: TitleLine, sub_lines: list[SubLine], block: Block, setting: Setting, end_line: int = 0
) -> Entry:
    """Return an entry of the kind paper. `end_line` is its last line, from 1, or 0 for that of `block`."""
    vocabulary = setting.vocabulary
    plain = title_line.plain
    title = title_line.title or TextRange(0, 0)
    title_proved = title_line.title_proved
    if title_line.extended_end is not None:
        end, title_proved = title_line.extended_end
        title = TextRange(title.start, end)
    name = clean_field(plain, title_line.name) if title_line.name else short_name(plain, title)
    stated_title = clean_field(plain, title)
    if title_line.name is None and (below := labelled_title(stated_title, sub_lines)) is not None:
        stated_title, name = below, stated_title
    fields = collect_fields(sub_lines, setting.source.text, vocabulary)
    if title_line.name is None and fields.name is not None:
        name = fields.name
    name = name if name is not None and name.value else None
    byline = read_byline(title_line, title.end)
    name = name or byline.name
    if name is None and _ONE_NAME.fullmatch(word := stated_title.value) and names_something_only(word):
        name = stated_title  # `[ShelfNet](u) [[paper]](v)`
    links = _links(title_line, title, fields, vocabulary)
    citation = _citation(title_line, fields)
    identifiers = _identifiers(plain, links, citation)
    is_preprint = citation is not None and citation.venue is not None and citation.venue.kind == "preprint"
    if citation and is_preprint and (title_line.year or fields.year) and not find_year(citation.text):
        citation = citation._replace(year=None)  # that of its arXiv id
    year = citation.year if citation else None
    year = year or (title_line.year.year if title_line.year else None) or fields.year
    kind = citation.name if citation is not None and citation.venue is None else None
    if kind is not None and kind.value.isalpha() and names_nothing(kind.value):  # a badge `2025 Survey`
        citation = None
        fields.notes.append(kind)
    assumed = assumed_year(citation, identifiers)
    if assumed is not None and year is not None and identifiers["arxiv"].startswith(f"{year}."):
        citation, year = citation and citation._replace(year=None), None  # `arXiv 2011`: a month of 2020
    assumed = assumed if year is None else None
    people = [plain.offset(author.span.end) for author in byline.authors]
    people_end = max((end for end in people if end > title_line.after_title), default=0)
    prose = _remark(title_line, vocabulary, people_end) if title_line.extended_end is None else None
    guessed = set(byline.guessed)
    if not byline.authors:
        guessed |= fields.guessed & {"authors"}
    if not byline.affiliations:
        guessed |= fields.guessed & {"affiliations"}
    if not title_proved:
        guessed.add("title")
    if title_line.name is None and name is not None and not names_something(name.value):
        guessed.add("name")
    entry = Entry(
        kind="paper",
        dialect=setting.dialect,
        title=stated_title,
        name=name,
        citation=citation,
        year=assumed if year is None else year,
        authors=tuple(byline.authors or fields.authors),
        affiliations=tuple(byline.affiliations or fields.affiliations or leading_organisations(title_line)),
        notes=tuple(fields.notes),
        description=prose,
        links=links,
        identifiers=identifiers,
        section=setting.section,
        span=Span(block.start, block.end),
        title_line=title_line_span(block),
        block=block,
        line=block.first + 1,
        end_line=end_line or block.last,
        year_from_arxiv_id=assumed is not None,
        guessed=frozenset(guessed),
    )
    is_annotated = fields.authors or fields.affiliations  # then what stands below them are notes
    text = fields.summary
    if text is None and not is_annotated and fields.text is not None and is_prose(fields.text.value):
        text = fields.text
    if prose is None and text is not None:
        entry = with_remark(entry, vocabulary)  # what its own line says comes first
    if text is not None and entry.description is None:
        notes = tuple(note for note in fields.notes if not note.span.start <= text.span.start < note.span.end)
        entry = entry._replace(description=text, notes=notes)
    return entry


def _links(
    title_line: TitleLine, title: TextRange, fields: SubLineFields, vocabulary: Vocabulary
) -> tuple[LabelledLink, ...]:
    """Return the links of an entry, that of its title first.

    It leads to the paper itself where its URL has no other role, and no other link is called so.
    """
    plain, links = title_line.plain, entry_links(title_line, fields.labels, vocabulary)
    if title_line.title_link is not None:
        first, paper = links[0], vocabulary.roles["paper"]
        is_elsewhere = any(link.role is paper and link.label == paper.label for link in links[1:])
        is_free = first.role is None and not (is_elsewhere and not is_paper_url(first.link.url, vocabulary))
        if is_free or (first.role and first.role.id == "review") or first.link.url.endswith(".pdf"):
            links = (first._replace(role=paper), *links[1:])
    # Within a title that has no link of its own, what is called something leads on: `Inspired by [Oak](u), [Elm](v)`.
    inside = () if title_line.title_link is not None else ("inline", "reference")
    beside = {
        link.link.start
        for link in plain.links
        if (not title.start <= link.start < title.end or link.link.form in inside)
        and not title_line.unread.startswith(CONSUMED, link.start)
    }
    links += tuple(link for link in further_links(plain, links, vocabulary) if link.link.start in beside)
    return _with_paper(links, vocabulary)


def _identifiers(
    plain: PlainText, links: tuple[LabelledLink, ...], citation: Citation | None
) -> dict[str, str]:
    """Return the identifiers of an entry: those in its links, the arXiv id it cites, the DOI it states."""
    identifiers = entry_identifiers(links)
    if "arxiv" not in identifiers and (cited := _CITED_ID.search(citation.text if citation else "")):
        identifiers["arxiv"] = cited[1] or cited[2]
    if "doi" not in identifiers and (stated := _STATED_DOI.search(plain.text)):
        identifiers["doi"] = stated["doi"].rstrip(".,;)")
    return identifiers


def _with_paper(links: tuple[LabelledLink, ...], vocabulary: Vocabulary) -> tuple[LabelledLink, ...]:
    """Return the links of an entry; without another link to the paper, OpenReview's page or that of a DOI is the paper."""
    roles = [link.role.id if link.role is not None else "" for link in links]
    if "paper" in roles:
        return links
    for index, (role, link) in enumerate(zip(roles, links, strict=True)):
        is_review = role == "review" and "openreview.net/" in link.link.url
        if is_review or (not role and _DOI.search(link.link.url)):
            return (*links[:index], link._replace(role=vocabulary.roles["paper"]), *links[index + 1 :])
    return links


def _before_citation(title_line: TitleLine, start: int, text: str) -> str:
    """Return the text at an offset of a line without the citation that it ends with: `Sorts books - in KDD 2019`."""
    for mention in title_line.mentions:
        first, last = mention.start - start, mention.end - start
        if mention.year and 0 < first < len(text) and not text[last:].strip(" .)]"):
            return _LEADS_TO_VENUE.sub("", text[:first])
    return text.strip()


def _remark(title_line: TitleLine, vocabulary: Vocabulary, people_end: int) -> Field | None:
    """Return what a list remarks on a marked paper behind a colon or dash: `[Tidy Shelves](u): worth reading`.

    `people_end` is where the people behind it end, or 0.
    """
    link, title = title_line.title_link, title_line.title
    if title is None or title_line.shape not in ("linked", "strong"):
        return None
    unread = blank_out(title_line.unread, [], links_behind_stop(title_line.plain))
    match = _REMARK.match(unread, people_end or (link.end if link else title.end))
    if match is None:
        return None
    end = match.start("remark")
    while (cut := unread.find(CONSUMED, end, match.end())) >= 0 and LEADS_ON.search(unread, 0, cut):
        end = next((at for at in range(cut, match.end()) if unread[at] != CONSUMED), match.end())
    said = title_line.plain.text[match.start("remark") : cut if cut >= 0 else match.end()]
    text = _before_citation(title_line, match.start("remark"), said)
    text = text.rstrip(" ,;([|-–—")
    words = text.split()
    lower = sum(1 for word in words if len(word) > 2 and word.islower())
    is_sentence = text[:1].isupper() and text.endswith(".") and 0 < len(words) <= 2 * lower
    is_said = lower > 1 or is_sentence or text.startswith(("A ", "An ", "The "))
    if not is_said or is_citation(text, vocabulary):
        return None
    start = match.start("remark")
    return Field(" ".join(text.split()), title_line.plain.span(start, start + len(text)))


def _citation(title_line: TitleLine, fields: SubLineFields) -> Citation | None:
    """Return the citation of an entry: the first known venue with a year, else the first mention."""
    mentions = [(title_line.plain, mention) for mention in title_line.mentions] + fields.mentions
    if not mentions:
        return title_line.badge or fields.badge
    return to_citation(*min(mentions, key=lambda item: rank_mention(item[1])))
