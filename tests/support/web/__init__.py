"""A small web on loopback that behaves as badly as the real one.

    SITES = {
        "alive.test": {"/": page()},
        "old.test": {"/a": redirect("/b"), "/b": page(body=b"<h1 id=top>"), "/gone": page(410)},
        "bücher.test": {"/straße": page(), ANY: page(404)},
    }
    with serve(SITES) as web:
        web.url("alive.test", "/")            # http://alive.test:PORT/, for a client with `web.resolver()`
        web.url("alive.test", "/", "https")   # its certificate is good for `web.trust()`, and for SSL_CERT_FILE=web.ca
        web.literal("alive.test", "/")        # http://127.0.0.2:PORT/, for a process of its own; it needs
        web.place("alive.test")               # --allow-private 127.0.0.2:PORT
        web.asked                             # [Asked("alive.test", "GET", "/", {...headers}), ...]; web.times(name, path)
        async with web.client(Settings(...)) as client: ...   # reaches this web and nothing else

Every site has an address of its own in 127.0.0.0/8, one port for http and one for https; a path that it does not name
answers 404, or what ANY says. What answers a path is a `Play`: `page`, `redirect`, `in_turn`, `by_method`, `raw`, `hang`, `drip`,
`endless`, `bomb`, `half_closed`, or any `async def play(call: Call) -> None` that writes to `call.writer`.
A site's certificate: `serve(sites, certificates={"old.test": EXPIRED, "other.test": WRONG_NAME, "own.test": STRANGER})`.
`web.opened` holds every address that a client of this web was about to connect to; off the web's own it is refused,
so that no test, not even a failing one, sends anything elsewhere.
"""

from shelfread.linkcheck.settings import Settings
from support.web.certificates import EXPIRED, STRANGER, WRONG_NAME
from support.web.plays import (
    ANY,
    Asked,
    Call,
    Play,
    bomb,
    by_method,
    drip,
    endless,
    half_closed,
    hang,
    in_turn,
    page,
    raw,
    redirect,
)
from support.web.server import Resolver, Web, quick, serve

__all__ = [
    "ANY",
    "EXPIRED",
    "STRANGER",
    "WRONG_NAME",
    "Asked",
    "Call",
    "Play",
    "Resolver",
    "Settings",
    "Web",
    "bomb",
    "by_method",
    "drip",
    "endless",
    "half_closed",
    "hang",
    "in_turn",
    "page",
    "quick",
    "raw",
    "redirect",
    "serve",
]
