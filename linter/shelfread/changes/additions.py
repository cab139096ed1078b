"""Find the commit in which each entry of a list was added: the oldest that adds lines with its identity.

The lines of a commit are too many to read each as a list, and without the lines around them they cannot always be read.
What identifies an entry (addresses, identifiers, titles) stands in its lines as it is, whatever the style of the list.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from html import unescape
from itertools import accumulate
from textwrap import dedent
from typing import NamedTuple

from shelfread.changes.listed import ListedEntry, list_entries
from shelfread.changes.matching import pair_entries
from shelfread.core import git
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.file_kind import SUFFIXES
from shelfread.document.identity import PAPER_IDS, fold_title, fold_url, identify
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.taxonomy.vocabulary import Vocabulary

# An address, also one whose scheme is misspelt: a later commit may have mended it.
_URL = lazy(r"(?i)(?:\b[a-z]{2,8}:/{1,3}|\bhttps?;?//)([^\s<>\"\]|\\`/][^\s<>\"\]|\\`]{0,2000})")
_TARGET = lazy(r"\]\([^\s()]*(?:\([^\s()]*\)[^\s()]*)*\)|</?[a-zA-Z][^<>]{0,500}>")
_BACKSLASH = lazy(r"\\(?=[!-/:-@\[-`{-~])")
_PARENTHESIS = lazy(r"[()]")
_GRAM = 12  # titles are found by their first letters; those that identify an entry have more
_MARGIN = 4  # the title of a nested item is behind fewer characters, which are its number
_NEAR = 2  # a word of a title is looked for in so many lines before and after its address


class Signs:
    """What identifies some entries, each given by a number; grows as older forms of them become known."""

    def __init__(self) -> None:
        self._keys: dict[str, int] = {}
        self._words: dict[str, dict[str, int]] = {}
        self._titles: dict[str, int] = {}
        self._titles_of: dict[int, set[str]] = {}  # of any length
        self._lengths: dict[str, list[int]] = {}
        self._ids: dict[int, set[str]] = {}
        self._lines: dict[str, set[int]] = {}

    def find_known(self, entry: ListedEntry) -> int | None:
        """Return the number of the entry that has a key of this one, or its line; None if there is none."""
        for key in entry.keys:
            number = self._titles.get(key[6:]) if key.startswith("title:") else self._keys.get(key)
            if number is not None:
                return number
        return min(self._lines.get(_line_of(entry), ()), default=None)

    def add(self, number: int, entry: ListedEntry) -> None:
        """Add what identifies an entry; a sign of another one stays that one's. Its line as it stands always is one."""
        self._lines.setdefault(_line_of(entry), set()).add(number)
        self._titles_of.setdefault(number, set()).add(entry.title.replace(" ", ""))
        for key in entry.keys:
            kind, _, value = key.partition(":")
            self._keys.setdefault(key, number)
            if kind == "title":
                self._add_title(value, number)
            elif kind == "url" and " " in value:
                url, _, word = value.rpartition(" ")
                self._words.setdefault(url, {}).setdefault(word, number)
            elif kind in PAPER_IDS:
                self._ids.setdefault(number, set()).add(key)

    def _add_title(self, title: str, number: int) -> None:
        if len(title) >= _GRAM and self._titles.setdefault(title, number) == number:
            lengths = self._lengths.setdefault(title[:_GRAM], [])
            if len(title) not in lengths:
                lengths.append(len(title))
                lengths.sort(reverse=True)

    def find(self, lines: Sequence[str]) -> dict[int, int]:
        """Return the entries that some lines of one place state, each with the index of its first line."""
        first_lines: dict[int, int] = {}
        keys = [set(_keys_in(line)) for line in lines]
        folded = [fold_title(_plain(line)) for line in lines]
        squashed = [line.replace(" ", "") for line in folded]
        titled: dict[int, tuple[int, int]] = {}  # the first title of each line: its entry and its place
        for number, index, place in self._find_titles(squashed):
            if not self._is_another(number, keys[index]):
                first_lines.setdefault(number, index)
                titled.setdefault(index, (number, place))
        for index, line in enumerate(lines):
            for number in self._lines.get(line.strip(), ()):
                first_lines.setdefault(number, index)
        top = 0
        for index, here in enumerate(keys):
            top = top if lines[index][:1].isspace() and titled.get(index) is None else index
            found = {self._keys[key] for key in here if key in self._keys}
            for words in (self._words[key[4:]] for key in here if key[4:] in self._words):
                near = " ".join(folded[max(index - _NEAR, 0) : index + _NEAR + 1]).split()
                found |= {words[word] for word in near if word in words}
            for number in found:
                names = self._titles_of.get(number, ())
                is_item = top < index and any(0 <= squashed[index].find(name) < _MARGIN for name in names)
                if is_item or not self._is_beside(number, squashed[top], titled.get(top)):
                    first_lines[number] = min(index, first_lines.get(number, index))
        return first_lines

    def _is_beside(self, number: int, line: str, titled: tuple[int, int] | None) -> bool:
        """Return whether the address of an entry stands in the line of another one, whose title is before its own."""
        if titled is None or titled[0] == number:
            return False
        places = [line.find(title) for title in self._titles_of.get(number, ())]
        return titled[1] < min((place for place in places if place >= 0), default=len(line))

    def _find_titles(self, squashed: Sequence[str]) -> Iterator[tuple[int, int, int]]:
        """Yield the entries whose titles stand in the lines, the longest where several begin, the lines and the places in them."""
        text = "".join(squashed)
        starts = [0, *accumulate(map(len, squashed))]
        position, end = 0, len(text) - _GRAM
        while position <= end:
            for length in self._lengths.get(text[position : position + _GRAM], ()):
                number = self._titles.get(text[position : position + length])
                if number is not None:
                    line = bisect_right(starts, position) - 1
                    yield number, line, position - starts[line]
                    position += length - 1
                    break
            position += 1

    def _is_another(self, number: int, keys: Iterable[str]) -> bool:
        """Return whether a line with an entry's title is that of another paper, whose title only contains it."""
        own = self._ids.get(number, set())
        kinds = {key.partition(":")[0] for key in own}
        others = {key for key in keys if key.partition(":")[0] in kinds}
        return bool(others) and own.isdisjoint(others)


def _line_of(entry: ListedEntry) -> str:
    return entry.document.source.lines[entry.entry.line - 1].strip()


def _keys_in(line: str) -> Iterator[str]:
    if "/" not in line:
        return
    for match in _URL.finditer(_BACKSLASH.sub("", unescape(line) if "&" in line else line)):
        url = _before_unpaired(f"https://{match[1]}")
        for written in {url, url.rstrip(".,;:!?*'_~")}:  # in text, or as a destination
            yield f"url:{fold_url(written)}"
            for kind, value in identify(written).items():
                yield f"{kind}:{value.lower()}"
                if kind == "doi" and value.startswith("10.18653/v1/"):
                    yield f"acl:{value[12:].lower()}"


def _before_unpaired(url: str) -> str:
    """Return the part of a URL before a `)` that has no partner in it: that of `[label](url)`."""
    depth = 0
    for match in _PARENTHESIS.finditer(url):
        depth += 1 if match[0] == "(" else -1
        if depth < 0:
            return url[: match.start()]
    return url


def _plain(line: str) -> str:
    """Return a line without addresses of links, tags and escapes."""
    text = _TARGET.sub("]", line) if "](" in line or "<" in line else line
    return unescape(text) if "&" in text else text


_START = b"\x01"
_HUNK = lazy(rb"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")
_LOG = (
    *("log", "--first-parent", "-m", "--patch", "--unified=0", "--inter-hunk-context=0", "--find-renames"),
    *("--no-color", "--no-ext-diff", "--no-textconv", f"--format=%x{_START.hex()}%H %ct %aN", "HEAD", "--"),
)


class Hunk(NamedTuple):
    """Lines at one place of a file before and after a commit, without line ends."""

    removed: list[str]
    added: list[str]


class Commit(NamedTuple):
    """A commit, or a merge with all that it brought; `seconds` is when it was made, since 1970 in UTC."""

    oid: str
    seconds: int
    author: str
    hunks: list[Hunk]


def walk_commits(root: str) -> Iterator[Commit]:
    """Yield the commits of HEAD's first parents that changed Markdown files, newest first, with the lines that differ. Raises InputError."""
    lines = git.stream(root, *_LOG, *(f":(icase)*{suffix}" for suffix in SUFFIXES))
    commit: Commit | None = None
    for line in lines:
        if line.startswith(_START):
            if commit is not None:
                yield commit
            oid, seconds, author = line[len(_START) :].decode("utf-8", "replace").rstrip("\n").split(" ", 2)
            commit = Commit(oid, int(seconds), author, [])
        elif commit is not None and (match := _HUNK.match(line)):
            removed, added = (1 if count is None else int(count) for count in match.groups())
            hunk = Hunk(_take(lines, removed), _take(lines, added))
            commit.hunks.append(hunk)
    if commit is not None:
        yield commit


def _take(lines: Iterator[bytes], count: int) -> list[str]:
    """Return the next lines of a hunk without their sign; git says of a last line when it has no line end."""
    taken: list[str] = []
    while len(taken) < count:
        line = next(lines, None)
        if line is None:
            break
        if not line.startswith(b"\\"):
            taken.append(line[1:].decode("utf-8", "replace").rstrip("\r\n"))
    return taken


class Addition(NamedTuple):
    """An entry of today and the commit that added it, with the line that it had then."""

    entry: ListedEntry
    commit: Commit  # without its hunks
    line: str


class History(NamedTuple):
    """What some commits tell of entries."""

    additions: list[Addition]  # in the order of the entries
    missing: list[ListedEntry]  # the entries that no commit has
    newest: Commit | None
    oldest: Commit | None  # the first and the last commit, without hunks; None if there is none


def find_additions(
    entries: Iterable[ListedEntry], commits: Iterable[Commit], vocabulary: Vocabulary
) -> History:
    """Return which commit added each entry.

    Commits are given newest first. An entry that is listed twice is added once, unless it has another title there.
    An entry that a commit reworded, so that the lines before it have no sign of it, is paired with the one that it
    replaced as `shelfread diff` pairs them, and is looked for in older commits by the signs of both.
    """
    signs = Signs()
    known: list[ListedEntry] = []
    titles: set[tuple[int, str]] = set()  # those of each known entry
    for entry in entries:
        number = signs.find_known(entry)
        if number is None or (len(entry.title) >= _GRAM and (number, entry.title) not in titles):
            titles |= {(each, entry.title) for each in (number, len(known)) if each is not None}
            signs.add(len(known), entry)
            known.append(entry)
    first_of: dict[int, tuple[Commit, str]] = {}
    newest: Commit | None = None
    oldest: Commit | None = None
    for commit in commits:
        oldest = commit._replace(hunks=[])
        newest = newest or oldest
        for number, line in _read_commit(commit, signs, vocabulary).items():
            first_of[number] = oldest, line
    additions = [Addition(known[number], *first_of[number]) for number in sorted(first_of)]
    missing = [entry for number, entry in enumerate(known) if number not in first_of]
    return History(additions, missing, newest, oldest)


def _read_commit(commit: Commit, signs: Signs, vocabulary: Vocabulary) -> dict[int, str]:
    """Return the entries whose signs are in the lines that a commit added, with their lines."""
    hunks = _without_moved(commit.hunks)
    lines: dict[int, str] = {}
    places: dict[int, list[int]] = {}
    before: set[int] = set()
    for index, hunk in enumerate(hunks):
        before.update(signs.find(hunk.removed))
        for number, line in signs.find(hunk.added).items():
            lines.setdefault(number, hunk.added[line])
            places.setdefault(index, []).append(number)
    for index, numbers in places.items():
        hunk = hunks[index]
        if hunk.removed and not before.issuperset(numbers):
            _add_older_signs(hunk, before, signs, vocabulary)
    return lines


def _without_moved(hunks: Sequence[Hunk]) -> list[Hunk]:
    """Return hunks without the lines that the commit removed at one place and added at another."""
    removed = Counter(line.strip() for hunk in hunks for line in hunk.removed)
    added = Counter(line.strip() for hunk in hunks for line in hunk.added)
    moved = removed.keys() & added.keys()
    if not moved:
        return list(hunks)
    return [Hunk(*([line for line in side if line.strip() not in moved] for side in hunk)) for hunk in hunks]


def _add_older_signs(hunk: Hunk, before: set[int], signs: Signs, vocabulary: Vocabulary) -> None:
    """Add the signs of the entries that new ones replaced at the same place."""
    old, new = (list_entries([_document(lines, vocabulary)]) for lines in hunk)
    if not old:
        return
    for pair in pair_entries(old, new):
        number = signs.find_known(pair.after)
        if number is not None and number not in before and signs.find_known(pair.before) is None:
            signs.add(number, pair.before)


def _document(lines: Sequence[str], vocabulary: Vocabulary) -> Document:
    text = dedent("\n".join(lines))
    return read(Source(f"# List\n\n{text}\n", "list.md"), vocabulary)
