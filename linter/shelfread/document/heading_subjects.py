"""What headings and labels name: subjects and their concepts, or years, venues and what any list has."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from shelfread.core.patterns import lazy
from shelfread.document.model import Document, Section
from shelfread.document.non_entries import names_day
from shelfread.document.recognizers.organisations import names_organisation
from shelfread.document.recognizers.people import are_authors
from shelfread.document.recognizers.venues import find_mentions, is_citation
from shelfread.document.years import find_year
from shelfread.taxonomy.label_forms import fold
from shelfread.taxonomy.label_index import Resolution
from shelfread.taxonomy.taxonomy import ResolvedPath, Taxonomy
from shelfread.taxonomy.vocabulary import Vocabulary

_FRAME_SHARE = 0.8
_MIN_HELD = 6
"""A section with so many others below it, and so large a share of all, frames the page."""
_LETTER = lazy(r"[^\W\d_]")
# Headings that any list may have, and that are not subjects.
_GENERAL = frozenset(
    """others,other,misc,miscellaneous,miscellanea,miscellany,general,uncategorized,content,contents,toc,
    table of contents,resources,related lists,related projects,see also,references,external links,
    further reading,index,introduction,overview,about,welcome,contact,contact us,feedback,contact feedback,
    contact and feedback,citation,citing,acknowledgement,acknowledgements,acknowledgment,acknowledgments,contributors,
    maintainers,sponsors,license,licence,translations,other languages,star history,news,updates,latest updates,
    latest additions,the latest additions,recent additions,metadata,meta info,目录,目次,目錄,其他,其它,简介,介绍,前言,参考,
    参考资料,相关链接,更新,更新日志,贡献,许可证,致谢,목차,기타,その他,はじめに""".replace("\n    ", "").split(",")
)  # fmt: skip
_DATED = lazy(
    r"(?i)\b(?:years?|before|after|until|since|program(?:me)?|earlier|older|and|to|of|in|from|more|others?|papers?"
    r"|publications?|works?|recent|new|accepted|published)\b|[\W\d_]"
)
_IN_BRACKETS = lazy(r"(?<=\w\s)\([^()]*\)")
# `EdgeSys Workshop [proceedings]`, `Papers in Journals`, `IEEE Transactions on Computers`.
_EVENT = lazy(
    r"(?i)(?:.*\b(?:conferences?|workshops?|journals?|proceedings?)|(?:ieee|acm) (?:trans|journal|internet)\w*\b.*)"
    r"\W*(?:[\[(].*[\])])?$"
)
# A venue that the vocabulary does not have: `ICISSP 2024`.
_ACRONYM = lazy(r"\W*[A-Z][A-Z&-]+\W*(?:19|20)\d\d\W*$")
_AFFILIATED = lazy(
    r"(?:\d+[.)]{1,2}\s+)?(?P<name>[^()@\d]{4,40}?)\s*(?:\((?P<place>[^()]{2,60})\)|@\s*(?P<at>[^()@]{2,60}))"
)
_CAMPUS = lazy(r"(?:UC|UT|UW|UNC|SUNY|CUNY)[\s\-\u2010-\u2015,]+[A-Z]\w+.*")
_MAX_NAME = 4
"""The most words of a person's name."""
HEADING = lazy(
    r"(?:\W*\d{1,3}(?:\.\d{1,3})*(?:[.)]?\s+|[.)、．](?=[^\W\d])))?[^\w(]*(?P<words>[(\w](?:.*[\w)])?)"
)
"""The `words` of a heading without the numbering, emoji and punctuation around them."""


def is_subject(section: Section, index: int, document: Document, vocabulary: Vocabulary) -> bool:
    """Return whether a section names a subject, and is not the title of the page."""
    following = document.sections[1:2]
    if index == 0 and (section.level == 1 or (following and following[0].parent == 0)):
        return False
    if index in _frames(document) or section.level in _entry_levels(document):
        return False
    return names_subject(section, vocabulary)


@lru_cache(maxsize=1)  # asked for each section of a document in turn
def _frames(document: Document) -> frozenset[int]:
    """Return the sections that hold nearly all others of the page, such as `The list`: they say nothing of one."""
    held = [0] * len(document.sections)
    depths: list[int] = []
    for section in document.sections:
        depths.append(0 if section.parent is None else depths[section.parent] + 1)
    for index in reversed(range(len(document.sections))):
        parent = document.sections[index].parent
        if parent is not None:
            held[parent] += held[index] + 1
    total = len(document.sections)
    return frozenset(
        index
        for index, count in enumerate(held)
        if index and count >= _MIN_HELD and count >= _FRAME_SHARE * (total - depths[index] - 1)
    )


@lru_cache(maxsize=1)  # asked for each section of a document in turn
def _entry_levels(document: Document) -> frozenset[int]:
    """Return the levels at which most headings are entries: the others there are titles in another form."""
    entries = Counter(entry.block.level for entry in document.entries if entry.block.kind == "heading")
    if not entries:
        return frozenset()
    sections = Counter(section.level for section in document.sections)
    return frozenset(level for level, count in entries.items() if count > sections[level])


def names_subject(section: Section, vocabulary: Vocabulary) -> bool:
    """Return whether a section's title is a subject: not a year, a venue, a letter or `Others`."""
    title = section.title
    if section.year is not None or section.citation is not None or len(_LETTER.findall(title)) < 2:
        return False
    if is_general(title) or vocabulary.role(title) is not None:
        return False  # a heading of any list, or a kind of thing: Papers, Books, Videos
    if _EVENT.match(title):
        return False
    if not _LETTER.search(_DATED.sub(" ", _IN_BRACKETS.sub(" ", title))):
        return False  # `From Earlier Years`, `2026 Publications (Caches)`
    year, mentions = find_year(title), find_mentions(title, vocabulary)
    if mentions and (year or any(mention.year is not None for mention in mentions)):
        return False  # `Machine Learning at OSDI 2020`
    if _ACRONYM.match(title) or names_day(title) or names_person(title):
        return False
    return not (year and is_citation(_DATED.sub(" ", title), vocabulary))


def names_person(title: str) -> bool:
    """Return whether a title is a person with an affiliation: `Ada Stone (UC Berkeley)`, `Ben Field @ MIT`."""
    match = _AFFILIATED.fullmatch(title.strip())
    if match is None:
        return False
    name, place = match["name"], match["place"] or match["at"]
    is_place = names_organisation(place) or _CAMPUS.match(place) is not None
    return is_place and len(name.split()) <= _MAX_NAME and are_authors(name)


def is_general(title: str) -> bool:
    """Return whether any list may have a heading: `Others`, `Contents`, `Introduction`."""
    return fold(title) in _GENERAL


def heading_words(title: str) -> str:
    """Return a title without numbering, emoji and punctuation around it."""
    match = HEADING.match(title)
    return match["words"] if match else title


def names_no_role(label: str, vocabulary: Vocabulary) -> bool:
    """Return whether a label is a venue, a year, or not a word, and so cannot name the role of a link."""
    return not _LETTER.search(label) or any(map(str.isdigit, label)) or is_citation(label, vocabulary)


def resolve_section(document: Document, index: int | None, taxonomy: Taxonomy) -> Resolution:
    """Return what the heading of a section names, below the headings above it."""
    return _section(document, index, taxonomy).named


def concept_of_section(document: Document, index: int | None, taxonomy: Taxonomy) -> str | None:
    """Return the id of the concept of a section, or of the nearest one above that names a concept.

    If a heading names several, it is the nearest concept that they all are part of, else the first. If no heading
    names a concept, it is the form that the nearest one names, such as Survey.
    """
    if not (taxonomy.concepts or taxonomy.forms):
        return None
    return _section(document, index, taxonomy).concept


def _section(document: Document, index: int | None, taxonomy: Taxonomy) -> ResolvedPath:
    return taxonomy.resolve_path(document.sections[index].path if index is not None else ())
