"""The page of an audit: rules, lists, what they share, and papers by venue and year."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from shelfread.audit.counts import ListCount, Summary
from shelfread.core.wording import counted
from shelfread.exports.html_page import fill
from shelfread.index.answers import Verdict
from shelfread.rulebook.metadata import load_rules

_SHARED = 300
"""So many things that are in several lists are on the page; the tables have all."""
_NAMED = 30
"""So many of the lists with such a thing are named."""
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
