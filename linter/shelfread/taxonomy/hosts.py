"""Facts about hosts, each stated once: who serves https, who shortens URLs, who registered a name."""

from __future__ import annotations

from functools import cache
from urllib.parse import urlsplit

from shelfread.core.support.regex import lazy

SHORTENERS = frozenset(
    "bit.ly bitly.com j.mp t.co goo.gl tinyurl.com tiny.cc tiny.one ow.ly is.gd v.gd buff.ly dlvr.it cutt.ly cutt.us rb.gy "
    "shorturl.at shorturl.asia t.ly rebrand.ly bit.do adf.ly ift.tt trib.al spr.ly po.st soo.gd s.id qr.ae urlz.fr bc.vc "
    "shorte.st ouo.io dub.sh t.cn url.cn dwz.cn suo.im suo.nz u.nu 0rz.tw ppt.cc reurl.cc lihi.cc lihi1.com pse.is "
    "clck.ru vk.cc han.gl vo.la me2.do abre.ai bityl.co encurtador.com.br hubs.ly hubs.la smarturl.it amzn.to git.io "
    "lnkd.in x.co tr.im cli.gs u.to snip.ly goo.su surl.li n9.cl acortar.link shor.by mcaf.ee geni.us wp.me kutt.it "
    "shrtm.nu tny.im tinu.be yep.it qr.net zpr.io l.ead.me lstu.fr".split()
)
"""Services whose short URLs lead wherever somebody chose. A host's own name for one thing (youtu.be, redd.it, hf.co,
amzn.com, doi.org) and a name that its owner keeps for its own pages (aka.ms, g.co, mzl.la) are not among them."""
SHORT = SHORTENERS | {"fb.me", "forms.gle", "aka.ms"}
"""All hosts whose URLs say nothing of where they lead."""

NOT_OWNERS = frozenset(
    """topics orgs sponsors marketplace settings features apps about collections trending search login notifications
    users explore""".split()
)
"""The first segments of paths on github.com that are no owners of repositories."""

ARXIV_MIRRORS = tuple(
    f"{name}.arxiv.org"
    for name in """export browse xxx lanl aps beta static web1 web2 web3 web4 web5 web6 web7 web8 web9 web10
    au br cn de es fr il in it jp kr ru tw uk za""".split()
)
"""arXiv's other names and national mirrors, most of them gone. `www.arxiv.org` is arXiv itself."""

CODE_HOSTS = frozenset("github.com gitlab.com bitbucket.org codeberg.org gitee.com".split())
"""Hosts of repositories, each of which may hold several tools."""

DOI_RESOLVERS = ("doi.org", "dx.doi.org")
DOI_PUBLISHERS = (
    *("dl.acm.org", "link.springer.com", "onlinelibrary.wiley.com"),
    *("tandfonline.com", "epubs.siam.org", "science.org"),
)
"""Publishers whose pages have the DOI in their path."""

# The public suffix list has 10,000 lines, changes weekly and is under another license. Only two names are compared
# here, so the second levels of countries and the hosts where everybody may have a name are enough. A suffix that is
# missing here makes two owners one only below that suffix.
_SECOND_LEVELS = frozenset(
    """ac ad asn co com ed edu fin firm gc go gob gouv gov govt gr gv ind ltd me med mil muni ne net nhs
    nic nom or org plc police re res sch school tm""".split()
)
_SHARED = frozenset(
    """000webhostapp.com amazonaws.com appspot.com azurestaticapps.net azurewebsites.net bearblog.dev bitbucket.io
    carrd.co cloudfront.net codeberg.page ddns.net deno.dev duckdns.org dyndns.org eu.org firebaseapp.com fly.dev
    framer.website ghost.io gitbook.io gitee.io github.io githubusercontent.com gitlab.io glitch.me hashnode.dev
    hatenablog.com herokuapp.com hf.space hopto.org livejournal.com loca.lt medium.com netlify.app netlify.com
    neocities.org ngrok-free.app ngrok-free.dev ngrok.app ngrok.dev ngrok.io no-ip.org notion.site now.sh
    onrender.com pages.dev r2.dev readthedocs.io readthedocs.org repl.co replit.app sourceforge.io sourceforge.net
    squarespace.com srht.site streamlit.app substack.com surge.sh trycloudflare.com tumblr.com vercel.app
    web.app webflow.io weebly.com wixsite.com wixstudio.com wordpress.com workers.dev""".split()
)
_SHARED_ANYWHERE = "blogspot"
"""A name that is shared below every top-level domain: `blogspot.com`, `blogspot.co.uk`."""


_PLAIN = lazy(r"https?://([a-z0-9.-]+)(?::\d{1,4})?(?:[/?#]|$)")


@cache
def _https() -> tuple[frozenset[str], frozenset[str]]:
    """The hosts of `schema/hosts.yaml`: by name, and those of which every direct subdomain serves https."""
    from shelfread.core.errors import UserError
    from shelfread.core.support.resources import SCHEMA
    from shelfread.core.support.strict_yaml import read
    from shelfread.core.support.yaml_cache import load_cached

    file = SCHEMA / "hosts.yaml"
    data = load_cached(SCHEMA, [file], lambda path: read(path, UserError).data)["hosts.yaml"]
    return frozenset(" ".join(data["names"]).split()), frozenset(" ".join(data["parents"]).split())


def serves_https(host: str) -> bool:
    """Whether a host, with or without `www.`, is known to serve https, without a request."""
    names, parents = _https()
    host = host.lower()
    return host in names or host.removeprefix("www.") in names or host.partition(".")[2] in parents


def host_of(url: str) -> str:
    """The host's name in lower case, without a final dot; empty where there is none."""
    if plain := _PLAIN.match(url):  # as in nearly all URLs: a fifth of the time
        return plain[1].rstrip(".")
    try:
        return (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return ""


def registrable(host: str) -> str:
    """The registered domain that a host belongs to; an IP address is its own."""
    labels = host.split(".")
    if len(labels) < 3 or ":" in host or labels[-1].isdigit():
        return host
    if _SHARED_ANYWHERE in labels[1:]:
        return ".".join(labels[labels.index(_SHARED_ANYWHERE, 1) - 1 :])
    suffix = ".".join(labels[-2:])
    if suffix in _SHARED or (len(labels[-1]) == 2 and labels[-2] in _SECOND_LEVELS):
        return ".".join(labels[-3:])
    return suffix


def same_owner(url: str, other: str) -> bool:
    """Whether two URLs lie in one registered domain."""
    return registrable(host_of(url)) == registrable(host_of(other))
