"""The vocabulary for reading entries: venues and link roles."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from shelfread.core.patterns import lazy
from shelfread.taxonomy.hosts import (
    NOT_OWNERS,
    ROLELESS,
    UrlTables,
    build_url_tables,
    find_evidence,
    split_url,
)
from shelfread.taxonomy.label_forms import fold, squash

VOCABULARY_FILES = ("links", "venues")  # the files of the bundled vocabulary
Terms = Mapping[str, Mapping[str, Any]]  # parsed terms by id


class Years(NamedTuple):
    """Years of editions: every `step` years from `first` to `last`. None is an open end."""

    first: int | None
    last: int | None
    step: int = 1

    def __contains__(self, year: object) -> bool:
        if not isinstance(year, int) or (self.last is not None and year > self.last):
            return False
        return self.first is None or (year >= self.first and (year - self.first) % self.step == 0)


class VenueName(NamedTuple):
    """The name of a venue from one year to another. None is an open end."""

    label: str
    first: int | None
    last: int | None


_EVER = Years(None, None)


class Venue(NamedTuple):
    """A place of publication. With `confidence` low or medium, its years are not certain."""

    id: str
    label: str  # the prefLabel, which `export` prints as `venue`
    kind: str  # conference, journal, workshop, preprint or other
    labels: tuple[str, ...]  # every spelling: the label, the full name, altLabels and former names
    years: tuple[Years, ...] = ()
    names: tuple[VenueName, ...] = ()
    confidence: str = "high"
    certain_years: Years = _EVER  # the years for which `years` is certain
    name: str = ""  # the full name
    # the id of the journal that publishes its papers (PVLDB for VLDB). Entries may state either.
    published_in: str | None = None
    # the term as the file has it, with the parts of URLs that prove it (see evidence.py).

    def __hash__(self) -> int:
        return hash(self.id)

    def held_in(self, year: int) -> bool | None:
        """Return whether there was (or will be) an edition in a year, None if it is not certain."""
        if not self.years or self.confidence != "high" or year not in self.certain_years:
            return None
        return any(year in years for years in self.years)

    def label_in(self, year: int) -> str:
        """Return the name in a year: NIPS in 2017, NeurIPS in 2018."""
        for name in self.names:
            if year in Years(name.first, name.last):
                return name.label
        return self.label

    def renamed(self, name: str, year: int | None) -> tuple[str | None, int]:
        """Return the name that it had in a year if the given one, not the present one, was out of use by then, and since when."""
        given = next((known for known in self.names if known.label.casefold() == name.casefold()), None)
        if year is None or given is None or given.last is None or year <= given.last:
            return None, 0
        return self.label_in(year), given.last + 1


class Venues(Mapping[str, Venue]):
    """Venues by id, each made of its term when it is asked for: a list names few of them."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self._made: dict[str, Venue] = {}

    def __getitem__(self, id: str) -> Venue:
        made = self._made.get(id)
        if made is None:
            made = self._made[id] = _venue(id, self.terms[id])
        return made

    def __iter__(self) -> Iterator[str]:
        return iter(self.terms)

    def __len__(self) -> int:
        return len(self.terms)

    def labels(self) -> Iterator[tuple[str, str]]:
        """Yield each spelling with the id of its venue."""
        for id, term in self.terms.items():
            for label in _venue_labels(term):
                yield label, id


def _venue_labels(term: Mapping[str, Any]) -> Iterable[str]:
    label = term["prefLabel"]
    return dict.fromkeys((label, term.get("name", label), *term.get("altLabel", ()), *term.get("names", ())))


def _venue(id: str, term: Mapping[str, Any]) -> Venue:
    label = term["prefLabel"]
    names = term.get("names", {})
    return Venue(
        id=id,
        label=label,
        kind=term.get("kind", "other"),
        labels=tuple(_venue_labels(term)),
        years=tuple(map(_years, term.get("years", ()))),
        names=tuple(VenueName(name, *_years(years)[:2]) for name, years in names.items()),
        confidence=term.get("confidence", "high"),
        certain_years=_years(term.get("known", "..")),
        name=term.get("name", label),
        published_in=term.get("publishedIn"),
    )


def _years(given: int | str) -> Years:
    """Parse years: `2004`, `2004..` (from), `..2017` (up to), `1994..2020/2` (every second one)."""
    if isinstance(given, int):
        return Years(given, given)
    first, _, rest = given.partition("..")
    last, _, step = rest.partition("/")
    return Years(int(first) if first else None, int(last) if last else None, int(step) if step else 1)


class Role(NamedTuple):
    """What a link of an entry leads to, and the labels that lists use for it."""

    id: str
    label: str
    labels: tuple[str, ...]
    # hosts (and their subdomains), some with a prefix of the path, in which `*` is any part of a segment.
    hosts: tuple[str, ...] = ()


class Evidence(NamedTuple):
    """The venue and year that a URL proves, None if it does not."""

    venue: Venue | None
    year: int | None


# Pages about a repository, and files in it that are no code.
_NO_CODE = lazy(
    r"(?:(?:/[^/?#]+){2}|/[^?#]{1,300}?/-)/(?:issues?|pulls?|pull-requests|merge_requests|discussions|wikis?|projects|assets"
    r"|stargazers|watchers|forks|network|graphs|pulse|milestones?|labels|security|releases?|actions|commits?|compare|packages)(?![^/?#])"
    r"|(?:/[^/?#]+){2}/[^/?#][^?#]*\.(?:md|markdown|rst|adoc|txt|html?|pdf|pptx?|docx?|epub|png|jpe?g|gif|svg|webp|mp4)(?![^?#])",
    re.IGNORECASE,
)
# What a host has beside what its role is: a PDF is no page of a project.
_NOT_OF = {"code": _NO_CODE, "project": lazy(r"[^?#]{1,500}\.pdf$", re.IGNORECASE)}
_SITES = {"hf": "huggingface", "onedrive": "1drv"}


def names_host(label: str, url: str) -> bool:
    """Return whether a label is the name of a URL's host: `Hugging Face` of `https://huggingface.co/datasets/oak/shelf`."""
    name = squash(label)
    return split_url(url)[0].partition(".")[0] == _SITES.get(name, name)


def _beginning(pattern: str) -> Callable[[str], object]:
    """Return a test whether a path begins with a pattern, in which `*` is any characters of one segment."""
    if "*" not in pattern:
        return lambda path: path.startswith(pattern)
    return lazy(re.escape(pattern).replace(r"\*", "[^/?#]+")).match


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Venues and link roles by id, roles in their usual order. Lookups accept any label in any spelling."""

    venues: Venues
    roles: Mapping[str, Role]

    def venue(self, text: str) -> Venue | None:
        """Return the venue of a name without a year, ignoring case and punctuation, or None."""
        id = self._venue_ids.get(squash(text))
        return None if id is None else self.venues[id]

    def role(self, label: str, url: str = "") -> Role | None:
        """Return the role of a label, or else that of the URL's host, or None. A label that only names the host tells nothing."""
        role = self._label_role(label) if label else None
        if not url or (role is not None and not names_host(label, url)):
            return role
        return self._host_role(url) or role

    @cached_property
    def _label_role(self) -> Callable[[str], Role | None]:
        @lru_cache(maxsize=256)  # most labels recur
        def label_role(label: str) -> Role | None:
            roles, written = self._role_labels, label.casefold()
            role = roles.get(written) or roles.get(written.rstrip("0123456789"))  # `paper2`
            return role or (roles.get(fold(label)) if len(label) <= self._longest_label else None)

        return label_role

    @cached_property
    def _host_role(self) -> Callable[[str], Role | None]:
        @lru_cache(maxsize=64)  # each URL is looked up several times in quick succession
        def host_role(url: str) -> Role | None:
            host, path = split_url(url)
            if host == "github.com" and path[1:].partition("/")[0].lower() in NOT_OWNERS:
                return None
            known = self._role_hosts.get(host, ())
            while host:
                for begins, role in known:
                    if begins(path):
                        return (
                            None if role and (other := _NOT_OF.get(role.id)) and other.match(path) else role
                        )
                host = host.partition(".")[2]
                known = self._role_hosts.get(f".{host}", ())
            return None

        return host_role

    def evidence(self, url: str) -> Evidence | None:
        """Return the venue and year that a URL, or the DOI in it, proves, or None."""
        proven = find_evidence(url, self._url_tables)
        venue = self.venues.get(proven.venue) if proven is not None else None
        if proven is None or venue is None:
            return None
        # The year in a journal's URL is that of early access, not of the issue.
        return Evidence(venue, None if venue.kind == "journal" else proven.year)

    def are_equivalent(self, venue: Venue, other: Venue) -> bool:
        """Return whether a paper may state either venue: VLDB and PVLDB, OOPSLA and PACMPL."""
        return venue.id == other.id or venue.published_in == other.id or other.published_in == venue.id

    @cached_property
    def _venue_ids(self) -> dict[str, str]:
        return {squash(label): id for label, id in self.venues.labels()}

    @cached_property
    def _role_labels(self) -> dict[str, Role]:
        return {fold(label): role for role in self.roles.values() for label in role.labels}

    @cached_property
    def _longest_label(self) -> int:
        """The length of the longest label, with room for the marks around it."""
        return max(map(len, self._role_labels), default=0) + 20

    @cached_property
    def _role_hosts(self) -> dict[str, list[tuple[Callable[[str], object], Role | None]]]:
        """The roles of the beginnings of paths, by hosts: `x.org`, and `.x.org` for its subdomains."""
        given = [(pattern, role) for role in self.roles.values() for pattern in role.hosts]
        hosts: dict[str, list[tuple[str, Role | None]]] = {}
        for pattern, role in (*((pattern, None) for pattern in ROLELESS), *given):
            host, slash, path = pattern.partition("/")
            hosts.setdefault(host, []).append((slash + path, role))
            if not path.startswith("*/*"):  # an owner and a name, on the host itself
                hosts.setdefault(f".{host}", []).append((slash + path, role))
        for roles in hosts.values():
            roles.sort(key=lambda role: -len(role[0].replace("*", "")))
        return {host: [(_beginning(path), role) for path, role in roles] for host, roles in hosts.items()}

    @cached_property
    def _url_tables(self) -> UrlTables:
        return build_url_tables(self.venues.terms)
