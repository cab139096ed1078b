"""What was added to lists and when, from git's history, as Atom, JSON Feed and Markdown."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta, timezone
from itertools import groupby
from typing import Any, NamedTuple
from uuid import NAMESPACE_URL, uuid5
from xml.sax.saxutils import escape as xml
from xml.sax.saxutils import quoteattr

from shelfread.changes.additions import Addition, Commit, find_additions, walk_commits
from shelfread.changes.listed import ListedEntry, list_entries
from shelfread.core import git
from shelfread.core.errors import InputError, UserError
from shelfread.core.patterns import lazy
from shelfread.core.wording import counted
from shelfread.document.entry_data import exported_entry
from shelfread.document.identity import fold_title
from shelfread.document.model import Document
from shelfread.document.recognizers.venues import short_label, workshop_of
from shelfread.engine.check import Waiting
from shelfread.exports.cited_work import people, plain, work_of
from shelfread.exports.shown_lists import ListOptions, export_documents, title_of_lists
from shelfread.markdown.html import destination, escape
from shelfread.project.files import relative_path
from shelfread.report.rendering import dumps
from shelfread.taxonomy.taxonomy import Taxonomy
from shelfread.taxonomy.vocabulary import Vocabulary

_DATE = lazy(r"\d{4}(?:-\d\d(?:-\d\d)?)?")

_MOST_NAMED = 5


class FeedItem(NamedTuple):
    """An entry and when it was added."""

    id: str  # a URN made of the line in which the entry was added, which no later change of the list changes
    entry: Mapping[str, Any]  # as `shelfread export` gives it
    vocabulary: Vocabulary
    added: datetime  # in UTC
    author: str  # who made the commit


class Feed(NamedTuple):
    """The entries of some lists, newest first, those of one commit in the order of the list."""

    id: str
    title: str
    updated: datetime
    items: tuple[FeedItem, ...]
    remarks: tuple[str, ...]  # what the history does not tell
    errors: tuple[UserError, ...]


def feed(options: ListOptions, since: str | None, waiting: Waiting) -> Feed:
    """Return the feed of lists; raises InputError if they have no history, or `since` names nothing."""
    if "-" in options.paths:
        raise InputError("a feed needs files with a history, not standard input")
    paths = options.paths or (".",)
    root = _root(paths)
    head = git.resolve(root, "HEAD")
    if head in git.EMPTY_TREES:
        raise InputError("this repository has no commits yet: commit the list first", root)
    is_wanted = _since(root, since)
    errors: list[UserError] = []
    lists, changed = _committed(root, head, options, errors, waiting)
    sources = dict(lists)
    vocabulary = lists[0][1].vocabulary
    entries = list_entries(sources)
    additions, missing, newest, oldest = find_additions(entries, walk_commits(root), vocabulary)
    if newest is None or oldest is None:
        raise InputError("no commit has a Markdown file: commit the list first", root)
    remarks = list(_remarks(missing, changed))
    if git.is_shallow(root):
        additions = [addition for addition in additions if addition.commit.oid != oldest.oid]
        remarks.append(
            "this clone is shallow: what its oldest commit has may be older and is left out "
            "(`git fetch --unshallow`, or `fetch-depth: 0` for actions/checkout)"
        )
    wanted = [addition for addition in additions if is_wanted(addition.commit)]
    items = sorted(_items(wanted, sources), key=lambda item: item.added, reverse=True)
    names = " ".join(sorted(document.source.path or "" for document in sources))
    return Feed(
        id=_urn(f"{oldest.oid} {names}"),
        title=title_of_lists(sources) or os.path.basename(root),
        updated=items[0].added if items else _time(newest),
        items=tuple(items),
        remarks=tuple(remarks),
        errors=tuple(errors),
    )


def _remarks(missing: Sequence[ListedEntry], changed: Collection[Document]) -> Iterator[str]:
    new = [entry for entry in missing if entry.document in changed]
    if new:
        yield f"{counted(len(new), 'entry', 'entries')} not committed yet"
    lost = [f"{entry.document.source.path}:{entry.entry.line}" for entry in missing if entry not in new]
    if lost:
        shown = ", ".join(lost[:_MOST_NAMED]) + (", ..." if len(lost) > _MOST_NAMED else "")
        yield f"{counted(len(lost), 'entry', 'entries')} not recognised in the history: {shown}"


def _root(paths: Sequence[str]) -> str:
    """Return the work tree that holds all paths. Raises InputError if there is none, or more than one."""
    if missing := next((path for path in paths if not os.path.lexists(path)), None):
        raise InputError("no such file or folder", missing)
    roots = dict.fromkeys(
        git.find_root(path if os.path.isdir(path) else os.path.dirname(path)) for path in paths
    )
    first, *others = roots
    if first is None:
        raise InputError(
            "no git repository: a feed is made of a list's history, so run it in a clone", paths[0]
        )
    if others:
        raise InputError("not in the same repository as the other paths: make a feed of each", paths[-1])
    return first


def _since(root: str, since: str | None) -> Callable[[Commit], bool]:
    """Return a test whether a commit is wanted: after a date, or not part of a revision."""
    if since is None:
        return lambda commit: True
    if _DATE.fullmatch(since):
        start = _parse_date(since)
        return lambda commit: _time(commit) >= start
    try:
        known = set(git.list_commits(root, git.resolve(root, since)))
    except InputError as error:
        if "no revision" not in error.message and "not a revision" not in error.message:
            raise
        raise InputError(
            f"--since: neither a date such as 2024-05-31 nor a commit: {error.message}", root
        ) from None
    return lambda commit: commit.oid not in known


def _parse_date(text: str) -> datetime:
    """Return when a day begins in UTC, or the first one of a month or year. Raises InputError for a day that does not exist."""
    try:
        return datetime.fromisoformat(text + "-01-01"[len(text) - 4 :]).replace(tzinfo=timezone.utc)
    except ValueError:
        raise InputError(f"--since: no such date: '{text}'") from None


def _committed(
    root: str, head: str, options: ListOptions, errors: list[UserError], waiting: Waiting
) -> tuple[list[tuple[Document, Taxonomy]], set[Document]]:
    """Return the lists that the newest commit has, and those that differ from it; raises InputError if none is."""
    lists = list(export_documents(options, errors, lambda line: None, waiting))
    if not lists:
        raise errors[0] if errors else InputError("no lists", options.paths[0] if options.paths else ".")
    tracked = {
        relative_path(os.path.join(root, path)): blob for path, blob in git.list_tree(root, head).items()
    }
    committed = [pair for pair in lists if pair[0].source.path in tracked]
    if not committed:
        raise InputError(
            "never committed: commit it first, because a feed is made of its history", lists[0][0].source.path
        )
    changed = {
        document
        for document, _ in committed
        if not tracked[document.source.path or ""].holds(document.source.to_bytes(document.source.text))
    }
    return committed, changed


def _items(additions: Sequence[Addition], sources: Mapping[Document, Taxonomy]) -> Iterator[FeedItem]:
    """Yield the items of additions; of several with the same line, the others' ids have their titles too."""
    taken: set[str] = set()
    for entry, commit, line in additions:
        id = _urn(fold_title(line))
        if id in taken:
            id = _urn(f"{fold_title(line)} {entry.title} {' '.join(entry.keys[:1])}")
        taken.add(id)
        taxonomy = sources[entry.document]
        data = exported_entry(entry.entry, entry.document, taxonomy)
        yield FeedItem(id, data, taxonomy.vocabulary, _time(commit), commit.author)


def _time(commit: Commit) -> datetime:
    """Return when a commit was made; a time that no calendar has is 1970."""
    try:
        return datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(seconds=commit.seconds)
    except OverflowError:
        return datetime(1970, 1, 1, tzinfo=timezone.utc)


def _urn(name: str) -> str:
    encoded = name.encode("utf-8", "backslashreplace").decode()  # a file's name may be no text
    return uuid5(NAMESPACE_URL, f"shelfread:{encoded}").urn


_CALL = lazy(r"[@#](?=\w)|(?<=GH)-(?=\d)")


def atom(feed: Feed) -> Iterator[str]:
    """Yield the XML; texts have no character that XML 1.0 forbids."""
    yield '<?xml version="1.0" encoding="utf-8"?>'
    yield '<feed xmlns="http://www.w3.org/2005/Atom">'
    yield "  <generator>shelfread</generator>"
    yield f"  <id>{feed.id}</id>"
    yield f"  <title>{xml(plain(feed.title))}</title>"
    yield f"  <updated>{_timestamp(feed.updated)}</updated>"
    yield f"  <author><name>{xml(plain(feed.title))}</name></author>"
    for item in feed.items:
        yield "  <entry>"
        yield from (f"    {element}" for element in _atom_elements(item))
        yield "  </entry>"
    yield "</feed>"


def _atom_elements(item: FeedItem) -> Iterator[str]:
    work = work_of(item.entry, item.vocabulary)
    yield f"<id>{item.id}</id>"
    yield f"<title>{xml(work.title)}</title>"
    yield f"<published>{_timestamp(item.added)}</published>"
    yield f"<updated>{_timestamp(item.added)}</updated>"
    yield f"<author><name>{xml(plain(item.author) or 'unknown')}</name></author>"
    if work.url:
        yield f"<link href={quoteattr(work.url)}/>"
    yield from (f"<category term={quoteattr(keyword)}/>" for keyword in work.keywords)
    yield f'<content type="text">{xml(_summary(item))}</content>'


def json(feed: Feed) -> Iterator[str]:
    """Yield the object; each item has its entry too, as `shelfread export` prints it."""
    yield dumps(
        {
            "version": "https://jsonfeed.org/version/1.1",
            "_shelfread": {"about": "an item's _shelfread is its entry as shelfread export prints it"},
            "title": plain(feed.title),
            "items": [_json_item(item) for item in feed.items],
        }
    )


def _json_item(item: FeedItem) -> dict[str, Any]:
    work = work_of(item.entry, item.vocabulary)
    data = {
        "id": item.id,
        "url": work.url,
        "title": work.title,
        "content_text": _summary(item),
        "date_published": _timestamp(item.added),
        "authors": [{"name": plain(item.author)}] if plain(item.author) else [],
        "tags": list(work.keywords),
        "_shelfread": dict(item.entry),
    }
    return {key: value for key, value in data.items() if value}


def markdown(feed: Feed) -> Iterator[str]:
    """Yield the days and their entries; days are those of UTC."""
    yield "<!-- Written by shelfread feed. -->"
    yield ""
    yield f"# New in {_shown(feed.title)}"
    for day, items in groupby(feed.items, lambda item: item.added.date()):
        yield ""
        yield f"## {day.isoformat()}"
        yield ""
        yield from map(_markdown_item, items)


def _markdown_item(item: FeedItem) -> str:
    work = work_of(item.entry, item.vocabulary)
    title = _shown(work.title)
    line = f"- [{title}]({destination(work.url)})" if work.url else f"- {title}"
    if venue := _venue_and_year(item):
        line += f" ({_shown(venue)})"
    if item.entry["description"]:
        line += f" - {_shown(item.entry['description'])}"
    return line


def _shown(text: str) -> str:
    """Return the Markdown of a text, in which nobody is called: it may be posted as a release."""
    return _CALL.sub(r"\g<0>&#8203;", escape(plain(text)))


def _summary(item: FeedItem) -> str:
    """Return venue and year, authors, description and section in one line; the title if there are none."""
    entry, venue = item.entry, _venue_and_year(item)
    parts = (
        f"{venue}." if venue else "",
        f"{people(entry).rstrip('.')}." if entry["authors"] else "",
        _sentence(plain(entry["description"] or "")),
        f"In {plain(' > '.join(entry['section'][1:]))}." if len(entry["section"]) > 1 else "",
    )
    return " ".join(filter(None, parts)) or plain(entry["title"])


def _sentence(text: str) -> str:
    return f"{text}." if text[-1:].isalnum() else text


def _venue_and_year(item: FeedItem) -> str:
    entry, year = item.entry, item.entry["year"]
    known = item.vocabulary.venue(entry["venue"]) if entry["venue"] else None
    venue = written = entry["venue_text"] or ""
    if known is not None:
        venue = workshop_of(written, known) or short_label(written, known, entry["identifiers"])
    shown = "" if year is None or str(year) in venue else str(year)
    return plain(f"{venue} {shown}")


def _timestamp(time: datetime) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0")
