"""Properties of moves, whatever redirects say: what is written was requested, and what is safe is the same page."""

from __future__ import annotations

import asyncio
import re
from random import Random
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from shelfread.index.answers import FOUND, Hop, LinkRecord, Trouble, Verdict
from shelfread.links.exchange import Attempt, FetchError, Reply, Request
from shelfread.links.replacement_search import RepairContext, find_replacements
from shelfread.links.replacements import is_same_page, redirect_replacement
from shelfread.taxonomy.hosts import SHORT, host_of, registrable
from support.links import SAFE

_HOSTS = """example.org www.example.org docs.example.org ada.example.org bob.example.org example.com ada.github.io
bob.github.io github.com gitlab.com bit.ly medium.com ww25.example.org doi.org v2.example.org""".split()
_SEGMENTS = """ada bob orca orca.html x docs papers 2019 2020 v1 v2 latest ~ada ~bob @ada users index.html login 404 en
osdi20 blob master main""".split()
_QUERIES = ["", "?id=1", "?id=2", "?utm_source=x", "?ref=a", "?gclid=1&id=1"]


class _Parts(NamedTuple):
    scheme: str
    host: str
    path: tuple[str, ...]
    slash: str
    query: str

    def __str__(self) -> str:
        slash = self.slash if self.path else ""
        return f"{self.scheme}://{self.host}/{'/'.join(self.path)}{slash}{self.query}"


_schemes, _hosts, _segments = map(st.sampled_from, (["https", "https", "http"], _HOSTS, _SEGMENTS))
_parts = st.builds(
    _Parts,
    _schemes,
    _hosts,
    st.lists(_segments, max_size=4).map(tuple),
    st.sampled_from(["", "/"]),
    st.sampled_from(_QUERIES),
)


@st.composite
def moved(draw: st.DrawFn, parts: _Parts) -> _Parts:
    """Another URL, of which one part is different."""
    place = draw(st.integers(0, len(parts.path)))
    rest = parts.path[place + draw(st.integers(0, 1)) :]
    return draw(
        st.sampled_from(
            [
                parts._replace(path=(*parts.path[:place], *draw(st.lists(_segments, max_size=1)), *rest)),
                parts._replace(host=draw(_hosts)),
                parts._replace(scheme=draw(_schemes), slash=draw(st.sampled_from(["", "/"]))),
                parts._replace(query=draw(st.sampled_from(_QUERIES))),
            ]
        )
    )


@st.composite
def records(draw: st.DrawFn) -> LinkRecord:
    """The record of a page that was found at the end of redirects, each of which changes a part of the URL."""
    parts = draw(_parts)
    hops: list[Hop] = []
    for _ in range(draw(st.integers(1, 3))):
        hops.append(Hop(str(parts), draw(st.sampled_from([301, 301, 301, 301, 308, 302]))))
        parts = draw(moved(parts))
    hops.append(Hop(str(parts), draw(st.sampled_from([200, 200, 200, 404]))))
    verdict = draw(st.sampled_from([Verdict.MOVED] * 5 + [Verdict.ALIVE, Verdict.SUSPECT, Verdict.DEAD]))
    is_known = parts.host == "github.com" and hops[0].url.startswith("https://github.com/")
    source = "github.com" if is_known and draw(st.booleans()) else "web"
    return LinkRecord(hops[0].url, verdict, "", tuple(hops), source=source)


def _digits(url: str) -> list[str]:
    return sorted(re.findall(r"\d+", re.sub(r"^https?://(?:www\d*\.)?|\?.*", "", url)))


def _owners(url: str) -> list[str]:
    """The names with a mark of an owner."""
    return re.findall(r"/(?:[~@]|users/)([^/?]+)(?=/)", url.partition("?")[0] + "/")


@given(records())
def test_a_safe_move_is_the_same_page_of_the_same_owner(record: LinkRecord) -> None:
    found = redirect_replacement(record)
    if found is None:
        return
    assert record.verdict in FOUND
    assert found.url in {hop.url for hop in record.hops} and found.url != record.url
    if found.applicability is not SAFE or is_same_page(record.url, found.url):
        return
    written, end = record.url, found.url
    # All redirects on the way are permanent.
    way = record.hops[: [hop.url for hop in record.hops].index(end)]
    assert {hop.status for hop in way} <= {301, 308}
    assert registrable(host_of(written)) == registrable(host_of(end))
    assert host_of(written) not in SHORT | {"gitlab.com", "medium.com", "doi.org"}
    if host_of(written) == "github.com":  # a repository that its owner has renamed, whatever its names
        assert written.lower().split("/")[3] == end.lower().split("/")[3]
        return
    assert _digits(written) == _digits(end)
    assert _owners(written) == _owners(end)
    names = [url.partition("?")[0].rstrip("/").rpartition("/")[2].lower() for url in (written, end)]
    assert names[0] == names[1]
    folders = [set(url.partition("?")[0].split("/")[2:]) for url in (written, end)]
    assert not (
        {"ada", "ada.example.org"} & folders[0] and {"bob", "bob.example.org"} & folders[1] - folders[0]
    )
    assert not (written.startswith("https:") and end.startswith("http:"))


@given(st.lists(records(), min_size=1, max_size=5, unique_by=lambda record: record.url), st.randoms())
def test_every_address_that_is_written_unread_was_requested(found: list[LinkRecord], random: Random) -> None:
    requested = {hop.url for record in found if record.source == "web" for hop in record.hops}
    pages = [hop.url for record in found for hop in record.hops]

    async def follow(url: str) -> Attempt:
        ways = ([Hop(url, 200)], [Hop(url, 404)], [Hop(url, 301), Hop(random.choice(pages), 200)])
        hops = tuple(random.choice(ways))
        requested.update(hop.url for hop in hops)
        return Attempt(url, hops)

    async def fetch(request: Request) -> Reply:
        raise FetchError(Trouble.TIMEOUT)

    records = {record.url: record for record in found}
    asyncio.run(find_replacements(records, RepairContext(follow, fetch)))
    for record in records.values():
        for replacement in record.replacements:
            assert replacement.applicability is not SAFE or replacement.url in requested
