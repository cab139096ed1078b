"""Compares URLs: do two of them name the same page?"""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import quote, unquote, urlsplit

from shelfread.core.diagnostics import Applicability
from shelfread.core.patterns import lazy
from shelfread.document.identity import identify
from shelfread.index.answers import FOUND, LinkRecord, Replacement
from shelfread.links.exchange import PERMANENT_REDIRECTS, link_words
from shelfread.links.repositories import repository_of
from shelfread.links.verdicts import LANGUAGE, suspicion
from shelfread.taxonomy.hosts import SHORT, TRACKING, TRACKING_OF_HOST, registrable, same_owner

_PLAIN = lazy(r"https?://[^\s<>\"`{}|\\^\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+")
_TRACKING = lazy(
    rf"(?i){'|'.join((TRACKING, *TRACKING_OF_HOST))}|[a-z]{{1,3}}clid|_hs\w+|_ga|_gl|fbc_id"
    # what sites add to the end of a redirect
    r"|redirected(?:from)?|cookieset"
)
_LANGUAGE = lazy(LANGUAGE)
_MIRROR = lazy(r"^www\d+\.")
_LONGEST = 2000
_NUMBER = lazy(
    r"\d+|\b(?:latest|stable|dev|devel|nightly|current|next|beta|master|main|head|trunk|release)\b"
)
_USER = lazy(
    r"/(?:[~@]|(?:u|users?|people|persons?|profiles?|members?|authors?|in|channels?|c|blogs?/users?)/)([^/]+)(?=/)"
)
_ORDINARY_NAMES = link_words("ordinary_names")
_GENERIC_NAMES = link_words("generic_names")


class NormalizedUrl(NamedTuple):
    """The parts of a URL by which it is compared."""

    host: str  # in lower case, without `www.`, with the port if it is not the default
    path: str  # decoded, in lower case, without a final slash
    query: tuple[str, ...]  # its parameters, sorted, without those that only track visitors

    @property
    def name(self) -> str:
        """The last segment of the path; empty if it is a generic name."""
        last = self.path.rpartition("/")[2]
        return "" if last.partition(".")[0] in _GENERIC_NAMES else last


def normalize(url: str) -> NormalizedUrl | None:
    """Return the parts of an http or https URL; None if it has a user or odd characters, or is too long."""
    if len(url) > _LONGEST or not _PLAIN.fullmatch(url):
        return None
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    host = (parts.hostname or "").rstrip(".").removeprefix("www.")
    if not host or "@" in parts.netloc:
        return None
    if port not in (None, {"http": 80, "https": 443}[parts.scheme]):
        host = f"{host}:{port}"
    query = [unquote(item) for item in parts.query.split("&") if item and not _is_tracking(item)]
    return NormalizedUrl(host, unquote(parts.path).lower().rstrip("/"), tuple(sorted(query)))


def may_change_owner(first: NormalizedUrl, second: NormalizedUrl) -> bool:
    """Return whether a subdomain or first folder that may be an owner (no `docs`) is replaced by another: `/ada/x`, `/bob/x`."""
    gone = _owner_names(first).difference(_owner_names(second), second.path.split("/"))
    new = _owner_names(second).difference(_owner_names(first), first.path.split("/"))
    return bool(gone) and bool(new) and not gone | new <= _ORDINARY_NAMES


def is_same_page(url: str, other: str) -> bool:
    """Whether two URLs differ only in scheme, `www.`, case, a final slash or tracking."""
    first, second = normalize(url), normalize(other)
    return first is not None and first == second


def without_tracking(end: str, written: str) -> str:
    """Return the end of a redirect without its fragment, and without tracking that the redirect added."""
    end = end.partition("#")[0]
    before, mark, query = end.partition("?")
    if not mark:
        return end
    own = set(written.partition("#")[0].partition("?")[2].split("&"))
    kept = [parameter for parameter in query.split("&") if parameter in own or not _is_tracking(parameter)]
    return before + ("?" + "&".join(kept) if kept else "")


def _is_tracking(parameter: str) -> bool:
    return _TRACKING.fullmatch(parameter.partition("=")[0]) is not None


def _owner_names(url: NormalizedUrl) -> set[str]:
    host = _MIRROR.sub("", url.host)
    subdomains = host.removesuffix(registrable(host)).split(".")
    return {*subdomains, *url.path.split("/")[1:-1][:1]} - {""}


def _languages(url: NormalizedUrl) -> set[str]:
    """Return the languages that a subdomain or a folder names: a host may choose them for its visitor."""
    names = (*url.host.split(".")[:-1], *url.path.split("/"))
    return {name for name in names if _LANGUAGE.fullmatch(name)}


def _users(url: NormalizedUrl) -> list[str]:
    """Return the users that a URL names, as `~user` and `/users/user` do."""
    return _USER.findall(url.path + "/")


def _numbers(url: NormalizedUrl) -> list[str]:
    """Return the numbers and words of versions in the host and the path."""
    host = _MIRROR.sub("", url.host)
    return sorted(_NUMBER.findall(host) + _NUMBER.findall(url.path))


MOVED, UPGRADABLE = "link/moved", "link/upgradable"
_SAFE, _UNSAFE = Applicability.SAFE, Applicability.UNSAFE
_FOUND_STATUSES = frozenset((200, 203, 206, 304))
_PERSISTENT = link_words("persistent")
_FORGES = link_words("forges")
_FORGE_LABELS = link_words("forge_labels")


def redirect_replacement(record: LinkRecord) -> Replacement | None:
    """Return the replacement that the redirects of a record prove; None if they prove none."""
    if record.verdict not in FOUND or len(record.hops) < 2 or record.certificate:
        return None
    written, last = record.url, record.hops[-1]
    if last.status not in _FOUND_STATUSES or suspicion(written, last.url):
        return None
    stable = next((hop for hop in record.hops if hop.status not in PERMANENT_REDIRECTS), last)
    end = stable.url.partition("#")[0]
    if without_tracking(end, written) == written:
        return None
    if stable is not last:
        # After a temporary redirect the target may change: only another spelling of the URL is proposed.
        return _replacement(written, end, _SAFE, "") if is_same_page(written, end) else None
    return _judge(written, end)


def https_replacement(written: str, end: str) -> Replacement | None:
    """Return the https URL of a page that was just found there; None if it is not the same page."""
    secure = upgraded(written)
    if secure is None or not is_same_page(written, end) or not end.startswith("https://"):
        return None
    return Replacement(UPGRADABLE, secure, "", _SAFE)


def upgraded(url: str) -> str | None:
    """Return an `http:` URL with https; None for any other URL, and for one with a port."""
    if url[:7].lower() != "http://" or normalize(url) is None or ":" in url[7:].partition("/")[0]:
        return None
    return "https://" + url[7:]


def _judge(written: str, end: str) -> Replacement | None:
    """The replacement after permanent redirects only."""
    before, after = normalize(written), normalize(end)
    if before is None or after is None or before.host in _PERSISTENT:
        return None
    if after.host in SHORT or (end.startswith("http:") and written.startswith("https:")):
        return None
    if before == after:
        return _replacement(written, end, _SAFE, "")
    if not after.path and before.path:
        return None
    if before.host in SHORT:
        return _replacement(written, end, _UNSAFE, "target of the short URL")
    if before.host == after.host == "github.com":
        return _of_github(written, end)
    known, identifiers = identify(written), identify(end)
    is_neurips = before.host.endswith("nips.cc") and after.host.endswith("neurips.cc")
    if is_neurips and len(identifiers.get("neurips", "")) == 32:
        alike = known.get("neurips") == identifiers["neurips"] or known.get("neurips", "").isdigit()
        return _replacement(written, end, _SAFE if alike else _UNSAFE, "NeurIPS is at proceedings.neurips.cc")
    if known:
        if any(identifiers.get(kind, "").lower() != name.lower() for kind, name in known.items()):
            return _replacement(written, end, _UNSAFE, "perhaps not the same page")
        why = "" if _numbers(before) == _numbers(after) else "perhaps another version"
        return _replacement(written, end, _UNSAFE if why else _SAFE, why)
    if not same_owner(written, end) or (":" in after.host and before.host != after.host):
        return _replacement(written, end, _UNSAFE, "on another site")
    has_owners = _has_owners(before) or _has_owners(after)
    if has_owners or _users(before) != _users(after) or may_change_owner(before, after):
        return _replacement(written, end, _UNSAFE, "perhaps of another owner")
    if _numbers(before) != _numbers(after):
        return _replacement(written, end, _UNSAFE, "perhaps another version or year")
    if _languages(before) != _languages(after):
        return _replacement(written, end, _UNSAFE, "perhaps in another language")
    alike = before.name != "" and before.name == after.name and before.query == after.query
    return _replacement(written, end, _SAFE if alike else _UNSAFE, "")


def _has_owners(url: NormalizedUrl) -> bool:
    """Whether the first parts of the path may be an owner."""
    return url.host in _FORGES or url.host.partition(".")[0] in _FORGE_LABELS


def _of_github(written: str, end: str) -> Replacement | None:
    old, new = repository_of(written), repository_of(end)
    if old is None or new is None:
        return None
    paths = ["".join(url.partition("github.com/")[2].split("/", 2)[2:]).rstrip("/") for url in (written, end)]
    if old.partition("/")[0].lower() != new.partition("/")[0].lower():
        return _replacement(written, end, _UNSAFE, f"now owned by {new.partition('/')[0]}")
    if old.lower() == new.lower():
        same = paths[0].rpartition("/")[2] == paths[1].rpartition("/")[2] != ""
        return _replacement(written, end, _SAFE if same else _UNSAFE, "")
    return _replacement(written, end, _SAFE if paths[0] == paths[1] else _UNSAFE, f"renamed to {new}")


def _replacement(written: str, end: str, applicability: Applicability, why: str) -> Replacement | None:
    """A replacement by another URL; link/upgradable reports what differs in https only."""
    if end == written:
        return None
    rule = UPGRADABLE if end == upgraded(written) else MOVED
    return Replacement(rule, end, why, applicability)


_ON_BRANCH = lazy(
    r"(?i)https?://(?:www\.)?github\.com/[^/?#]+/[^/?#]+/(?P<kind>blob|tree|raw)/(?P<branch>master|main)(?P<rest>/[^?#]*)?"
)
_BRANCH = lazy(r"(?!.*\.\.)[A-Za-z0-9_][\w./+@-]{0,199}(?<![./])")


class BranchPath(NamedTuple):
    """A file or folder on `master` or `main`, which may have been the default branch."""

    repository: str  # `owner/name`, as written
    kind: str  # blob, tree or raw
    branch: str
    path: str  # the path with its first slash, percent-encoded


def on_branch(url: str) -> BranchPath | None:
    """Return the file or folder that a URL names; None if it is not on `master` or `main`."""
    match, repository = _ON_BRANCH.fullmatch(url), repository_of(url)
    if match is None or repository is None:
        return None
    return BranchPath(repository, match["kind"].lower(), match["branch"], match["rest"] or "")


def path_on_branch(branch_path: BranchPath, repository: str, branch: str) -> str | None:
    """Return the path on GitHub on another branch; None if the branch is the same, or its name is not valid."""
    if not _BRANCH.fullmatch(branch) or branch == branch_path.branch:
        return None
    return f"/{repository}/{branch_path.kind}/{quote(branch, safe='/')}{branch_path.path}"
