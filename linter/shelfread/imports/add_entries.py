"""The command `add`: entries of what a person names (a DOI, an arXiv id, a repository, a page), as services know it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html.parser import HTMLParser
from typing import NamedTuple

from shelfread.core.errors import InputError
from shelfread.core.patterns import lazy
from shelfread.document.identity import fold_title, identify, title_key
from shelfread.imports.from_ids import KIND, NO_DOI, address_of
from shelfread.imports.imported_entry import EntryOrigin, ImportedEntry, build_entry, given_first
from shelfread.imports.look_up import Network, Paper, Services, ask_services, look_up
from shelfread.imports.paper_services import YEAR, fetch_preprints, fetch_published
from shelfread.imports.service import ServiceError, answer, doi_of, json_of, text_of, url_of, year_of
from shelfread.imports.stated_venue import NO_VENUE, StatedVenue
from shelfread.index.answers import Work, is_published
from shelfread.index.known_works import Stated, published
from shelfread.links.attempts import decode_page
from shelfread.links.exchange import REDIRECTS, Fetch, FetchError, Reply, Request
from shelfread.links.repositories import authorization, read_token
from shelfread.links.wire_url import redirected
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
    if url.startswith("https://doi.org/10.5555/"):
        raise InputError(NO_DOI, word)
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


_GITHUB = "GitHub"
_MOST_REDIRECTS = 10
_MARKUP = ("text/html", "application/xhtml+xml")
_VENUES = ("citation_conference_title", "citation_journal_title", "citation_inbook_title")


async def find_works(
    identifiers: Mapping[str, str], url: str, services: Services, token: str
) -> Sequence[Work]:
    """Return what is known of a thing, the best source first, and of a paper where it was published; raises ServiceError."""
    fetch, endpoints = services.fetch, services.endpoints
    works: Sequence[Work]
    if doi := identifiers.get("doi", "").lower():
        works = (await fetch_published([doi], fetch, endpoints)).get(doi, ())
    elif id := identifiers.get("arxiv", "").lower():
        works = await _preprint(id, services)
    elif name := identifiers.get("github"):
        return await _repository(name, services, token)
    else:
        works = await _page(url, fetch)
        if not any(work.authors or work.doi for work in works):
            return works  # no paper
    return [*works, *await _published(works, services)]


async def _preprint(id: str, services: Services) -> list[Work]:
    works = (await fetch_preprints([id], services.fetch, services.endpoints)).get(id, ())
    dois = [work.doi for work in works if work.doi]
    try:
        published = await fetch_published(dois, services.fetch, services.endpoints)
    except ServiceError:
        published = {}
    return [*works, *(work for doi in dois for work in published.get(doi, ()))]


async def _published(works: Sequence[Work], services: Services) -> list[Work]:
    """Return the works with the title and an author of these, if they do not tell where the paper was published."""
    if not works or is_published(works):
        return []
    title = fold_title(works[0].title)
    key = title_key(title)
    if key is None:
        return []
    similar = await look_up([Paper(works[0].title, title_key=key)], services, lambda known: False)
    authors = _words_of_authors(works[0])
    return [
        work
        for work in similar.get(key, ())
        if fold_title(work.title) == title and not authors.isdisjoint(_words_of_authors(work))
    ]


def _words_of_authors(work: Work) -> set[str]:
    return {word for author in work.authors for word in fold_title(author).split()}


async def _repository(name: str, services: Services, token: str) -> list[Work]:
    """Return the repository `owner/name`: <https://docs.github.com/en/rest/repos/repos#get-a-repository>."""
    headers = {"Accept": "application/vnd.github+json", **authorization(services.endpoints, token)}
    request = Request(f"{services.endpoints.github_api}/repos/{name}", headers=headers)
    reply = await answer(_GITHUB, request, services.fetch, missing=404)
    if reply.status == 404:
        return []
    data = json_of(_GITHUB, reply)
    title, url = text_of(data.get("name")), url_of(data.get("html_url"))
    if text_of(data.get("full_name")).lower() != name.lower() or not title or not url:
        raise ServiceError(_GITHUB, f"answered with another repository than {name}")
    return [Work(_GITHUB, title, url=url, code=url, description=text_of(data.get("description")))]


# ------------------------------------------------------------------------------------------------------------- a page
async def _page(url: str, fetch: Fetch) -> list[Work]:
    """Return what a page says of itself: the `citation_*` tags of publishers, Open Graph, its title."""
    reply = await _follow(url, fetch)
    content_type = reply.headers.get("content-type", "")
    if not content_type.lower().startswith(_MARKUP):
        return []
    head = _Head()
    head.feed(decode_page(reply.body, content_type))
    cited = head.first("citation_title")
    title = cited or head.first("og:title") or text_of(head.title)
    if not title:
        return []
    work = Work(
        source=_host(url),
        title=title,
        url=url,
        doi=doi_of(head.first("citation_doi")),
        description=head.first("og:description") or head.first("description"),
    )
    if not cited:
        return [work]
    year = YEAR.search(head.first("citation_publication_date") or head.first("citation_date"))
    return [
        work._replace(
            authors=tuple(map(given_first, head.values.get("citation_author", ()))),
            venue=next(filter(None, map(head.first, _VENUES)), ""),
            year=year_of(year[0]) if year else None,
        )
    ]


def _host(url: str) -> str:
    return url.partition("://")[2].partition("/")[0]


async def _follow(url: str, fetch: Fetch) -> Reply:
    """Return the last reply of a chain of redirects; raises ServiceError if there is none."""
    current = url
    for _ in range(_MOST_REDIRECTS):
        try:
            reply = await fetch(Request(current))
            if reply.status == 200:
                return reply
            location = reply.headers.get("location", "")
            if reply.status not in REDIRECTS or not location:
                raise ServiceError(_host(url), f"answered {reply.status}")
            current = redirected(current, location)
        except FetchError as error:
            raise ServiceError(_host(url), f"does not answer: {error}") from None
    raise ServiceError(_host(url), "redirects too often")


class _Head(HTMLParser):
    """The title and the meta tags of a page; the body is not read."""

    def __init__(self) -> None:
        super().__init__()
        self.title = ""
        self.values: dict[str, list[str]] = {}
        self._in_title = self._is_done = False

    def first(self, name: str) -> str:
        """Return the first value of a meta tag; empty if there is none."""
        return next(iter(self.values.get(name, ())), "")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in reversed(attrs)}
        self._in_title = tag == "title" and not self.title and not self._is_done
        if tag == "body":
            self._is_done = True
        elif tag == "meta" and not self._is_done and (value := text_of(given.get("content"))):
            name = (given.get("name") or given.get("property") or "").lower()
            self.values.setdefault(name, []).append(value)

    def handle_endtag(self, tag: str) -> None:
        self._in_title = False

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title += data
