"""What headings and labels name: subjects and their concepts, or years, venues and what any list has."""

from __future__ import annotations

from collections import Counter
from functools import cached_property, lru_cache, partial
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.document.model import Document, Entry, Section
from shelfread.document.non_entries import names_day
from shelfread.document.recognizers.organisations import names_organisation
from shelfread.document.recognizers.people import are_authors
from shelfread.document.recognizers.venues import find_mentions, is_citation
from shelfread.document.years import find_year
from shelfread.taxonomy.concept import Resolution, Surroundings
from shelfread.taxonomy.label_forms import fold
from shelfread.taxonomy.taxonomy import Taxonomy
from shelfread.taxonomy.vocabulary import Vocabulary

_FRAME_SHARE = 0.8
_MIN_HELD = 6  # a section with so many others below it, and so large a share of all, frames the page
_LETTER = lazy(r"[^\W\d_]")
_ADDRESS = lazy(r"(?i)\w+://|www\.")
# Headings that any list may have, and that are not subjects.
_GENERAL = frozenset(
    """others,other,misc,miscellaneous,miscellanea,miscellany,general,uncategorized,content,contents,toc,
    table of contents,resources,related lists,related projects,see also,references,external links,
    further reading,index,introduction,overview,about,welcome,contact,contact us,feedback,contact feedback,
    contact and feedback,citation,citing,acknowledgement,acknowledgements,acknowledgment,acknowledgments,contributors,
    maintainers,sponsors,license,licence,translations,other languages,star history,news,updates,latest updates,
    latest additions,the latest additions,recent additions,metadata,meta info,links,details,summary,目录,目次,目錄,其他,其它,简介,介绍,前言,参考,
    参考资料,相关链接,更新,更新日志,贡献,许可证,致谢,목차,기타,その他,はじめに""".replace("\n    ", "").split(",")
)  # fmt: skip
_ALSO_LABELS = frozenset(("python", "rust", "julia", "matlab", "html", "web"))  # of links
_DATED = lazy(
    r"(?i)\b(?:years?|before|after|until|since|program(?:me)?|earlier|older|and|to|of|in|from|more|others?|papers?"
    r"|publications?|works?|recent|new|accepted|published)\b|[\W\d_]"
)
_IN_BRACKETS = lazy(r"(?<=\w\s)\([^()]*\)")
# `EdgeSys Workshop [proceedings]`, `Papers in Journals`, `IEEE Transactions on Computers`.
_EVENT = lazy(
    r"(?i).{0,200}\b(?:conferences?|workshops?|journals?|proceedings?)\W{0,9}(?:[\[(].{0,80}[\])])?$"
    r"|(?:ieee|acm) (?:trans|journal|internet)"
)
# `ICISSP 2024`, a venue that the vocabulary does not have, and `20240131 Two new ovens`.
_DATED_NAME = lazy(r"\W{0,9}(?:[A-Z][A-Z&-]{1,30}\W{0,9}(?:19|20)\d\d\W{0,9}$|(?:19|20)\d\d[01]\d[0-3]\d\b)")
# `Paid`, `Archived or unmaintained`: what something costs, or its state.
_STATE = lazy(
    r"(?i)\b(?:free|paid|freemium|premium|commercial|deprecated|archived?|inactive|unmaintained|abandoned|discontinued"
    r"|obsolete|outdated|wip|to ?do|(?:work )?in progress|coming soon|upcoming|no longer maintained|and|or|projects?)\b"
)
_FILE = lazy(r"(?i)[\w./-]{1,60}\.(?:md|txt|ipynb|ya?ml|toml|csv|pdf|lock)")
_AFFILIATED = lazy(
    r"(?:\d+[.)]{1,2}\s+)?(?P<name>[^\s()@\d][^()@\d]{3,39}?)\s*(?:\((?P<place>[^()]{2,60})\)|@\s*(?P<at>[^()@]{2,60}))"
)
_CAMPUS = lazy(r"(?:UC|UT|UW|UNC|SUNY|CUNY)[\s\-\u2010-\u2015,]+[A-Z]\w+.*")
_MAX_NAME = 4  # the most words of a person's name
# The most headings of one letter that are subjects, as a list may have the languages C, D and R.
_MOST_LETTERS = 6
_LONGEST_LETTER = 12  # the most characters of a heading of one letter, with markup and an emoji
# The most headings and entries that are looked at to tell what a heading means.
_MOST_BESIDE, _MOST_ENTRIES = 40, 12
# The `words` of a heading without the numbering, emoji and punctuation around them.
HEADING = lazy(
    r"(?:\W*\d{1,3}(?:\.\d{1,3})*(?:[.)]?\s|[.)、．](?=[^\W\d])))?(?:[^\w(.]|\.(?!\w))*(?P<words>\.?[(\w](?:.*[\w)])?(?:\+\+|#)?)"
)


def is_subject(section: Section, index: int, document: Document, vocabulary: Vocabulary) -> bool:
    """Return whether a section names a subject, and is not the title of the page."""
    if _is_title(index, document):
        return False
    if index in _frames(document) or section.level in _entry_levels(document):
        return False
    if _is_letter(section.title) and _is_index(document):
        return False
    return names_subject(section, vocabulary)


def _is_title(index: int, document: Document) -> bool:
    following = document.sections[1:2]
    return index == 0 and (document.sections[0].level == 1 or (bool(following) and following[0].parent == 0))


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
def _is_index(document: Document) -> bool:
    """Return whether the headings that are one letter are those of an index, not languages such as C, D and R."""
    letters = [section.title for section in document.sections if _is_letter(section.title)]
    return len(letters) > _MOST_LETTERS or any("A" in title for title in letters)


def _is_letter(title: str) -> bool:
    return (
        len(title) < _LONGEST_LETTER and len(_LETTER.findall(title)) == 1 and not title.endswith(("+", "#"))
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
    """Return whether a section's title is a subject: not a year, a venue or `Others`."""
    title = section.title
    if section.year is not None or section.citation is not None or not _LETTER.search(title):
        return False
    is_kind = vocabulary.role(title) is not None and fold(title) not in _ALSO_LABELS  # Papers, Books, Videos
    if is_general(title) or is_kind or _EVENT.match(title):
        return False
    if not _LETTER.search(_STATE.sub(" ", title)) or _FILE.fullmatch(title.strip()):
        return False
    if not _LETTER.search(_DATED.sub(" ", _IN_BRACKETS.sub(" ", title))):
        return False  # `From Earlier Years`, `2026 Publications (Caches)`
    year, mentions = find_year(title), find_mentions(title, vocabulary)
    if mentions and (year or any(mention.year is not None for mention in mentions)):
        return False  # `Machine Learning at OSDI 2020`
    if _DATED_NAME.match(title) or names_day(title) or names_person(title):
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


_ANY_LINK = frozenset({"link", "url", "here"})


def names_no_role(label: str, vocabulary: Vocabulary) -> bool:
    """Return whether a label is a venue, a year, an address, `link`, or not a word, and so cannot name the role of a link."""
    if (
        label.casefold() in _ANY_LINK
        or _ADDRESS.match(label)
        or not _LETTER.search(label)
        or any(map(str.isdigit, label))
    ):
        return True
    return is_citation(label, vocabulary)


def resolve_section(document: Document, index: int | None, taxonomy: Taxonomy) -> Resolution:
    """Return what the heading of a section names, as far as the headings around it and its entries agree."""
    return _NOTHING.named if index is None else _meanings(document, taxonomy).of(index).named


def concept_of_section(document: Document, index: int | None, taxonomy: Taxonomy) -> str | None:
    """Return the id of the concept of a section, or of the nearest one above that names a concept.

    If a heading names several, it is the nearest concept that they all are part of, else the first. If no heading
    names a concept, it is the form that the nearest one names, such as Survey.
    """
    if index is None or not (taxonomy.concepts or taxonomy.forms):
        return None
    return _meanings(document, taxonomy).of(index).concept


def concepts_above(document: Document, index: int | None, taxonomy: Taxonomy) -> tuple[str, ...]:
    """Return the ids of the concepts (or forms) of a section and those above it, the outermost first."""
    if index is None or not (taxonomy.concepts or taxonomy.forms):
        return ()
    return _meanings(document, taxonomy).of(index).path


class _Meaning(NamedTuple):
    named: Resolution = Resolution()
    # the concepts of the nearest heading that names any, and the section of that.
    concepts: tuple[str, ...] = ()
    section: int | None = None
    form: str | None = None  # the form that the nearest heading names
    # the nearest concept that all of `concepts` are part of, else the first of them, else the form.
    concept: str | None = None
    # the `concept` of each section above that has another one than the next, and its own.
    path: tuple[str, ...] = ()


_NOTHING = _Meaning()
_LIST = "list"  # the form of sections with other lists: `Awesome Lists`


class _Meanings:
    """What the sections of a document name, each found when it is first asked for."""

    def __init__(self, document: Document, taxonomy: Taxonomy) -> None:
        self._document, self._taxonomy = document, taxonomy
        self._found: dict[int, _Meaning] = {}

    def of(self, index: int) -> _Meaning:
        path = []
        section: int | None = index
        while section is not None and section not in self._found:
            path.append(section)
            section = self._document.sections[section].parent
        found = _NOTHING if section is None else self._found[section]
        for section in reversed(path):
            found = self._found[section] = self._below(found, section)
        return found

    def _below(self, above: _Meaning, index: int) -> _Meaning:
        """Return what a section names, given what the one above it does."""
        taxonomy, title = self._taxonomy, self._document.sections[index].title
        around = Surroundings(
            above.concepts,
            above.section == 0,
            partial(self._beside, above, index),
            partial(self._entries, index),
        )
        named = taxonomy.weighed(taxonomy.resolve(title, above.concepts), title, around)
        concepts = tuple(label.concept for label in named.subjects)
        section = index if concepts else above.section
        concepts = concepts or above.concepts
        forms = [label.concept for label in named.forms]
        if _LIST in forms and _is_title(index, self._document):
            forms.remove(_LIST)  # that is the page itself
        form = forms[-1] if forms else above.form
        concept = (taxonomy.common(concepts) or concepts[0]) if concepts else form
        path = above.path if concept is None or concept == above.concept else (*above.path, concept)
        return _Meaning(named, concepts, section, form, concept, path)

    def _beside(self, above: _Meaning, index: int) -> list[Resolution]:
        """Return what the words of the other headings below the same one name, if they may name subjects."""
        sections = self._document.sections
        others = self._children.get(sections[index].parent, ())[:_MOST_BESIDE]
        return [
            self._taxonomy.resolve(sections[other].title, above.concepts)
            for other in others
            if other != index
        ]

    def _entries(self, index: int) -> list[str]:
        """Return the titles and descriptions of the first entries in a section and below it."""
        found: list[str] = []
        for section in (index, *self._children.get(index, ())):
            for entry in self._by_section.get(section, ())[: _MOST_ENTRIES - len(found)]:
                found.append(f"{entry.title.value} {entry.description.value if entry.description else ''}")
        return found

    @cached_property
    def _children(self) -> dict[int | None, list[int]]:
        """The sections below each that may name subjects."""
        children: dict[int | None, list[int]] = {}
        for index, section in enumerate(self._document.sections):
            if names_subject(section, self._taxonomy.vocabulary):
                children.setdefault(section.parent, []).append(index)
        return children

    @cached_property
    def _by_section(self) -> dict[int | None, list[Entry]]:
        entries: dict[int | None, list[Entry]] = {}
        for entry in self._document.entries:
            entries.setdefault(entry.section, []).append(entry)
        return entries


@lru_cache(maxsize=2)  # asked for each section of a document in turn
def _meanings(document: Document, taxonomy: Taxonomy) -> _Meanings:
    return _Meanings(document, taxonomy)
