"""A small web on loopback that behaves as badly as the real one.

    SITES = {
        "alive.test": {"/": page()},
        "old.test": {"/a": redirect("/b"), "/b": page(body=b"<h1 id=top>"), "/gone": page(410)},
        "bücher.test": {"/straße": page(), ANY: page(404)},
    }
    with serve(SITES) as web:
        web.url("alive.test", "/")            # http://alive.test:PORT/, for a client with `web.resolver()`
        web.url("alive.test", "/", "https")   # its certificate is valid for `web.trust()`, and for SSL_CERT_FILE=web.ca
        web.literal("alive.test", "/")        # http://127.0.0.2:PORT/, for another process; it needs
        web.place("alive.test")               # --allow-private 127.0.0.2:PORT
        web.requests                          # [ReceivedRequest("alive.test", "GET", "/", {...headers}), ...]
        web.times("alive.test", "/")          # how often a path was requested
        async with web.client(Settings(...)) as client: ...   # reaches this web and nothing else

Every site has an address of its own in 127.0.0.0/8, one port for http and one for https; a path without a handler answers
404 (`/` answers 200), or is handled by that of ANY. A `Handler` is one of `page`, `redirect`, `in_order`, `by_method`, `raw`, `hang`, `drip`,
`slow`, `endless`, `bomb`, `half_closed`, or any `async def handle(call: Call) -> None` that writes to `call.writer`.
A site's certificate: `serve(sites, certificates={"old.test": EXPIRED, "other.test": WRONG_NAME, "own.test": STRANGER})`.
`web.opened` holds every address that a client of this web tried to connect to; all others than the web's own are refused,
so that no test, not even a failing one, connects to anything else.
"""

from shelfread.links.exchange import Settings
from support.web.certificates import EXPIRED, STRANGER, WRONG_NAME
from support.web.handlers import (
    ANY,
    Call,
    Handler,
    ReceivedRequest,
    bomb,
    by_method,
    drip,
    endless,
    half_closed,
    hang,
    in_order,
    page,
    raw,
    redirect,
    slow,
)
from support.web.server import Resolver, Web, quick, serve

__all__ = [
    "ANY",
    "EXPIRED",
    "STRANGER",
    "WRONG_NAME",
    "Call",
    "Handler",
    "ReceivedRequest",
    "Resolver",
    "Settings",
    "Web",
    "bomb",
    "by_method",
    "drip",
    "endless",
    "half_closed",
    "hang",
    "in_order",
    "page",
    "quick",
    "raw",
    "redirect",
    "serve",
    "slow",
]
