"""Which patterns of the package take more than linear time on some text: each of their repeats is pumped.

    PYTHONPATH=linter:tests .venv/bin/python benchmarks/patterns.py [PART OF A MODULE'S NAME...]

The texts of tests/fuzz/patterns.py are searched, or matched where the module does nothing else with the pattern.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from math import log
from time import process_time

from fuzz.patterns import Place, attacks, collect

SMALL = 1500
"""Characters at which a linear search takes no time that can be measured."""
SUSPICIOUS = 0.0008
"""Seconds of a search in a small text that is worth a second look."""
STEEPEST = 1.5
LONGEST = 1
"""Seconds of one search."""
HELD = {
    ("changes/additions.py", "_MARKER"): "is found at the beginning, once",
    ("checks/paper/title_text.py", "_LAST_WORD"): "gets the length of a word",
    ("checks/paper/venue_name.py", "_BEFORE_VENUE"): "gets 4 characters",
    ("checks/text/proper_names.py", "_PATH_BEFORE"): "gets 40 characters",
    ("document/bare_titles.py", "_IN_BRACKETS"): "gets 700 characters",
    ("document/credits.py", "_TIME"): "gets two lengths of a credit",
    ("document/credits.py", "_LAST_BRACKET"): "gets two lengths of a credit",
    ("document/credits.py", "_BEFORE_PLACE"): "gets two lengths of a credit",
    ("document/entry/classic.py", "_PRICE"): "is matched as a whole",
    ("document/entry/prefix.py", "_AFTER_CITATION"): "gets 40 characters",
    ("document/entry/readings.py", "_BOUNDARIES"): "gets 500 characters",
    ("document/entry/readings.py", "_COMMA"): "gets 500 characters",
    ("document/entry/titles.py", "_ATTRIBUTION"): "has people of at most 200 characters",
    ("document/file_kind.py", "_NAMES"): "is matched",
    ("document/file_kind.py", "_NAMES_OF_TEXTS"): "is matched",
    ("document/file_kind.py", "_HISTORY_FILE"): "gets a path",
    ("document/identity.py", "_PAGES"): "is matched",
    ("document/non_entries.py", "_MAKERS"): "has makers of at most 120 characters",
    ("document/paragraphs.py", "_BETWEEN"): "gets 200 characters",
    ("document/recognizers/leading_people.py", "_FORMS"): "is matched, and searched in what it matched",
    ("document/recognizers/leading_people.py", "_STOP"): "gets 1,500 characters",
    ("document/recognizers/unlisted_venues.py", "_CITATION"): "is matched",
    ("document/recognizers/unlisted_venues.py", "_CITATION_IN_COMMAS"): "is matched",
    ("document/recognizers/venues.py", "_FULL_NAME"): "gets 160 characters",
    ("imports/add_entries.py", "_DECORATION"): "gets a title that a service gave",
    ("imports/from_csv.py", "_LABELLED"): "has labels of at most 40 characters",
    ("imports/from_page.py", "_PIPED"): "has at most 20 labels",
    ("imports/from_scholar.py", "_CHROME"): "gets a line without its end",
    ("index/line_style.py", "_EMOJI"): "gets 200 characters",
    ("index/table_of_contents.py", "_NUMBERING"): "is matched",
    ("markdown/blocks.py", "_by_character"): "is matched",
    ("taxonomy/hosts.py", "_rule"): "is matched",
}
"""What is linear by its use, which a look at the pattern alone does not show."""


def exponent(place: Place, attack: Callable[[int], str]) -> float:
    """Return how the time grows with the text; 0 for what is too fast to be measured."""
    first = seconds(place, attack(SMALL))
    if first >= LONGEST:
        return 9
    for _ in range(2):
        if first < SUSPICIOUS:
            return 0
        first = min(first, seconds(place, attack(SMALL)))
    if first < SUSPICIOUS:  # or less than a tick of the clock
        return 0
    second = seconds(place, attack(2 * SMALL))
    if second < LONGEST:
        second = min(second, seconds(place, attack(2 * SMALL)))
    return log(max(second, 1e-5) / max(first, 1e-5), 2)


def seconds(place: Place, text: str) -> float:
    """Return the CPU time of a search, at most LONGEST."""
    do = getattr(place.pattern, place.method)

    def stop(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, LONGEST)
    start = process_time()
    try:
        if place.method == "search":
            for _ in place.pattern.finditer(text):
                pass
        else:
            do(text)
    except TimeoutError:
        return LONGEST
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return process_time() - start


def main() -> int:
    """Print each pattern that is too slow with its worst text; return 1 if there is one."""
    places = [
        place for place in collect() if not sys.argv[1:] or any(part in place.module for part in sys.argv[1:])
    ]
    known = {(place.module, place.name) for place in places}
    for name in HELD.keys() - known if not sys.argv[1:] else ():
        print(f"gone: {' '.join(name)}")
    steep = tried = 0
    for place in places:
        if (place.module, place.name) in HELD:
            continue
        worst, text = 0.0, ""
        for attack in attacks(place.pattern):
            tried += 1
            found = exponent(place, attack)
            if found > worst:
                worst, text = found, attack(24)
            if worst > STEEPEST:
                break
        if worst > STEEPEST:
            steep += 1
            print(f"{worst:.2f} {place.module} {place.name} {place.method} {text!r}", flush=True)
    print(f"{len(places)} patterns, {tried:,} texts, {steep} steep, {len(HELD)} linear by their use")
    return int(bool(steep))


if __name__ == "__main__":
    sys.exit(main())
