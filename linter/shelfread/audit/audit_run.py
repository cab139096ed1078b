"""An audit of many lists: what of them is new, what all add up to, and the tables and the page of all."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from datetime import datetime, timezone
from hashlib import blake2b
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from shelfread.audit.audit_rows import EntryRow, LinkRow, ListRow, Row
from shelfread.audit.executors import run_local, run_on_dask
from shelfread.audit.list_task import COMPLETE, AuditOptions, AuditTask, find_lists
from shelfread.audit.part_files import Store, choose_format, open_store, open_tables
from shelfread.core.file_writing import write_new
from shelfread.core.wording import counted
from shelfread.document.identity import address_of_ids
from shelfread.engine.check import count_cores
from shelfread.exports.html_page import fill
from shelfread.index.answers import Verdict
from shelfread.project.config import load_config
from shelfread.rulebook.metadata import load_rules
from shelfread.taxonomy.chain import bundled_names
from shelfread.taxonomy.hosts import key_of
from shelfread.taxonomy.load import load

if TYPE_CHECKING:
    from shelfread.links.record_cache import RecordCache

_PAIRS = 30  # so many pairs of lists are on the page
_MANY = 50  # what is in more lists says little about any two of them, and has too many pairs


class Shared(NamedTuple):
    """A thing and the lists that it is in, by their numbers."""

    title: str
    url: str | None
    lists: Sequence[int]


class Things:
    """The entries of all lists. Of a key only a hash of 8 bytes is kept, so a million entries take some 200 MB."""

    def __init__(self) -> None:
        self._parents: dict[int, int] = {}
        self._lists: dict[int, list[int]] = {}
        self._shown: dict[int, tuple[str, str | None]] = {}
        self._published: dict[int, tuple[str, int]] = {}

    def add(self, entry: EntryRow, number: int) -> None:
        """Add an entry of a list; the lists come one after the other."""
        if not entry.keys:
            return
        digests = (blake2b(key.encode(), digest_size=8).digest() for key in entry.keys)
        root = self._unite([int.from_bytes(digest, "big") for digest in digests])
        lists = self._lists.setdefault(root, [])
        if number not in lists[-1:]:
            lists.append(number)
        if len(lists) > 1 and root not in self._shown:
            self._shown[root] = entry.title, _url(entry)
        if entry.kind == "paper" and entry.venue is not None and entry.year is not None:
            self._published.setdefault(root, (entry.venue, entry.year))

    def published(self) -> Counter[tuple[str, int]]:
        """Return how many papers were published where and when; each counts once, in however many lists it is."""
        return Counter(self._published.values())

    def __len__(self) -> int:
        return len(self._lists)

    def shared(self) -> list[Shared]:
        """Return what is in several lists, the most frequent first."""
        things = [Shared(*self._shown[root], lists) for root, lists in self._lists.items() if len(lists) > 1]
        return sorted(things, key=lambda thing: (-len(thing.lists), thing.title, thing.lists))

    def _unite(self, keys: Sequence[int]) -> int:
        """Return the root of the tree that holds some keys, made one of the trees that hold any of them."""
        roots = sorted({self._root(key) for key in keys})
        first, *others = roots
        for root in others:
            self._parents[root] = first
            lists = {*self._lists.pop(root, ()), *self._lists.get(first, ())}
            if lists:
                self._lists[first] = sorted(lists)
            for table in (self._shown, self._published):
                if root in table:
                    table.setdefault(first, table.pop(root))  # type: ignore[arg-type]
        return first

    def _root(self, key: int) -> int:
        parent = self._parents.setdefault(key, key)
        while parent != (above := self._parents[parent]):
            self._parents[key] = above
            key, parent = parent, above
        return parent


def most_shared(shared: Sequence[Shared]) -> list[tuple[int, int, int]]:
    """Return the pairs of lists that share most, and how many things they share."""
    counts: Counter[tuple[int, int]] = Counter()
    for thing in shared:
        if len(thing.lists) <= _MANY:
            counts.update(combinations(thing.lists, 2))
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [(first, second, count) for (first, second), count in ordered[:_PAIRS]]


def _url(entry: EntryRow) -> str | None:
    for key in entry.keys:
        kind, _, value = key.partition(":")
        if url := f"https://{value.partition(' ')[0]}" if kind == "url" else address_of_ids({kind: value}):
            return url
    return None


class RuleCount(NamedTuple):
    """How often a rule speaks, infos left out."""

    id: str
    errors: int
    warnings: int
    fixes: int
    lists: int


class ListCount(NamedTuple):
    """A list, and how often each rule speaks in it, infos left out."""

    row: ListRow
    rules: Counter[str]
    verdicts: Counter[str]  # how many of its links have each verdict, as far as `shelfread links` knows them


class Summary(NamedTuple):
    """What an audit found."""

    lists: Sequence[ListCount]
    rules: Sequence[RuleCount]
    shared: Sequence[Shared]
    pairs: Sequence[tuple[int, int, int]]  # two lists, by their numbers, and how many things they share
    published: Counter[tuple[str, int]]
    things: int  # how many different things are listed

    @property
    def failed(self) -> int:
        """How many lists have an error."""
        return sum(one.row.error is not None for one in self.lists)

    def total(self, column: str) -> int:
        """Return the sum of a column of the lists."""
        return sum(getattr(one.row, column) for one in self.lists)


class RowTally:
    """Counts rows as they come: those of one list after the other, its own row first."""

    def __init__(self) -> None:
        self._lists: list[ListCount] = []
        self._severities: Counter[tuple[str, str]] = Counter()
        self._fixes: Counter[str] = Counter()
        self._things = Things()

    def add(self, row: Row) -> None:
        """Count one more row."""
        if isinstance(row, ListRow):
            self._lists.append(ListCount(row, Counter(), Counter()))
        elif isinstance(row, EntryRow):
            self._things.add(row, len(self._lists) - 1)
        elif isinstance(row, LinkRow):
            if row.verdict is not None:
                self._lists[-1].verdicts[row.verdict] += 1
        elif row.severity != "info":
            self._lists[-1].rules[row.rule] += 1
            self._severities[row.rule, row.severity] += 1
            self._fixes[row.rule] += row.fix is not None

    def result(self) -> Summary:
        """Return what the rows add up to."""
        severities = self._severities
        in_lists = Counter(rule for one in self._lists for rule in one.rules)
        rules = [
            RuleCount(rule, severities[rule, "error"], severities[rule, "warning"], self._fixes[rule], lists)
            for rule, lists in in_lists.items()
        ]
        shared = self._things.shared()
        return Summary(
            lists=self._lists,
            rules=sorted(rules, key=lambda rule: (-rule.errors - rule.warnings, rule.id)),
            shared=shared,
            pairs=most_shared(shared),
            published=self._things.published(),
            things=len(self._things),
        )


_SHARED = 300  # so many things that are in several lists are on the page; the tables have all
_NAMED = 30  # so many of the lists with such a thing are named
_VENUES = 40
_YEARS = 30


def _page_data(summary: Summary) -> dict[str, Any]:
    """Return the data of a page. Lists and rules are named by their index; keys whose value is empty are left out."""
    summaries = {id: rule.summary for id, rule in load_rules().items()}
    numbers = {count.id: number for number, count in enumerate(summary.rules)}
    return {
        "title": f"Audit of {counted(len(summary.lists), 'list')}",
        "things": summary.things,
        "rules": [{**count._asdict(), "about": summaries.get(count.id, "")} for count in summary.rules],
        "lists": [_list(count, numbers) for count in summary.lists],
        "shared": [
            {**thing._asdict(), "count": len(thing.lists), "lists": list(thing.lists[:_NAMED])}
            for thing in summary.shared[:_SHARED]
        ],
        "sharedCount": len(summary.shared),
        "pairs": summary.pairs,
        "published": _published(summary.published),
    }


def _list(count: ListCount, numbers: dict[str, int]) -> dict[str, Any]:
    row = count.row
    data = {
        "name": row.list,
        "title": row.title,
        "error": row.error,
        "failed": row.status == "failed",
        "entries": row.entries,
        "papers": row.papers,
        "links": row.links,
        "errors": row.errors,
        "warnings": row.warnings,
        "checked": count.verdicts.total(),
        "dead": count.verdicts[Verdict.DEAD.value],
        "rules": {numbers[rule]: times for rule, times in count.rules.most_common()},
    }
    return {key: value for key, value in data.items() if value not in (None, "", 0, {}, False)}


def _published(counts: Counter[tuple[str, int]]) -> dict[str, Any]:
    """Return the most frequent venues, the latest years, the last one first, and the number of papers of each venue by year."""
    by_venue: Counter[str] = Counter()
    by_year: Counter[int] = Counter()
    for (venue, year), count in counts.items():
        by_venue[venue] += count
        by_year[year] += count
    venues = [venue for venue, _ in sorted(by_venue.items(), key=lambda item: (-item[1], item[0]))[:_VENUES]]
    years = sorted(by_year, reverse=True)[:_YEARS]
    return {
        "venues": venues,
        "years": years,
        "papers": [[counts[venue, year] for year in years] for venue in venues],
        "totals": [by_venue[venue] for venue in venues],
        "others": len(by_venue) - len(venues),
        "earlier": sum(by_year[year] for year in by_year if year not in years),
    }


_FOLDER = Path(__file__).parent / "assets"


def render(summary: Summary) -> str:
    """Return the page as HTML; it needs no other file and sends no request."""
    data = _page_data(summary)
    return fill(_FOLDER / "audit.html", data["title"], data, _FOLDER / "audit.js", [_FOLDER / "audit.css"])


def _with_verdicts(rows: Iterable[tuple[str, Row]], cache: RecordCache) -> Iterator[tuple[str, Row]]:
    """Yield the rows of a list, at the end its links with their verdicts; those of each table stay in order."""
    links: list[LinkRow] = []
    for table, row in rows:
        if isinstance(row, LinkRow):
            links.append(row)
        else:
            yield table, row
    keys = [key_of(link.url) for link in links]
    records = cache.get(key for key in keys if key)
    for link, key in zip(links, keys, strict=True):
        record = records.get(key or "")
        if record is not None:
            checked = datetime.fromtimestamp(record.checked_at, timezone.utc).isoformat(timespec="seconds")
            link = link._replace(verdict=record.verdict.value, reason=record.reason, checked=checked)
        yield "links", link


class AuditResult(NamedTuple):
    """What became of an audit."""

    summary: Summary
    unchanged: int  # how many lists were not read again
    page: Path


# Told after each list: how many are done, of how many, and how many of them have an error.
Progress = Callable[[int, int, int], None]


def audit(options: AuditOptions, progress: Progress, warn: Callable[[str], None]) -> AuditResult:
    """Read all lists and write their rows, as far as no earlier run did; `warn` is told of a cache that cannot be used. Raises UserError."""
    form = choose_format(options.form)
    lists = find_lists(options.sources, options.output)
    shared = _checked(options)
    with open_store(options.output) as store:
        tasks = [AuditTask(source, shared, store.digest(source.name)) for source in lists]
        unchanged = _read_lists(options, tasks, store, progress)
        summary = _write_tables(form, options, [source.name for source in lists], store, warn)
        store.keep_only(source.name for source in lists)
        page = Path(options.output) / "index.html"
        write_new(page, render(summary).encode(), overwrite=True)
    return AuditResult(summary, unchanged, page)


def _checked(options: AuditOptions) -> AuditOptions:
    """Return what all tasks have in common, with absolute paths. Raises UserError for what would be wrong in each of them."""
    config, taxonomy = options.config, options.taxonomy
    if config is not None:
        config = os.path.realpath(config)
        load_config(Path(config))
    if taxonomy is not None:
        load(taxonomy)
        taxonomy = taxonomy if taxonomy in bundled_names() else os.path.realpath(taxonomy)
    return options._replace(sources=(), config=config, taxonomy=taxonomy)


def _read_lists(options: AuditOptions, tasks: Sequence[AuditTask], store: Store, progress: Progress) -> int:
    """Write the parts of all lists that are new or have changed; return how many are neither."""
    done = unchanged = wrong = 0
    jobs = options.jobs or count_cores()
    execution = run_on_dask(tasks, options.scheduler) if options.scheduler else run_local(tasks, jobs)
    with closing(execution) as answers:
        for task, answer in answers:
            if answer.part:
                store.put(task.source.name, answer.part)
            else:
                unchanged += 1
            done += 1
            wrong += answer.status != COMPLETE
            progress(done, len(tasks), wrong)
    return unchanged


def _write_tables(
    form: str, options: AuditOptions, names: Sequence[str], store: Store, warn: Callable[[str], None]
) -> Summary:
    tally = RowTally()
    with ExitStack() as stack:
        write = stack.enter_context(open_tables(Path(options.output), form))
        cache = None
        if options.cache_file is not None:
            from shelfread.links.record_cache import RecordCache

            cache = stack.enter_context(RecordCache(Path(options.cache_file), warn))
        for name in names:
            rows = store.rows(name)
            for table, row in rows if cache is None else _with_verdicts(rows, cache):
                write(table, row)
                tally.add(row)
    return tally.result()
