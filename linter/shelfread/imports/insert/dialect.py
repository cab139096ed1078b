"""How a list writes its entries: their forms, the words of labels, the names of venues and people."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple
from urllib.parse import urlsplit

from shelfread.core.patterns import lazy
from shelfread.document.model import Document, LabelledLink
from shelfread.format.entries.house_style import HouseStyle, count_forms, find_house_style
from shelfread.format.entries.restyle import find_title_lines
from shelfread.format.entries.title_parts import parse_label
from shelfread.imports.imported_entry import given_first
from shelfread.imports.insert.entry_form import ET_AL, Forms
from shelfread.imports.insert.learn_forms import learn_forms
from shelfread.taxonomy.vocabulary import Vocabulary

_FEWEST = 3
"""As many links to a host with the same label show what the list calls them."""
_RARE = 10
"""One of as many names before a title shows a habit."""
_LEAST_PEOPLE = 5
"""As many separators of names, and as many `et al.`, show a habit."""
_VERY_RARE = 20
"""A number of authors that one of as many papers has is no habit."""
_MOST_LOOKED_AT = 3
"""The first authors show how all are written."""
_LONGEST_GAP = 8
"""A separator with its blanks: `, and `."""
_LONGEST_BADGE = 150
_INITIALS = lazy(r"(?:[^\W\d_]\.[ -]?){1,3}[^\W\d_][^\W\d_]")
_GIVEN = lazy(r"([^\W\d_])[^\W\d_]*\.?")
_WITH_ID = lazy(r"([A-Za-z]{3,10}[\s:]{1,3})\d{4}\.\d{4,5}")


class PeopleStyle(NamedTuple):
    """What stands between names, before the last one, and between two, and what is written of given names."""

    between: str
    last: str
    pair: str
    with_initials: bool
    families: bool
    """Whether only the families are named: `Stone et al.`"""
    most: int | None
    """The most authors that are named without `et al.`; None if that is not written."""


class Dialect(NamedTuple):
    """How a list writes its entries."""

    forms: Mapping[str, Forms]
    """By the kind of the entries' blocks."""
    house_style: HouseStyle
    vocabulary: Vocabulary
    venue_names: Mapping[str, Mapping[tuple[str, int], int]]
    """How many entries of a year call a venue by a name, by the venue's label."""
    preprint: str | None
    """What stands before an arXiv id where the list writes it instead of the year: `arXiv `, `arXiv: `."""
    role_order: Mapping[str, float]
    """The mean place of links of a role among those of an entry."""
    host_words: Mapping[tuple[str, str], str]
    """What links of a role to a host are called: `PUB` of a DOI, `arXiv` of a preprint."""
    people: PeopleStyle
    description_stop: str
    """What descriptions end with: a full stop, or nothing."""
    newline: str
    repeats_names: bool
    """Whether a name stands before a title that begins with it, too: `(Quill) Quill: Notes`."""
    names_repositories: bool
    """Whether what lies in a repository is called by its path, `owner/name`."""


def learn_dialect(document: Document, vocabulary: Vocabulary) -> Dialect:
    """Return how a list writes its entries."""
    lines, _ = find_title_lines(document, with_rows=True)
    names: defaultdict[str, Counter[tuple[str, int]]] = defaultdict(Counter)
    places: defaultdict[str, list[int]] = defaultdict(list)
    for entry in document.entries:
        cited = entry.citation
        if cited is not None and cited.venue is not None and cited.name is not None:
            names[cited.venue.label][cited.name.value, entry.year or 0] += 1
        for place, link in enumerate(entry.links if len(entry.links) > 1 else ()):
            if link.role is not None:
                places[link.role.id].append(place)
    house_style = find_house_style(count_forms(lines.values(), vocabulary))
    return Dialect(
        learn_forms(document),
        house_style._replace(label=_label_form(document) or house_style.label),
        vocabulary,
        names,
        _preprint_form(document),
        {role: sum(numbers) / len(numbers) for role, numbers in places.items()},
        _host_words(document, vocabulary),
        _learn_people(document),
        _description_stop(document),
        document.source.newline,
        _repeats_names(document),
        _is_of_repositories(document),
    )


def _preprint_form(document: Document) -> str | None:
    """Return the words before the id of most preprints; None if most have a year."""
    cited = filter(None, (entry.citation for entry in document.entries))
    texts = [
        citation.text for citation in cited if citation.venue is not None and citation.venue.id == "arxiv"
    ]
    leads = Counter(match[1] for text in texts if (match := _WITH_ID.fullmatch(text)))
    return leads.most_common(1)[0][0] if 2 * leads.total() > max(len(texts), _FEWEST) else None


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


def host_of(url: str) -> str:
    """Return the host of a URL without `www.`; empty if it has none."""
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def _host_words(document: Document, vocabulary: Vocabulary) -> dict[tuple[str, str], str]:
    """Return the words that most links of a role to a host have; for no host what those to most hosts have."""
    text = document.source.text
    counts: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    hosts: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    papers = (link for entry in document.entries if entry.kind == "paper" for link in entry.links)
    for link in papers:
        words = _words(link, text)
        is_venue = vocabulary.venue(words) not in (None, vocabulary.venues.get("arxiv"))
        if link.role is not None and link.role.id == "paper" and words and not is_venue:
            host = host_of(link.link.url)
            counts[link.role.id, host][words] += 1
            counts[link.role.id, ""][words] += 1
            hosts[link.role.id, words].add(host)
    usual = {}
    for (role, host), words_of in counts.items():
        words, count = words_of.most_common(1)[0]
        is_general = host or (len(hosts[role, words]) >= _FEWEST and "arxiv" not in words.casefold())
        if count >= _FEWEST and 2 * count > words_of.total() and is_general:
            usual[role, host] = words
    return usual


def _words(link: LabelledLink, text: str) -> str:
    """Return a label that is a word or a picture that shows nothing of its entry alone; else nothing."""
    words = parse_label(link, text).words
    is_badge = words.startswith("![") and len(words) <= _LONGEST_BADGE
    return words if words.isalpha() or is_badge else ""


def _description_stop(document: Document) -> str:
    """Return what most descriptions end with; a full stop if there are none."""
    text = document.source.text
    described = (entry.description.span.end for entry in document.entries if entry.description)
    ends = [text[end - 1 : end] in (".", "。") for end in described]
    return "." if 2 * sum(ends) >= len(ends) else ""


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
def _learn_people(document: Document) -> PeopleStyle:
    """Return how most papers of a list write their authors."""
    text = document.source.text
    between, last, pairs = Counter[str](), Counter[str](), Counter[str]()
    initials, families = Counter[bool](), Counter[bool]()
    named: Counter[int] = Counter()
    cut = 0
    for entry in document.entries:
        gaps = [text[first.span.end : second.span.start] for first, second in pairwise(entry.authors)]
        if any(len(gap) > _LONGEST_GAP or "\n" in gap or not gap.strip(" *_") for gap in gaps):
            continue
        between.update(gaps[:-1])
        (last if len(gaps) > 1 else pairs).update(gaps[-1:])
        if entry.authors and ET_AL.match(text, entry.authors[-1].span.end):
            cut += 1
        elif entry.authors:
            named[len(entry.authors)] += 1
        families.update(" " not in author.value.strip() for author in entry.authors[:_MOST_LOOKED_AT])
        initials.update(
            _INITIALS.match(author.value) is not None for author in entry.authors[:_MOST_LOOKED_AT]
        )
    usual = _usual(between, ", ")
    before_last = _usual(last, usual)
    most = max((number for number, count in named.items() if count * _VERY_RARE > named.total()), default=1)
    return PeopleStyle(
        usual,
        before_last,
        _usual(pairs, before_last),
        initials[True] > 4 * initials[False],
        families[True] > 4 * families[False],
        most if cut >= _LEAST_PEOPLE else None,
    )


def _usual(counts: Counter[str], default: str) -> str:
    return counts.most_common(1)[0][0] if counts.total() >= _LEAST_PEOPLE else default


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
    if not given or not given[-1][0].isupper() or not all(map(_GIVEN.fullmatch, given)):
        return name
    return " ".join([*(f"{part[0]}." for part in given if part[0].isupper()), family])
