"""`link/tracking`."""

from __future__ import annotations

import pytest

from shelfread.checks.link.detours import tracking
from support.project import run

URL = "https://example.org/a?utm_source=x&amp;utm_medium=y"


@pytest.mark.parametrize(("source", "count"), [("oak-shelves", 0), ("shel", 0), ("oak", 1), ("elms", 1)])
def test_a_campaign_with_a_part_of_the_name_of_the_list_is_agreed_on(source: str, count: int) -> None:
    text = f"- [Oak](https://example.org/?utm_source={source}) - Holds books.\n"
    assert len(run(tracking, {"jo__oak-shelves@1/README.md": text})) == count


def test_many_tags_take_linear_time() -> None:
    assert run(tracking, f'<a href="{URL}" ' + "a='b' " * 20_000) is not None
