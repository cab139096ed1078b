"""The table of docs/links.md: what hosts do, and the verdicts of three runs a week apart."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping
from itertools import permutations
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest

import shelfread.links.online_check
from shelfread.index.answers import LinkRecord
from shelfread.links.attempts import follower
from shelfread.links.record_cache import decode, encode
from shelfread.links.replacement_search import RepairContext, find_replacements
from support.behaviours import BEHAVIOURS, RUN, Page, by_run
from support.links import SAFE, check
from support.paths import ROOT
from support.web import ANY, Handler, Resolver, Settings, Web, hang, page, quick, redirect, serve

WEEK = 7 * 86400
NOW = 1_795_000_000.0
NAMES = {
    behaviour: f"b{number}.{'github.io' if 'GitHub Pages' in behaviour else 'test'}"
    for number, behaviour in enumerate(BEHAVIOURS)
}
CERTIFICATES = {NAMES[name]: one.certificate for name, one in BEHAVIOURS.items() if one.certificate}
OFFLINE = "do offline"
NO_IPV6 = "has IPv6 alone, where there is none"
PATIENT = quick(connect=0.6, first_byte=1, link=2)
"""On a machine that is busy, more than a hundred hosts in one process need it."""
REFUSED = "127.1.0.1"
"""An address of nobody."""


def rows() -> dict[str, list[str]]:
    """The verdicts of three runs, of which the table has one if they are the same."""
    text = (ROOT / "docs/links.md").read_text(encoding="utf-8")
    found = re.findall(r"^\| (.+?) \| (\w+(?:, \w+, \w+)?) \|.*\|$", text.partition("| verdict |")[2], re.M)
    return {
        name: verdicts.split(", ") * (1 if ", " in verdicts else 3)
        for row, verdicts in found
        for name in one_by_one(row)
    }


def one_by_one(row: str) -> list[str]:
    """The names of behaviours of a row that lists statuses: `answers 401, 402 or 403`."""
    listed = re.match(r"answers ((?:\d+, )+\d+ or \d+)", row)
    return [row.replace(listed[1], status) for status in re.findall(r"\d+", listed[1])] if listed else [row]


class Names(Resolver):
    """The names of the table, of which some cannot be resolved."""

    def __init__(self, web: Web, offline: bool) -> None:
        names = dict(web.resolver().names)
        for name in (
            "has a name that does not exist",
            f"has a name that does not exist, as all names {OFFLINE}",
        ):
            names.pop(NAMES[name], None)
        names[NAMES["accepts no connection"]] = [[REFUSED]]
        names |= {NAMES[name]: [list(one.addresses)] for name, one in BEHAVIOURS.items() if one.addresses}
        if offline:
            for probe in Settings().network_probes:
                del names[probe]
        super().__init__(names, frozenset({NAMES["has a name server that fails"]}))


def url_of(web: Web, behaviour: str) -> str:
    name = NAMES[behaviour]
    if BEHAVIOURS[behaviour].addresses:
        return f"http://{name}/x"
    if behaviour == "ends the handshake of TLS":
        return f"https://{name}:{web.ports['http']}/x"
    return web.url(name, BEHAVIOURS[behaviour].path, "https" if name in CERTIFICATES else "http")


class Outcome(NamedTuple):
    """What came of all behaviours in three runs a week apart."""

    verdicts: dict[str, list[str]]
    moves: dict[str, str]
    """The paths that a safe fix writes, in any run."""
    opened: set[str]
    """The addresses to which a connection was tried."""


def days_apart(urls: Mapping[str, str], web: Web, anchors: bool, offline: bool = False) -> Outcome:
    """Check URLs (with the names of their behaviours) in three runs that remember each other."""
    outcome = Outcome({name: [] for name in urls.values()}, {}, set())
    known: dict[str, LinkRecord] = {}
    for run in range(3):
        RUN["number"] = run
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(shelfread.links.online_check, "time", lambda run=run: NOW + run * WEEK)
            records = check(
                web,
                list(urls),
                list(urls) if anchors else (),
                known,
                settings=PATIENT,
                resolver=Names(web, offline),
            )
        asyncio.run(find_moves(web, records))
        for url, record in records.items():
            outcome.verdicts[urls[url]].append(record.verdict.value)
            outcome.moves.update(
                (urls[url], urlsplit(new.url).path)
                for new in record.replacements
                if new.applicability is SAFE
            )
            text = encode(record)
            kept = decode(url, text) if text else None
            known |= {url: kept} if kept else {}
    outcome.opened.update(ip for ip, _ in web.opened)
    return outcome


async def find_moves(web: Web, records: dict[str, LinkRecord]) -> None:
    async with web.client(quick(), Names(web, False)) as client:
        await find_replacements(records, RepairContext(follower(client), client.fetch))


@pytest.fixture(scope="module", params=[False, True], ids=["by HEAD", "for anchors"])
def outcome(request: pytest.FixtureRequest) -> Iterator[Outcome]:
    """What came of all behaviours; the offline one has runs of its own."""
    sites = {NAMES[name]: behaviour.site for name, behaviour in BEHAVIOURS.items()}
    sites["ww25.parked.test"] = {"/": page()}
    with serve(sites, CERTIFICATES) as web, pytest.MonkeyPatch.context() as patch:
        ours = web.is_ours
        patch.setattr(web, "is_ours", lambda ip, port: ours(ip, port) or ip == REFUSED)
        online = {url_of(web, name): name for name in BEHAVIOURS if not name.endswith(OFFLINE)}
        found = days_apart(online, web, request.param)
        somebody = url_of(web, "answers 403")  # who answers: there is a network
        offline = {url_of(web, name): name for name in BEHAVIOURS if name.endswith(OFFLINE)} | {somebody: ""}
        found.verdicts.update(days_apart(offline, web, request.param, offline=True).verdicts)
        allowed = {*web.addresses.values(), REFUSED, *BEHAVIOURS[NO_IPV6].addresses}
    yield found._replace(opened=found.opened - allowed)


def test_the_table_has_all_behaviours() -> None:
    assert set(rows()) == set(BEHAVIOURS)


@pytest.mark.slow
def test_behaviours(outcome: Outcome) -> None:
    assert {name: said for name, said in outcome.verdicts.items() if name} == rows()
    dead = {name for name, found in outcome.verdicts.items() if "dead" in found}
    assert dead == {name for name, behaviour in BEHAVIOURS.items() if behaviour.page is Page.GONE}
    assert outcome.moves == {name: one.moved_to for name, one in BEHAVIOURS.items() if one.moved_to}
    assert outcome.opened == set(), "only public addresses are connected to"


DAYS: dict[str, Handler] = {
    "the page": page(),
    "503": page(503),
    "nothing": hang,
    "404 for everything": page(404),
    "429": page(429),
    "a login": redirect("/login", 302),
    "a wall": page(403, headers={"cf-mitigated": "challenge"}),
}


@pytest.mark.slow
def test_no_order_of_days_makes_a_page_dead_or_moved() -> None:
    orders = {f"d{number}.test": order for number, order in enumerate(permutations(DAYS, 3))}
    sites = {
        name: {"/x": by_run(*map(DAYS.__getitem__, order)), ANY: by_run(*map(DAYS.__getitem__, order))}
        for name, order in orders.items()
    }
    with serve(sites) as web:
        found = days_apart(
            {web.url(name, "/x"): ", ".join(order) for name, order in orders.items()}, web, False
        )
    assert found.moves == {}
    said = {verdict for verdicts in found.verdicts.values() for verdict in verdicts}
    assert said == {"alive", "unknown", "blocked", "suspect"}, (
        "in three days nobody is unreachable who answered once"
    )
