"""`paper/incomplete`."""

from __future__ import annotations

from shelfread.checks.paper.incomplete import incomplete
from support.papers import texts
from support.project import run


def test_a_section_of_titles_without_links_is_accepted() -> None:
    full = "".join(
        f"- Study {number} of Jobs (OSDI 2020) [[Paper](https://example.org/{number})]\n"
        for number in range(40)
    )
    bare = "- A Study of Locks (OSDI 2018)\n- A Study of Clocks (SOSP 2019)\n"
    assert run(incomplete, f"## Full\n\n{full}\n## Bare\n\n{bare}") == []
    assert texts(run(incomplete, f"## Full\n\n{full}{bare}")) == ["A Study of Locks", "A Study of Clocks"]
