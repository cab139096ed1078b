"""Which end of a redirect may take the place of the address that is written: a decision, and no request.

A repair is safe where the same thing is proven to be at the end; what is likely is for a person to say; for a
temporary redirect, a login, a home page or another scheme nothing is proposed at all.
"""

from __future__ import annotations

from shelfread.core.diagnostics import Applicability
from shelfread.core.hosts import SHORT, same_owner
from shelfread.core.link_record import Record, Replacement, Verdict
from shelfread.document.identity.identifiers import identify
from shelfread.linkcheck.classify.suspicion import suspicion
from shelfread.linkcheck.registries.github import repository_of
from shelfread.linkcheck.repair.url_compare import same_spelling, take_apart, without_tracking

MOVED, UPGRADABLE = "link/moved", "link/upgradable"
_SAFE, _UNSAFE = Applicability.SAFE, Applicability.UNSAFE
_PERMANENT = (301, 308)
_TEXTS = frozenset((200, 203, 206, 304))
# Made to stay while what is behind them moves: nobody wants what they lead to today.
_LASTING = frozenset(
    """doi.org dx.doi.org doi.acm.org hdl.handle.net purl.org purl.archive.org w3id.org n2t.net nbn-resolving.org
    perma.cc identifiers.org youtu.be""".split()
)
# Here the first parts of a path name whose it is.
_FORGES = frozenset("gitlab.com bitbucket.org codeberg.org gitee.com huggingface.co hf.co medium.com".split())


def of_redirect(record: Record) -> Replacement | None:
    """What the redirects that were seen prove of a better address; None where they prove nothing."""
    if record.verdict not in (Verdict.MOVED, Verdict.ALIVE) or len(record.hops) < 2 or record.certificate:
        return None
    written, last = record.url, record.hops[-1]
    if last.status not in _TEXTS or suspicion(written, last.url):
        return None
    steady = next((hop for hop in record.hops if hop.status not in _PERMANENT), last)
    end = without_tracking(steady.url, written)
    if steady is not last:
        # What follows may be another tomorrow: taken is only what leads to the thing by another spelling.
        return _better(written, end, _SAFE, "") if same_spelling(written, end) else None
    return _judge(written, end)


def of_https(written: str, end: str) -> Replacement | None:
    """The same page by https, of which a look has just shown that it is there."""
    secure = upgraded(written)
    if secure is None or not same_spelling(written, end) or not end.startswith("https://"):
        return None
    return Replacement(UPGRADABLE, secure, "", _SAFE)


def upgraded(url: str) -> str | None:
    """An `http:` address by https; None for one that is none, or asks for a port."""
    if url[:7].lower() != "http://" or take_apart(url) is None or ":" in url[7:].partition("/")[0]:
        return None
    return "https://" + url[7:]


def _judge(written: str, end: str) -> Replacement | None:
    """The end of a chain in which every hop was permanent."""
    before, after = take_apart(written), take_apart(end)
    if before is None or after is None or before.host in _LASTING:
        return None
    if after.host in SHORT or (end.startswith("http:") and written.startswith("https:")):
        return None
    if before == after:
        return _better(written, end, _SAFE, "")
    if not after.path and before.path:
        return None
    if before.host in SHORT:
        return _better(written, end, _UNSAFE, "where the short address leads to")
    if before.host == after.host == "github.com":
        return _of_github(written, end)
    known, found = identify(written), identify(end)
    if (
        before.host.endswith("nips.cc")
        and after.host.endswith("neurips.cc")
        and len(found.get("neurips", "")) == 32
    ):
        alike = known.get("neurips") == found["neurips"] or known.get("neurips", "").isdigit()
        return _better(written, end, _SAFE if alike else _UNSAFE, "NeurIPS is at proceedings.neurips.cc")
    if known:
        if any(found.get(kind, "").lower() != name.lower() for kind, name in known.items()):
            return _better(written, end, _UNSAFE, "perhaps not the same thing")
        return _better(written, end, _SAFE, "")
    if not same_owner(written, end) or (":" in after.host and before.host != after.host):
        return _better(written, end, _UNSAFE, "on another site")
    if before.host in _FORGES or after.host in _FORGES:
        return _better(written, end, _UNSAFE, "perhaps another owner's")
    alike = before.name != "" and before.name == after.name and before.query == after.query
    return _better(written, end, _SAFE if alike else _UNSAFE, "")


def _of_github(written: str, end: str) -> Replacement | None:
    """A repository by its new name, and what lies below it at the same place."""
    old, new = repository_of(written), repository_of(end)
    if old is None or new is None:
        return None
    below = [
        url.partition("github.com/")[2].partition("/")[2].partition("/")[2].rstrip("/")
        for url in (written, end)
    ]
    if old.partition("/")[0].lower() != new.partition("/")[0].lower():
        return _better(written, end, _UNSAFE, f"now of another owner, {new.partition('/')[0]}")
    if old.lower() == new.lower():
        same = below[0].rpartition("/")[2] == below[1].rpartition("/")[2] != ""
        return _better(written, end, _SAFE if same else _UNSAFE, "")
    return _better(written, end, _SAFE if below[0] == below[1] else _UNSAFE, f"renamed to {new}")


def _better(written: str, end: str, applicability: Applicability, why: str) -> Replacement | None:
    """An address that differs from the one written; of what is only http made https the other rule speaks."""
    if end == written:
        return None
    rule = UPGRADABLE if end == upgraded(written) else MOVED
    return Replacement(rule, end, why, applicability)
