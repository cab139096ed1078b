"""`links` against a hostile web: any status, headers and body. The input has the replies, given in turn."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random
from unittest.mock import patch

from fuzz import commands
from fuzz.faults import Fault
from fuzz.generators.replies import BORDER, make_replies
from fuzz.material import Material
from shelfread.cli import links
from shelfread.index.answers import Trouble
from shelfread.links import online_check
from shelfread.links.client import Client
from shelfread.links.exchange import Reply, Request, Settings
from shelfread.links.online_check import registries

_LIST = (
    b"# Tools and papers\n\n- [One](https://site.net/page#part) - Does it.\n- [Two](http://other.net/a/b?c=d) - Too.\n"
    b"- A Study of Jobs (OSDI 2020) [[Paper](https://doi.org/10.1145/3302424.3303953)] [[PDF](https://arxiv.org/abs/2001.01234)]"
    b" [[Code](https://github.com/a/b)] [[Video](https://youtu.be/dQw4w9WgXcQ)]\n"
)
_QUICK = Settings(pause=0, pauses={}, retries=(0,), second_attempt_delay=0, max_retry_after=0, deadline=4)


def generate(random: Random, material: Material) -> bytes:
    """Return a few replies."""
    return make_replies(random, material)


def faults(data: bytes) -> Iterator[Fault]:
    """Check the links of a list twice, the second time with what the cache kept of the first."""
    replies = [_reply(part) for part in data.split(BORDER)]
    opened = patch.object(links, "open_client", lambda settings: _Client(_QUICK, replies))
    confirmed = patch.object(online_check, "registries", partial(registries, confirm_after=0))
    words = (
        "links",
        "--isolated",
        "--unsafe-fixes",
        "--deadline",
        "4",
        "--cache-file",
        "cache.db",
        "list.md",
    )
    token = {"GITHUB_TOKEN": "token"}
    with commands.folder({"list.md": _LIST}), opened, confirmed:
        done = commands.run(*words, "--diff", env=token)
        yield from commands.badly_ended("links --diff", done)
        shown = commands.run("links", *words[1:2], *words[3:], "--show-info")
        for output in (done.stderr, shown.stderr, shown.stdout):
            for sign in (Trouble.FAULT.value, "Traceback", "Deadline reached"):
                if sign in output:
                    yield Fault(f"links: a reply that cannot be read: {sign}", output[-300:])
                    return
        yield from commands.for_people("links", *words[1:2], *words[3:], "--show-info", workflow=True)
        yield from commands.for_people("links", *words[1:2], *words[3:], "--output-format", "json")


class _Client(Client):
    """Has a reply to everything, and no network."""

    def __init__(self, settings: Settings, replies: list[Reply]) -> None:
        super().__init__(settings)
        self._replies = replies
        self._asked = 0

    async def send(self, request: Request, reuse: bool = True, seconds: float | None = None) -> Reply:
        reply = self._replies[self._asked % len(self._replies)]
        self._asked += 1
        return reply._replace(url=request.url, body=reply.body[: request.limit])

    async def resolves_any(self, names: object, seconds: float) -> bool:
        return True


def _reply(part: bytes) -> Reply:
    head, _, body = part.partition(b"\n\n")
    status, *lines = head.decode("utf-8", "surrogateescape").split("\n")
    headers = {
        name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)
    }
    number = int(status) if status.isascii() and status.isdigit() and len(status) == 3 else 200
    return Reply("", number, headers, body)
