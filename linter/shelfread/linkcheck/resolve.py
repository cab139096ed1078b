"""All links of a run: registries first, then the web, and a verdict on each as soon as it is sure."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from time import time

from shelfread.core.link_record import Answer, Record, Trouble, Verdict
from shelfread.linkcheck.cache.freshness import conditions
from shelfread.linkcheck.classify.judge import NO_NETWORK, judge
from shelfread.linkcheck.http.client import Client
from shelfread.linkcheck.http.gc_tuning import relieved
from shelfread.linkcheck.http.queue import Gathering, Looked
from shelfread.linkcheck.http.redirects import FetchOptions
from shelfread.linkcheck.registries.base import Registry
from shelfread.linkcheck.request import UNREACHABLE
from shelfread.linkcheck.settings import Settings

_HANDFUL = 5
"""Hosts that are too many for chance: when none answers,"""
_SHARE = 0.3
"""or when those without an address are more than this share of all."""


async def look_all(
    urls: Sequence[str],
    wants_anchors: Collection[str],
    settings: Settings,
    known: Mapping[str, Record],
    on_record: Callable[[Record], None],
    client: Client,
    registries: Sequence[Registry] = (),
) -> dict[str, Record]:
    """What is now known of each address (without its fragment); each record is told as soon as it is sure.

    `wants_anchors` are those whose pages are read for ids; `known` is what earlier runs found. When cancelled, what
    was told stays true.
    """
    with relieved():
        return await _look_all(
            urls, _Run(frozenset(wants_anchors), settings, known, on_record, client), registries
        )


async def _look_all(urls: Sequence[str], run: _Run, registries: Sequence[Registry]) -> dict[str, Record]:
    work = asyncio.ensure_future(run.look(dict.fromkeys(urls), registries))
    try:
        await asyncio.wait({work}, timeout=run.settings.deadline)
        if work.done():
            work.result()
        else:
            await _end(work)
            await run.gathering.give_up("")
    except BaseException:
        await _end(work)
        await run.gathering.forget()
        raise
    await run.conclude(urls)
    return run.records


async def _end(work: asyncio.Future[None]) -> None:
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)


class _Run:
    """What one run has found so far."""

    def __init__(
        self,
        wants_anchors: frozenset[str],
        settings: Settings,
        known: Mapping[str, Record],
        on_record: Callable[[Record], None],
        client: Client,
    ) -> None:
        self.records: dict[str, Record] = {}
        self.gathering = Gathering(client, self._looked)
        self._wants_anchors = wants_anchors
        self.settings = settings
        self._known = known
        self._on_record = on_record
        self._client = client
        self._silent: list[Looked] = []
        """Failures that are ours if the network is: judged at the end."""
        self._hosts: set[str] = set()
        self._unresolved: set[str] = set()
        self._heard = False
        """Whether anybody at all answered."""
        self._usual = FetchOptions(settings.redirects)
        self._registered: dict[str, Record] = {}
        """What a registry said of pages whose anchors are still to come."""

    async def look(self, urls: Collection[str], registries: Sequence[Registry]) -> None:
        """Ask for all, and wait for it."""
        claimed: list[dict[str, list[str]]] = [{} for _ in registries]
        for url in urls:
            for registry, keyed in zip(registries, claimed, strict=True):
                key = registry.claims(url)
                if key is not None:
                    keyed.setdefault(key, []).append(url)
                    break
            else:
                self._ask_web(url)
        asked = [self._ask(*pair) for pair in zip(registries, claimed, strict=True) if pair[1]]
        await asyncio.gather(*asked)
        await self.gathering.finish()

    async def conclude(self, urls: Collection[str]) -> None:
        """Judge what waited for the end: now it is known whether there is a network."""
        offline = bool(self._silent) and await self._is_offline()
        for looked in self._silent:
            if offline and looked.answer.url not in self._registered:
                self._tell(self._unjudged(looked.answer.url)._replace(reason=NO_NETWORK))
            else:
                self._tell(self._judged(looked))
        for record in self._registered.values():
            self._tell(record)
        for url in urls:
            if url not in self.records:
                self._tell(self._unjudged(url))

    async def _ask(self, registry: Registry, keyed: Mapping[str, Sequence[str]]) -> None:
        found = await registry.ask(list(keyed), self._client.fetch, time())
        for key, urls in keyed.items():
            record = found.get(key)
            for url in urls:
                if record is None:
                    self._ask_web(url)
                    continue
                self._heard = True
                told = _counted(record._replace(url=url), self._known.get(url))
                if url in self._wants_anchors and record.verdict in (Verdict.ALIVE, Verdict.MOVED):
                    self._registered[url] = told
                    self._ask_web(url)
                else:
                    self._tell(told)

    def _ask_web(self, url: str) -> None:
        self.gathering.add(url, self._wish_for_anchors(url) if url in self._wants_anchors else self._usual)

    def _wish_for_anchors(self, url: str) -> FetchOptions:
        before = self._known.get(url)
        held = before is not None and len(before.hops) == 1
        return self._usual._replace(anchors=self.settings.body, conditions=conditions(before) if held else {})

    def _looked(self, looked: Looked) -> None:
        host, answer, _ = looked
        trouble = answer.trouble
        if trouble is not Trouble.REFUSED and trouble is not Trouble.NOT_ASKED:
            self._hosts.add(host)
        if is_heard(answer):
            self._heard = True
        elif trouble not in (Trouble.REFUSED, Trouble.NOT_ASKED):
            if trouble in (Trouble.NO_HOST, Trouble.NAME_SERVER):
                self._unresolved.add(host)
            self._silent.append(looked)
            return
        self._tell(self._judged(looked))

    async def _is_offline(self) -> bool:
        nowhere = len(self._unresolved)
        if nowhere >= _HANDFUL and nowhere > _SHARE * len(self._hosts):
            return True
        if self._heard:
            return False
        # Of a few links, as one that a pull request adds, all may be dead or slow.
        settings = self.settings
        return len(self._hosts) >= _HANDFUL or not await self._client.resolves_any(
            settings.controls, settings.control
        )

    def _judged(self, looked: Looked) -> Record:
        url = looked.answer.url
        record = judge(looked.answer, self._known.get(url), time(), looked.second)
        registered = self._registered.pop(url, None)
        if registered is None:
            return record
        return registered._replace(anchors=record.anchors, etag=record.etag, modified=record.modified)

    def _unjudged(self, url: str) -> Record:
        return judge(Answer(url, trouble=Trouble.NOT_ASKED), self._known.get(url), time())

    def _tell(self, record: Record) -> None:
        self.records[record.url] = record
        self._on_record(record)


def is_heard(answer: Answer) -> bool:
    """Whether somebody answered, if only by refusing or by closing: so there is a network."""
    trouble = answer.trouble
    if answer.hops or trouble is Trouble.PROTOCOL or trouble is Trouble.CERTIFICATE:
        return True
    return trouble is Trouble.LOST and answer.detail != UNREACHABLE


def _counted(record: Record, before: Record | None) -> Record:
    """A registry's record, with the failures before this one."""
    if not record.failures or before is None or not before.failures or before.first_failure is None:
        return record
    return record._replace(failures=before.failures + 1, first_failure=before.first_failure)
