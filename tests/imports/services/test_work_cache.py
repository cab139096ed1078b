"""The cache of what services answered: its rows may come from elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from shelfread.core.database import RowFile
from shelfread.imports.service import MAX_AGE, WorkCache
from shelfread.index.answers import Work

WORK = Work(
    "DBLP", "Tidy Shelves", ("Ada Stone",), venue="OSDI", year=2020, doi="10.1145/1.2", url="https://x.org/a"
)


def test_works_are_kept_for_a_while(tmp_path: Path) -> None:
    with WorkCache(tmp_path / "works", print) as cache:
        cache.put("DBLP", {"title:tidy": (WORK,), "title:none": ()}, 1000.0)
        assert cache.get("DBLP", ["title:tidy", "title:none"], 1000.0) == {
            "title:tidy": (WORK,),
            "title:none": (),
        }
        assert cache.get("DBLP", ["title:tidy", "title:none"], 1000.0 + MAX_AGE) == {"title:tidy": (WORK,)}
        assert cache.get("Crossref", ["title:tidy"], 1000.0) == {}


@pytest.mark.parametrize(
    "row",
    [
        '{"source": "DBLP"}',
        '[["DBLP"]]',
        '[["DBLP", "a", [], "", false, null, "", "", "", "", "", "more"]]',
        '[["DBLP", "a\\u0000b"]]',
        '[["DBLP", "a", [], "", false, null, "", "", "https://x.org/a) [b](c"]]',
        '[["DBLP", "a", [], "", false, null, "javascript:1"]]',
        '[["DBLP", "a", [], "", false, 20200]]',
        "[" * 100_000,
    ],
)
def test_other_rows_are_none(tmp_path: Path, row: str) -> None:
    rows = RowFile(tmp_path / "works", "works", print)
    rows.write([("DBLP title:a", 1000.0, row)])
    rows.close()
    with WorkCache(tmp_path / "works", print) as cache:
        assert cache.get("DBLP", ["title:a"], 1000.0) == {}
