"""The command `add`: entries of what a person names, with what services know of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from shelfread.core.errors import InputError
from shelfread.core.patterns import lazy
from shelfread.document.identity import identify
from shelfread.imports.find_work import find_works
from shelfread.imports.from_ids import KIND, address_of
from shelfread.imports.imported_entry import EntryOrigin, ImportedEntry, build_entry
from shelfread.imports.look_up import Network, Services, ask_services
from shelfread.imports.service import ServiceError
from shelfread.imports.stated_venue import NO_VENUE, StatedVenue
from shelfread.index.answers import Work
from shelfread.index.known_works import Stated, published
from shelfread.links.repositories import read_token
from shelfread.taxonomy.vocabulary import Vocabulary

_REPOSITORY = lazy(r"[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9._-]{1,100}")
_UNKNOWN = {
    "doi": "Crossref does not know this DOI",
    "arxiv": "arXiv has no such paper",
    "github": "GitHub has no such repository",
}
_EMOJI_CODE = lazy(r":[a-z0-9_+-]{2,30}:")
_MARKDOWN_LINK = lazy(r"\[([^\[\]]{0,200})\]\([^()\s]{0,500}\)")
_BARE_URL = lazy(r"(?i)\(?\b(?:https?://|www\.)\S+")
_DECORATION = lazy(r"^[^\w(\"'\[]+|[^\w)\"'\].!?]+$")


class Named(NamedTuple):
    """What a person named: the word, its URL and its identifiers."""

    word: str
    url: str
    identifiers: Mapping[str, str]


class Added(NamedTuple):
    """Entries, why some were not made, and what people should know."""

    entries: list[ImportedEntry]
    problems: list[str]
    notes: list[str]


def name(word: str) -> Named:
    """Return what a URL, DOI, arXiv id or OWNER/REPOSITORY names. Raises InputError for anything else."""
    url = address_of(word)
    if url is None and _REPOSITORY.fullmatch(word):
        url = f"https://github.com/{word}"
    if url is None:
        raise InputError(
            "expected a URL, a DOI (10.1145/...), an arXiv id (1706.03762) or a repository (owner/name)", word
        )
    return Named(word, url, identify(url))


def offline_entries(names: Sequence[Named], vocabulary: Vocabulary) -> Added:
    """Return what the identifiers alone prove: the name of a repository, the venue of a DOI, the year of an arXiv id."""
    return Added([_entry(named, [], [], vocabulary) for named in names], [], [])


def find_entries(names: Sequence[Named], vocabulary: Vocabulary, network: Network) -> Added:
    """Return an entry for each name, as far as services know it."""
    added = Added([], [], [])

    async def find(services: Services) -> None:
        for named in names:
            await _find(named, vocabulary, services, added)

    _, failures = ask_services(network, find)
    added.notes.extend(f"{failure}: the venue may be missing" for failure in failures)
    return added


async def _find(named: Named, vocabulary: Vocabulary, services: Services, added: Added) -> None:
    try:
        works = await find_works(named.identifiers, named.url, services, read_token())
    except ServiceError as error:
        added.problems.append(f"{named.word}: {error}. 'add --offline' takes what the identifier says")
        return
    if not works:
        reasons = [text for kind, text in _UNKNOWN.items() if kind in named.identifiers]
        reason = reasons[0] if reasons else "the page does not say what it is"
        added.problems.append(f"{named.word}: {reason}")
        return
    stated = published(works, vocabulary)
    if len(stated) > 1:
        shown = ", ".join(f"{claim.publication.text} ({claim.by})" for claim in stated)
        added.notes.append(f"{named.word}: the sources differ, so none is taken: {shown}")
    added.entries.append(_entry(named, works, stated, vocabulary))


def _entry(
    named: Named, works: Sequence[Work], stated: Sequence[Stated], vocabulary: Vocabulary
) -> ImportedEntry:
    origin = EntryOrigin(named.word, 1, 1)
    known = named.identifiers
    is_paper = "doi" in known or "arxiv" in known or any(work.authors for work in works)
    title = works[0].title if works else ""
    if not is_paper:
        label = title or known.get("github", "").partition("/")[2]
        about = _description(works[0].description) if works else ""
        entry = build_entry(
            label, origin, KIND, vocabulary, links=[(label, named.url)], description=about, name=label
        )
        return {**entry, "title": label or None, "name": label or None}
    venue, year = _venue(works, stated, vocabulary)
    code = next((work.code for work in works if work.code), "")
    arxiv = known.get("arxiv") or next((work.arxiv for work in works if work.arxiv), None)
    entry = build_entry(
        title, origin, KIND, vocabulary, authors=works[0].authors if works else (), venue=venue, year=year,
        doi=known.get("doi"), arxiv=arxiv, links=[("", named.url), *([("Code", code)] if code else [])],
    )  # fmt: skip
    return entry if works else {**entry, "title": None}


def _venue(
    works: Sequence[Work], stated: Sequence[Stated], vocabulary: Vocabulary
) -> tuple[StatedVenue, int | None]:
    """Return the venue that the sources agree on; else arXiv for its papers."""
    if len(stated) == 1:
        publication = stated[0].publication
        venue = vocabulary.venues.get(publication.venue)
        return StatedVenue(venue, publication.name, publication.year, True), publication.year
    year = next((work.year for work in works if work.is_preprint), None)
    if any(work.arxiv for work in works) and (arxiv := vocabulary.venues.get("arxiv")):
        return StatedVenue(arxiv, arxiv.label, year, True), year
    return NO_VENUE, year


def _description(text: str) -> str:
    """Return a sentence of what a repository or a page says of itself: without emoji and links, with a full stop."""
    text = _BARE_URL.sub("", _MARKDOWN_LINK.sub(r"\1", text))
    text = " ".join(_DECORATION.sub("", _EMOJI_CODE.sub("", text)).split())
    if not text:
        return ""
    return (text[0].upper() + text[1:] if text[0].islower() else text) + ("" if text[-1] in ".!?" else ".")
