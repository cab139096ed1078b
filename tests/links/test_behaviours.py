"""The table of docs/links.md: what hosts do, and the verdicts of three runs a week apart."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

import shelfread.links.resolve
from shelfread.index.answers import LinkRecord
from shelfread.links.cache.record_cache import decode, encode
from support.behaviours import BEHAVIOURS, RUN, Page
from support.links import check
from support.paths import ROOT
from support.web import EXPIRED, Resolver, Settings, Web, page, serve

WEEK = 7 * 86400
NOW = 1_795_000_000.0
NAMES = {
    behaviour: f"b{number}.{'github.io' if 'GitHub Pages' in behaviour else 'test'}"
    for number, behaviour in enumerate(BEHAVIOURS)
}
CERTIFICATES = {NAMES["answers 404 behind a certificate that has expired"]: EXPIRED}
REFUSED = "127.1.0.1"
"""An address of nobody."""


def rows() -> list[list[str]]:
    text = (ROOT / "docs/links.md").read_text(encoding="utf-8")
    found = re.findall(r"^\| (.+?) \| (\w+) \| (\w+) \| (\w+) \|$", text, re.M)
    return [list(row) for row in found]


class Names(Resolver):
    """The names of the table, of which some cannot be resolved."""

    def __init__(self, web: Web, offline: bool) -> None:
        names = dict(web.resolver().names)
        del (
            names[NAMES["has a name that does not exist"]],
            names[NAMES["has a name that does not exist, as all names do offline"]],
        )
        names[NAMES["accepts no connection"]] = [[REFUSED]]
        if offline:
            for probe in Settings().network_probes:
                del names[probe]
        super().__init__(names, frozenset({NAMES["has a name server that fails"]}))


def url_of(web: Web, behaviour: str) -> str:
    name = NAMES[behaviour]
    if behaviour == "ends the handshake of TLS":
        return f"https://{name}:{web.ports['http']}/x"
    return web.url(name, BEHAVIOURS[behaviour].path, "https" if name in CERTIFICATES else "http")


@pytest.fixture(scope="module")
def verdicts() -> Iterator[dict[str, list[str]]]:
    """The verdicts of all behaviours in three runs; the offline one has runs of its own."""
    patch = pytest.MonkeyPatch()
    sites = {NAMES[name]: behaviour.site for name, behaviour in BEHAVIOURS.items()}
    sites["ww25.parked.test"] = {"/": page()}
    found: dict[str, list[str]] = {behaviour: [] for behaviour in BEHAVIOURS}
    known: dict[str, LinkRecord] = {}
    with serve(sites, CERTIFICATES) as web:
        ours = web.is_ours
        patch.setattr(web, "is_ours", lambda ip, port: ours(ip, port) or ip == REFUSED)
        for run in range(3):
            RUN["number"] = run
            patch.setattr(shelfread.links.resolve, "time", lambda run=run: NOW + run * WEEK)
            for offline in (False, True):
                chosen = [one for one in BEHAVIOURS if offline == one.endswith("do offline")]
                urls = {url_of(web, behaviour): behaviour for behaviour in chosen}
                if offline:
                    urls[url_of(web, "answers 403")] = ""  # somebody answers: there is a network
                records = check(web, list(urls), list(urls), known, resolver=Names(web, offline))
                for url, record in records.items():
                    if urls[url]:
                        found[urls[url]].append(record.verdict.value)
                        text = encode(record)
                        kept = decode(url, text) if text else None
                        known |= {url: kept} if kept else {}
    patch.undo()
    yield found


def test_the_table_has_all_behaviours() -> None:
    assert [row[0] for row in rows()] == list(BEHAVIOURS)


@pytest.mark.parametrize("row", rows(), ids=lambda row: row[0][:40])
def test_behaviour(verdicts: dict[str, list[str]], row: list[str]) -> None:
    behaviour, *expected = row
    assert verdicts[behaviour] == expected


def test_no_page_that_is_there_is_dead_in_any_run(verdicts: dict[str, list[str]]) -> None:
    dead = {name for name, found in verdicts.items() if "dead" in found}
    assert dead == {name for name, behaviour in BEHAVIOURS.items() if behaviour.page is Page.GONE}
