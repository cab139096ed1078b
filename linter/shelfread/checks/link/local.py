"""Links within the project: files that are not there, and anchors that no page has."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import quote, unquote

from shelfread.checks.link.filesystem import Disk, find_root, from_root
from shelfread.checks.link.local_candidates import Seeker
from shelfread.core.diagnostics import Applicability, Change, Edit, Effect, RawDiagnostic, Severity
from shelfread.core.support.regex import lazy
from shelfread.document.addresses import Address, odd_addresses
from shelfread.document.model import Document
from shelfread.index.anchors.anchors import find_landmarks, slug_landmarks
from shelfread.index.context import RuleContext
from shelfread.project.files import SUFFIXES

_SCHEME = lazy(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_TEMPLATE = lazy(r"[{}<>$|*\\]|\.\.\.|…")
_DOI = lazy(r"10\.\d{4,9}/")
# GitHub's pages of a repository, which stand beside its files.
_PAGES = frozenset(
    "issues pulls wiki releases discussions actions projects graphs stargazers network tree blob raw commits "
    "commit blame compare labels milestones security tags archive forks watchers".split()
)
# What stands for an address where a format is explained.
_PLACEHOLDERS = frozenset(
    "link url uri href http https address website homepage path link-here your-link".split()
)
_PROSE_OF_CONTRIBUTING = lazy(
    r"contributing|pull_request_template|issue_template|style-?guide", re.IGNORECASE
)
# What is written there becomes a comment, far from the repository's files.
_BECOMES_COMMENT = lazy(r"(?:^|/)(?:pull_request_template|issue_template)(?:\.\w+$|/)", re.IGNORECASE)
# Places that GitHub gives every page.
_GIVEN = lazy(
    r"(?i)top|readme|[\w-]+-ov-file|start-of-content|repo-content-\w+-container|js-repo-pjax-container|L\d+(?:C\d+)?(?:-L?\d+(?:C\d+)?)?"
    r"|fn(?:ref)?[-:]?[\w-]+|:~:.*"
)
_READMES = ("README.md", "readme.md", "Readme.md")
_GUESSES = 100
"""How many anchors of one file are compared with all others at most: it takes its time."""


class _Target(NamedTuple):
    """A local address taken apart: `path` is from the project's root."""

    written: str
    path: str
    rest: str
    """The query and the fragment with their marks."""


def missing_file(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Local targets that are not there."""
    path = document.source.path
    local = [address for address in context.table(odd_addresses, document) if _is_local(address.url)]
    if (
        path is None
        or not local
        or not (context.project.location.folders or os.path.isdir(os.path.dirname(path) or "."))
    ):
        return
    root, sure = find_root(path, context.project.location.folder)
    here = from_root(os.path.dirname(path), root)
    if here is None:
        return
    disk = Disk(root, context.project.location.folders)
    seeker = Seeker(disk, context)
    comment = _BECOMES_COMMENT.search(path.replace(os.sep, "/")) is not None
    about = bool(_PROSE_OF_CONTRIBUTING.search(os.path.basename(path)))
    for address in local:
        if about and "/" not in address.url and "." not in address.url:
            continue  # `[name](link)` explains how entries are written
        target = _take_apart(address.url, here, sure)
        if target is None or _is_there(disk, target, here) is not False:
            continue
        if comment:
            hint = ": in a comment no path of the repository leads anywhere, give the whole address"
            yield RawDiagnostic(address.span, {"target": target.written, "hint": hint})
            continue
        if (whole := _marked(address.url, target, here, disk)) is not None:
            yield _mended(
                address, target._replace(written=address.url, rest=""), whole, True, document.source.text
            )
            continue
        own = f"#{target.written.lower()}"
        if "/" not in own and "." not in own and own[1:] in (context.project.anchors(path) or ()):
            # `LICENSE` may be a file that has yet to come.
            yield _mended(address, target, own, own[1:] == target.written, document.source.text)
            continue
        new, safe = seeker.seek(target.path)
        written = None if new is None else _rewritten(target.written, new, here)
        yield _mended(address, target, written, safe, document.source.text)


def _is_local(url: str) -> bool:
    return (
        "://" not in url
        and bool(url)
        and url[0] not in "#?"
        and url[:2] != "//"
        and not _SCHEME.match(url)
        and not _TEMPLATE.search(url)
        and not _DOI.match(url)
        and url.lower() not in _PLACEHOLDERS
    )


def _take_apart(url: str, here: str, sure: bool) -> _Target | None:
    """A local address; None for one that leads out of the project, or whose root is not known."""
    written = url.partition("#")[0].partition("?")[0]
    path = unquote(written)
    if "\0" in path or (path.startswith("/") and not sure):
        return None
    joined = path.lstrip("/") if path.startswith("/") else posixpath.join(here, path)
    joined = posixpath.normpath(joined)
    if joined == ".." or joined.startswith("../"):
        return None
    return _Target(written, "" if joined == "." else joined, url[len(written) :])


def _is_there(disk: Disk, target: _Target, here: str) -> bool | None:
    """Whether the target exists; None for what a site's builder or GitHub itself may answer."""
    path = target.path
    found = disk.find(path)
    if found is not False:
        return found
    if path.partition("/")[0] in _PAGES and target.written.startswith(("../", "/")):
        return None
    stem, ending = posixpath.splitext(path)
    if ending == ".html" and any(disk.find(stem + markdown) for markdown in SUFFIXES):
        return None
    if (not ending or target.written.startswith("/") or ending == ".html") and disk.is_site(here):
        return None
    return False


def _marked(url: str, target: _Target, here: str, disk: Disk) -> str | None:
    """The address of a file that has `#` or `?` in its name, which are to be encoded."""
    if not target.rest:
        return None
    path = posixpath.normpath(posixpath.join(here, unquote(url)))
    if url.startswith("/") or path.startswith("../") or "\0" in path or disk.find(path) is not True:
        return None
    return url.replace("#", "%23").replace("?", "%3F")


def _mended(address: Address, target: _Target, written: str | None, safe: bool, text: str) -> RawDiagnostic:
    values = {"target": target.written, "hint": ""}
    if target.written == "broken-reference":
        values["hint"] = ": GitBook's mark for a page that is gone"
        return RawDiagnostic(address.span, values)
    if written is None:
        return RawDiagnostic(address.span, values)
    values["hint"] = f", it is '{written}'" if safe else f", did you mean '{written}'?"
    edits: tuple[Edit, ...] = ()
    start, end = address.span
    if text[start:end] == address.url:
        effect = Effect(Change.DESTINATION, address.url, written + target.rest)
        edits = (Edit(start, start + len(target.written), written, effect),)
    return RawDiagnostic(address.span, values, edits, Applicability.SAFE if safe else Applicability.UNSAFE)


def _rewritten(written: str, new: str, here: str) -> str:
    """A path in the manner of the one that it takes the place of."""
    if written.startswith("/"):
        path = "/" + new
    else:
        path = posixpath.relpath(new or ".", here or ".")
        if written.startswith("./") and not path.startswith("../"):
            path = "./" + path
    if written.endswith("/") and not path.endswith("/") and not posixpath.splitext(path)[1]:
        path += "/"
    if "%" in written or re.search(r"[\s()<>%?#\\\[\]|*_]", path):
        path = quote(path, safe="/.-_~!$&'+,;=:@" + "".join(set(filter(str.isalpha, path))))
    return path


# ------------------------------------------------------------------------------------------ anchors


def missing_anchor(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """`#x` that no heading, id or name of its page has."""
    pages: dict[str, _Page | None] = {}
    guesses = _GUESSES
    found = [one for one in context.table(odd_addresses, document) if "#" in one.url and "://" not in one.url]
    templates = bool(found) and any("{" in link.url for link in document.links)
    path = document.source.path or ""
    for address in found:
        url = address.url
        if templates and url[0] == "#":
            continue
        written, _, fragment = url.partition("#")
        anchor = unquote(fragment)
        if not fragment or _GIVEN.fullmatch(anchor) or anchor[0] in "/!" or _TEMPLATE.search(url):
            continue
        if written not in pages:
            pages[written] = _page(written, path, document, context)
        page = pages[written]
        if page is None or page.has(anchor):
            continue
        near = page.spelt(anchor)
        sure = near is not None
        if near is None and guesses > 0:
            guesses -= 1
            near = page.like(anchor)
        yield _dangling(address, written, fragment, near, sure, document.source.text)


class _Page:
    """The anchors of a page, as they are and folded."""

    def __init__(self, anchors: Sequence[str]) -> None:
        self.anchors = frozenset(anchors)
        self._folded: dict[str, list[str]] | None = None

    def has(self, anchor: str) -> bool:
        return anchor in self.anchors or anchor.removeprefix("user-content-") in self.anchors

    def spelt(self, anchor: str) -> str | None:
        """The only anchor that differs in nothing but case and punctuation."""
        if self._folded is None:
            self._folded = {}
            for one in sorted(self.anchors):
                self._folded.setdefault(_fold(one), []).append(one)
        same = self._folded.get(_fold(anchor), []) if _fold(anchor) else []
        lower = [one for one in same if one.casefold() == anchor.casefold()]
        if len(lower) == 1:
            return lower[0]
        return same[0] if len(same) == 1 else None

    def like(self, anchor: str) -> str | None:
        """The anchor nearest to one that is not there, if it is near."""
        from difflib import get_close_matches

        anchor = anchor.lower()
        near = get_close_matches(anchor, self.anchors, n=3, cutoff=0.8)
        return next((one for one in near if _may_be_meant(anchor, one)), None)


def _may_be_meant(one: str, other: str) -> bool:
    """Whether two anchors differ in a word's spelling or in words that one lacks, not in another word."""
    from difflib import SequenceMatcher

    first, second = one.split("-"), other.split("-")
    left = "".join(word for word in first if word not in second)
    right = "".join(word for word in second if word not in first)
    if not left or not right:
        return True
    return not (left.isdigit() or right.isdigit()) and SequenceMatcher(None, left, right).ratio() >= 0.5


def _fold(anchor: str) -> str:
    return "".join(filter(str.isalnum, anchor.casefold()))


def _page(written: str, path: str, document: Document, context: RuleContext) -> _Page | None:
    """The page that an address leads to; None for one that is not of the project."""
    if not written:
        own = context.project.anchors(path)
        return _Page(slug_landmarks(find_landmarks(document), context.project.slugs) if own is None else own)
    if not _is_local(written):
        return None
    if written.startswith("/"):
        root, sure = find_root(path, context.project.location.folder)
        if not sure:
            return None
        name = os.path.relpath(os.path.join(root, unquote(written).lstrip("/"))).replace(os.sep, "/")
    else:
        name = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(written)))
    if not name.lower().endswith(SUFFIXES):  # of a folder GitHub shows the README
        readmes = [one for one in _READMES if context.project.anchors(posixpath.join(name, one)) is not None]
        name = posixpath.join(name, readmes[0]) if len(readmes) == 1 else name
    anchors = context.project.anchors(name)
    return None if anchors is None else _Page(anchors)


def _dangling(
    address: Address, written: str, fragment: str, near: str | None, sure: bool, text: str
) -> RawDiagnostic:
    values = {"target": f"{written}#{fragment}", "where": "nowhere", "hint": ""}
    if near is None:
        return RawDiagnostic(address.span, values)
    after = quote(near, safe="") if "%" in fragment or re.search(r"[\s()<>%\\]", near) else near
    values["hint"] = f", it is '#{after}'" if sure else f", did you mean '#{after}'?"
    start, end = address.span
    edits: tuple[Edit, ...] = ()
    if text[start:end] == address.url:
        effect = Effect(Change.DESTINATION, address.url, f"{written}#{after}")
        edits = (Edit(end - len(fragment), end, after, effect),)
    severity = Severity.ERROR
    if near.casefold() == unquote(fragment).casefold():
        severity, values["where"] = Severity.INFO, "nowhere but on GitHub"
    return RawDiagnostic(
        address.span, values, edits, Applicability.SAFE if sure else Applicability.UNSAFE, severity
    )
