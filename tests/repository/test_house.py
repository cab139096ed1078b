"""What tests may not do."""

from __future__ import annotations

import re

from support.paths import ROOT

_CLOCK = re.compile(
    r"\b(?:perf_counter|process_time|thread_time|monotonic|time_ns|timeit|getrusage|times\(\))|\btime\.(?:time|strftime)\(|\.time\(\)"
    r"|\.(?:utcnow|now|today)\("
)
_READERS = {
    "tests/fuzz/__main__.py": "says when a line of a campaign was printed",
    "tests/fuzz/campaign.py": "runs as long as `make fuzz` was told",
    "tests/index/test_disk.py": "says what the package may not read",
    "tests/links/cache/test_record_cache.py": "gives the cache a clock of its own",
    "tests/links/http/test_throttle.py": "reads the clock of a loop that advances it itself",
    "tests/repository/test_house.py": "has the names of clocks",
    "tests/support/links.py": "has the day of records that the cache is to take for fresh",
}


def test_no_test_reads_a_clock() -> None:
    """A busy machine would fail it: tests wait for what happens, and `support.work` counts work."""
    pages = {path: path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py")}
    readers = {path.relative_to(ROOT).as_posix() for path, text in pages.items() if _CLOCK.search(text)}
    assert readers == set(_READERS)
