"""Recognizes hosts of a service that says that it has no such site: its word counts as that of a registry.

The own page of such a host is gone too, which on any other host may mean that it refuses robots.
"""

from __future__ import annotations

from shelfread.core.support.regex import lazy
from shelfread.links.request import Reply
from shelfread.taxonomy.hosts import host_of

_SERVICES = {
    "github.io": ("GitHub Pages", lazy(r"There isn(?:'|&#0?39;|\u2019)t a GitHub Pages site here")),
}
"""By the domain in which each user has a host: the name of the service, and the words of its page."""
LONGEST = 64 << 10
"""Bytes of a page that are read for these words."""


def has_service(url: str) -> bool:
    """Whether the host of a URL is one of a service whose words are known."""
    return host_of(url).partition(".")[2] in _SERVICES


def no_site(reply: Reply) -> str:
    """Return what the service of a host says of its own page, if that is that there is no such site; else nothing."""
    name, words = _SERVICES[host_of(reply.url).partition(".")[2]]
    if reply.status != 404 or not words.search(reply.body.decode("utf-8", "replace")):
        return ""
    return f"{name} has no such site"
