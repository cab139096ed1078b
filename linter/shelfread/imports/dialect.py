"""How a list writes its entries: their forms, the words of labels, the names of venues and people."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.document.model import Document
from shelfread.format.house_style import HouseStyle, count_forms, find_house_style
from shelfread.format.restyle import find_title_lines
from shelfread.format.title_parts import parse_label
from shelfread.imports.entry_form import ET_AL, Forms
from shelfread.imports.imported_entry import given_first
from shelfread.imports.learn_forms import learn_forms
from shelfread.index.conventions import Conventions, Question, count_observations
from shelfread.index.observations import AUTHORS, observe
from shelfread.taxonomy.hosts import host_of
from shelfread.taxonomy.vocabulary import Vocabulary

_FEWEST = 3  # as many links to a host with the same label show what the list calls them
_LEAST_CASES = 5  # as many separators of names, and as many `et al.`, show a habit
_RARE = 10  # one of as many names before a title shows a habit
_VERY_RARE = 20  # a number of authors that one of as many papers has is no habit
_MOST_LOOKED_AT = 3  # the first authors show how all are written
_LONGEST_BADGE = 150
_NEUTRAL = frozenset({"paper", "pdf", "link"})
_INITIALS = lazy(r"(?:[^\W\d_]\.[ -]?){1,3}[^\W\d_][^\W\d_]")
_GIVEN = lazy(r"([^\W\d_])[^\W\d_]*\.?")


class PeopleStyle(NamedTuple):
    """What stands between names, before the last one, and between two, and what is written of given names."""

    between: str
    last: str
    pair: str
    with_initials: bool
    families: bool  # whether only the families are named: `Stone et al.`
    most: int | None  # the most authors that are named without `et al.`; None if that is not written


class Dialect(NamedTuple):
    """How a list writes its entries."""

    forms: Mapping[str, Forms]  # by the kind of the entries' blocks
    house_style: HouseStyle
    vocabulary: Vocabulary
    conventions: Conventions
    role_order: Mapping[str, float]  # the mean place of links of a role among those of an entry
    # what links of a role to a host are called: `PUB` of a DOI, `arXiv` of a preprint.
    host_words: Mapping[tuple[str, str], str]
    people: PeopleStyle
    description_stop: str  # what descriptions end with: a full stop, or nothing
    newline: str
    # whether a name stands before a title that begins with it, too: `(Quill) Quill: Notes`.
    repeats_names: bool
    names_repositories: bool  # whether what lies in a repository is called by its path, `owner/name`


def learn_dialect(document: Document, vocabulary: Vocabulary) -> Dialect:
    """Return how a list writes its entries."""
    lines, _ = find_title_lines(document, with_rows=True)
    places: defaultdict[str, list[int]] = defaultdict(list)
    for entry in document.entries:
        for place, link in enumerate(entry.links if len(entry.links) > 1 else ()):
            if link.role is not None:
                places[link.role.id].append(place)
    conventions = count_observations([observe(document)], vocabulary)
    text = document.source.text
    stops = [text[entry.description.span.end - 1] in ".。" for entry in document.entries if entry.description]
    house_style = find_house_style(count_forms(lines.values(), vocabulary))
    return Dialect(
        learn_forms(document),
        house_style._replace(label=_label_form(document) or house_style.label),
        vocabulary,
        conventions,
        {role: sum(numbers) / len(numbers) for role, numbers in places.items()},
        _host_words(document, vocabulary),
        _learn_people(document, conventions),
        "." if 2 * sum(stops) >= len(stops) else "",
        document.source.newline,
        _repeats_names(document),
        _is_of_repositories(document),
    )


def _label_form(document: Document) -> tuple[str, str, str, str] | None:
    """Return the brackets that most labels have, wherever they stand."""
    text = document.source.text
    forms = Counter(
        parse_label(link, text).form
        for entry in document.entries
        if entry.kind == "paper"
        for link in entry.links
        if link.role is not None and link.label.casefold() in map(str.casefold, link.role.labels)
    )
    return forms.most_common(1)[0][0] if forms else None


def _host_words(document: Document, vocabulary: Vocabulary) -> dict[tuple[str, str], str]:
    """Return the words that most links of a role to a host have; for no host those that suit any."""
    counts: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    papers = (link for entry in document.entries if entry.kind == "paper" for link in entry.links)
    for link in papers:
        words = parse_label(link, document.source.text).words
        if link.role is not None and link.role.id == "paper" and _is_general(words, vocabulary):
            counts[link.role.id, host_of(link.link.url)][words] += 1
            if words.casefold() in _NEUTRAL:
                counts[link.role.id, ""][words] += 1
    usual = {key: words_of.most_common(1)[0] for key, words_of in counts.items()}
    return {
        key: words
        for key, (words, count) in usual.items()
        if count >= _FEWEST and 2 * count > counts[key].total()
    }


def _is_general(words: str, vocabulary: Vocabulary) -> bool:
    """Return whether a label is a word or a picture that shows nothing of its entry alone, such as its venue."""
    if words.startswith("!["):
        return len(words) <= _LONGEST_BADGE
    return words.isalpha() and vocabulary.venue(words) in (None, vocabulary.venues.get("arxiv"))


def _usual(conventions: Conventions, question: Question, default: str) -> str:
    """Return the form that most cases have, of at least five."""
    forms = conventions.forms(question)
    return forms.most_common(1)[0][0] if forms.total() >= _LEAST_CASES else default


def _repeats_names(document: Document) -> bool:
    """Return whether some titles begin with the name that stands before them."""
    named = [
        entry.title.value.startswith(entry.name.value)
        for entry in document.entries
        if entry.kind == "paper" and entry.name is not None and entry.name.span.end <= entry.title.span.start
    ]
    return any(named) and sum(named) * _RARE >= len(named)


def _is_of_repositories(document: Document) -> bool:
    """Return whether nearly all names of repositories are their paths: `owner/name`."""
    named = [
        entry.title.value.casefold() == entry.identifiers["github"].casefold()
        for entry in document.entries
        if entry.kind == "classic" and "github" in entry.identifiers
    ]
    return len(named) >= _FEWEST and sum(named) * 5 >= len(named) * 4


# ------------------------------------------------------------------------------------------------------------ people
def _learn_people(document: Document, conventions: Conventions) -> PeopleStyle:
    """Return how most papers of a list write their authors."""
    text = document.source.text
    initials, families = Counter[bool](), Counter[bool]()
    named: Counter[int] = Counter()
    cut = 0
    for entry in document.entries:
        if entry.authors and ET_AL.match(text, entry.authors[-1].span.end):
            cut += 1
        elif entry.authors:
            named[len(entry.authors)] += 1
        names = [author.value.strip() for author in entry.authors[:_MOST_LOOKED_AT]]
        families.update(" " not in name for name in names)
        initials.update(_INITIALS.match(name) is not None for name in names)
    between = _usual(conventions, Question(AUTHORS, "between authors"), ", ")
    last = _usual(conventions, Question(AUTHORS, "before the last author"), between)
    most = max((number for number, count in named.items() if count * _VERY_RARE > named.total()), default=1)
    return PeopleStyle(
        between,
        last,
        _usual(conventions, Question(AUTHORS, "between two authors"), last),
        initials[True] > 4 * initials[False],
        families[True] > 4 * families[False],
        most if cut >= _LEAST_CASES else None,
    )


def write_people(authors: Sequence[str], style: PeopleStyle) -> str:
    """Return names as a list writes them."""
    names = [given_first(author) for author in authors]
    if style.families:
        names = [
            author.partition(",")[0].strip() if "," in author else author.split()[-1] for author in authors
        ]
    elif style.with_initials:
        names = [_with_initials(name) for name in names]
    if len(names) < 2:
        return "".join(names)
    last = style.last if len(names) > 2 else style.pair
    return f"{style.between.join(names[:-1])}{last}{names[-1]}"


def _with_initials(name: str) -> str:
    *given, family = name.split()
    parts = [part.split("-") for part in given]
    if (
        not given
        or not given[-1][0].isupper()
        or not all(_GIVEN.fullmatch(each) for part in parts for each in part)
    ):
        return name
    initials = ("-".join(f"{each[0]}." for each in part) for part in parts if part[0][0].isupper())
    return " ".join([*initials, family])
