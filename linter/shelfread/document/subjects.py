"""What headings and labels name: subjects, or years, venues and what any list has."""

from __future__ import annotations

from shelfread.core.support.regex import lazy
from shelfread.document.model import Document, Section
from shelfread.document.recognizers.citation import is_citation
from shelfread.document.recognizers.years import find_year
from shelfread.taxonomy.fold import fold
from shelfread.taxonomy.vocabulary import Vocabulary

_LETTER = lazy(r"[^\W\d_]")
# Headings that any list may have, and that are not subjects.
_GENERAL = frozenset(
    """others,other,misc,miscellaneous,miscellanea,miscellany,general,uncategorized,content,contents,toc,
    table of contents,resources,related lists,related projects,see also,references,external links,
    further reading""".replace("\n    ", "").split(",")
)  # fmt: skip
_DATED = lazy(r"(?i)\b(?:years?|before|after|until|since|program(?:me)?|earlier|older|and|to|of)\b|[\W\d_]")
HEADING = lazy(r"(?:\W*\d{1,3}(?:\.\d{1,3})*[.)]?\s+)?[^\w(]*(?P<words>[(\w](?:.*[\w)])?)")
"""The `words` of a heading without the numbering, emoji and punctuation around them."""


def is_subject(section: Section, index: int, document: Document, vocabulary: Vocabulary) -> bool:
    """Return whether a section names a subject: not the page's title, a year, a venue, a letter or `Others`."""
    title, following = section.title, document.sections[1:2]
    if index == 0 and (section.level == 1 or (following and following[0].parent == 0)):
        return False
    if section.year is not None or section.citation is not None or len(_LETTER.findall(title)) < 2:
        return False
    if fold(title) in _GENERAL or vocabulary.role(title) is not None:
        return False  # a heading of any list, or a kind of thing: Papers, Books, Videos
    return not (find_year(title) and is_citation(_DATED.sub(" ", title), vocabulary))


def heading_words(title: str) -> str:
    """Return a title without numbering, emoji and punctuation around it."""
    match = HEADING.match(title)
    return match["words"] if match else title


def names_no_role(label: str, vocabulary: Vocabulary) -> bool:
    """Return whether a label is a venue, a year, or not a word, and so cannot name the role of a link."""
    return not _LETTER.search(label) or any(map(str.isdigit, label)) or is_citation(label, vocabulary)
