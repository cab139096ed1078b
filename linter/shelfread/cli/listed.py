"""The projects of a run over links: what was read of each, and which links it is to ask for."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from shelfread.document.read import read
from shelfread.engine.run import LoadedProject, Run, RunRequest, read_project
from shelfread.linkcheck.extract import LinkOccurrence, mentions, new_mentions
from shelfread.project.config import IgnoredUrl


class Listed(NamedTuple):
    """A project on its way: what is to be done with it, what was read, and what its links are."""

    order: RunRequest
    reading: LoadedProject
    mentions: Mapping[str, Sequence[LinkOccurrence]]
    """Every place, by file."""
    wanted: Sequence[LinkOccurrence]
    """Those that are to be asked for."""
    silent: Mapping[str, IgnoredUrl]
    """Links of which nothing is said."""
    over: Mapping[str, IgnoredUrl]
    """Links of which something is said again."""


def read_lists(order: RunRequest) -> Listed:
    """A project read, and its links sorted by what its configuration says of them."""
    from shelfread.linkcheck.ignores import expired, silenced

    reading = read_project(order)
    known: dict[str, Sequence[LinkOccurrence]] = {
        path: mentions(document) for path, document in reading.documents.items()
    }
    new = known if order.past is None else new_mentions(order.past, known, order.taxonomy.vocabulary)
    wanted = [one for some in new.values() for one in some]
    silences, today = order.selection.config.ignored_urls, date.today()
    silent: dict[str, IgnoredUrl] = {}
    over: dict[str, IgnoredUrl] = {}
    for url in dict.fromkeys(one.url for one in wanted) if silences else ():
        key = url.partition("#")[0]
        if (one := silenced(url, silences, today)) is not None:
            silent[key] = one
        elif (former := expired(url, silences, today)) is not None:
            over[key] = former
    return Listed(order, reading, known, [one for one in wanted if one.key not in silent], silent, over)


def dates_of(urls: Collection[str], lists: Sequence[Listed]) -> dict[str, date]:
    """The days on which links were listed first, as far as git knows."""
    from shelfread.linkcheck.repair.git_blame import dates

    wanted = set(urls)
    found: dict[str, date] = {}
    for each in lists:
        for path, some in each.mentions.items():
            source = each.reading.documents[path].source
            lines = {
                one.key: source.position(one.span.start)[0] for one in reversed(some) if one.key in wanted
            }
            days = dates(path, set(lines.values())) if lines else {}
            for url, line in lines.items():
                if line in days:
                    found[url] = min(found.get(url, days[line]), days[line])
    return found


def mentions_now(whole: Run, lists: Sequence[Listed]) -> dict[str, Sequence[LinkOccurrence]]:
    """The places of links in the texts as they are now."""
    found: dict[str, Sequence[LinkOccurrence]] = {}
    for each in lists:
        for path, some in each.mentions.items():
            found[path] = some
    vocabularies = {path: each.order.taxonomy.vocabulary for each in lists for path in each.mentions}
    for outcome in whole.outcomes:
        if outcome.fixed and outcome.fixed.text == outcome.source.text and outcome.fixed.applied:
            found[outcome.path] = mentions(read(outcome.source, vocabularies[outcome.path]))
    return found
