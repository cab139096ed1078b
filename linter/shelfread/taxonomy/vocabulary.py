"""Venues and link roles: the words that reading an entry needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple

from shelfread.taxonomy.evidence import UrlTables, build_url_tables, find_evidence, split_url
from shelfread.taxonomy.fold import fold, squash


class Years(NamedTuple):
    """Editions: every `step` years from `first` to `last`; None is an open end."""

    first: int | None
    last: int | None
    step: int = 1

    def __contains__(self, year: object) -> bool:
        if not isinstance(year, int) or (self.last is not None and year > self.last):
            return False
        return self.first is None or (year >= self.first and (year - self.first) % self.step == 0)


class Name(NamedTuple):
    """What a venue was called from one year to another; None is an open end."""

    label: str
    first: int | None
    last: int | None


_EVER = Years(None, None)


@dataclass(frozen=True, slots=True)
class Venue:
    """A place of publication; `confidence` low or medium says that its years are not certain."""

    id: str
    label: str
    """The prefLabel: what export gives as `venue`."""
    kind: str
    """conference, journal, workshop, preprint or other."""
    labels: tuple[str, ...]
    """Every spelling that names it: label, full name, altLabels, the names it had."""
    years: tuple[Years, ...] = ()
    names: tuple[Name, ...] = ()
    confidence: str = "high"
    certain_years: Years = _EVER
    """The years for which `years` is certain; outside them nothing is said."""
    name: str = ""
    """The full name."""
    published_in: str | None = None
    """The id of the journal that prints its papers (PVLDB for VLDB): either may be stated."""
    facts: Mapping[str, object] = field(default_factory=dict, repr=False, compare=False)
    """The term as the file has it: what its addresses look like (see evidence.py) ..."""

    def held_in(self, year: int) -> bool | None:
        """Whether there was (or will be) an edition in that year; None where it is not certain."""
        if not self.years or self.confidence != "high" or year not in self.certain_years:
            return None
        return any(year in years for years in self.years)

    def label_in(self, year: int) -> str:
        """What it was called in that year: NIPS in 2017, NeurIPS in 2018."""
        for name in self.names:
            if year in Years(name.first, name.last):
                return name.label
        return self.label


class Role(NamedTuple):
    """What a link of an entry leads to, and the labels that lists give it."""

    id: str
    label: str
    labels: tuple[str, ...]
    hosts: tuple[str, ...] = ()
    """Where it lives: a host (its subdomains too), with the beginning of a path where that decides."""


class Evidence(NamedTuple):
    """What an address proves by itself; None where it does not tell."""

    venue: Venue | None
    year: int | None


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Venues and roles by id, with look-up by any of their labels, folded; roles in their usual order."""

    venues: Mapping[str, Venue]
    roles: Mapping[str, Role]

    def venue(self, text: str) -> Venue | None:
        """The venue of that name, whatever its case and punctuation; `text` holds no year."""
        return self._venue_labels.get(squash(text))

    def role(self, label: str, url: str = "") -> Role | None:
        """The role that the label says, else the one that the address's host has."""
        if label:
            said = self._said_role(label)
            if said is not None or not url:
                return said
        return self._host_role(url) if url else None

    @cached_property
    def _said_role(self) -> Callable[[str], Role | None]:
        @lru_cache(maxsize=256)  # most labels are a few words, again and again
        def said_role(label: str) -> Role | None:
            said = self._role_labels.get(label.casefold())
            if said is None and not (label.isascii() and label.replace(" ", "").isalnum()):
                said = self._role_labels.get(fold(label))  # plain words are folded already
            return said

        return said_role

    @cached_property
    def _host_role(self) -> Callable[[str], Role | None]:
        @lru_cache(maxsize=64)  # one address is asked for several times, shortly after each other
        def host_role(url: str) -> Role | None:
            host, path = split_url(url)
            while host:
                for start, role in self._role_hosts.get(host, ()):
                    if path.startswith(start):
                        return role
                host = host.partition(".")[2]
            return None

        return host_role

    def evidence(self, url: str) -> Evidence | None:
        """What an address, or the DOI in it, proves of venue and year; None when it proves nothing."""
        proven = find_evidence(url, self._marks)
        if proven is None:
            return None
        venue = self.venues.get(proven.venue)
        if venue is None:
            return None
        # A journal's address carries the year of early access, not of the issue.
        return Evidence(venue, None if venue.kind == "journal" else proven.year)

    def are_equivalent(self, one: Venue, other: Venue) -> bool:
        """Whether one paper can rightly be said to be of either: VLDB and PVLDB, OOPSLA and PACMPL."""
        return one.id == other.id or one.published_in == other.id or other.published_in == one.id

    @cached_property
    def _venue_labels(self) -> dict[str, Venue]:
        return {squash(label): venue for venue in self.venues.values() for label in venue.labels}

    @cached_property
    def _role_labels(self) -> dict[str, Role]:
        return {fold(label): role for role in self.roles.values() for label in role.labels}

    @cached_property
    def _role_hosts(self) -> dict[str, list[tuple[str, Role]]]:
        hosts: dict[str, list[tuple[str, Role]]] = {}
        for role in self.roles.values():
            for place in role.hosts:
                host, slash, path = place.partition("/")
                hosts.setdefault(host, []).append((slash + path, role))
        for places in hosts.values():
            places.sort(key=lambda place: -len(place[0]))
        return hosts

    @cached_property
    def _marks(self) -> UrlTables:
        return build_url_tables({venue.id: venue.facts for venue in self.venues.values()})
