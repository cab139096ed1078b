"""Whose host it is: the part of a name that somebody registered.

The public suffix list has 10,000 lines, changes weekly and is under another licence; a redirect is judged by two
names that are alike or not, so that the second levels of countries and the hosts where everybody may have a
name suffice. A suffix that is missing here makes two owners one only below that suffix.
"""

from __future__ import annotations

from urllib.parse import urlsplit

_SECOND_LEVELS = frozenset(
    """ac ad asn co com ed edu fin firm gc go gob gouv gov govt gr gv ind ltd me med mil muni ne net nhs
    nic nom or org plc police re res sch school tm""".split()
)
# Here the next label is another person's.
_SHARED = frozenset(
    """amazonaws.com appspot.com azurewebsites.net bitbucket.io blogspot.com cloudfront.net firebaseapp.com fly.dev
    github.io gitlab.io hatenablog.com herokuapp.com hf.space netlify.app netlify.com neocities.org notion.site
    now.sh onrender.com pages.dev r2.dev readthedocs.io readthedocs.org sourceforge.io sourceforge.net
    streamlit.app substack.com surge.sh tumblr.com vercel.app web.app weebly.com wixsite.com wordpress.com
    workers.dev""".split()
)


SHORT = frozenset(
    """t.co bit.ly bitly.com j.mp goo.gl tinyurl.com ow.ly is.gd buff.ly lnkd.in git.io amzn.to dlvr.it rb.gy
    cutt.ly shorturl.at fb.me forms.gle t.ly v.gd tiny.cc rebrand.ly aka.ms""".split()
)
"""Hosts of short addresses, which lead wherever somebody wanted."""
PASSES_ON = SHORT | frozenset("w3id.org purl.org github.io gitlab.io".split())
"""Where a redirect goes is its owner's will, a home page too: short links, and pages with a domain of their own."""


def host(url: str) -> str:
    """The host's name in small letters, without a final dot; empty where there is none."""
    try:
        return (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return ""


def registrable(name: str) -> str:
    """The registered domain that a host belongs to; an address in numbers is its own."""
    labels = name.split(".")
    if len(labels) < 3 or ":" in name or labels[-1].isdigit():
        return name
    suffix = ".".join(labels[-2:])
    if suffix in _SHARED or (len(labels[-1]) == 2 and labels[-2] in _SECOND_LEVELS):
        return ".".join(labels[-3:])
    return suffix


def same_owner(one: str, other: str) -> bool:
    """Whether two addresses lie in one registered domain."""
    return registrable(host(one)) == registrable(host(other))
