"""The levels of headings."""

from __future__ import annotations

from shelfread.checks.heading.structure import increment
from support.project import run


def test_a_level_that_the_list_leaves_out_is_meant() -> None:
    assert run(increment, "# A\n\n### B\n\n### C\n\n##### D\n") == []
    assert run(increment, "# A\n\n" + "### B\n\n" * 5 + "## C\n") == []


def test_a_notice_below_the_title_has_a_level_of_its_own() -> None:
    notice = "# A\n\n### Shelves by [Ada](https://ada.org)\n\n- [Shelf](https://a.org)\n\n"
    sections = "".join(f"## {name}\n\n- [{name}](https://{name}.org)\n\n" for name in "bcde")
    assert run(increment, notice + sections) == []
    assert len(run(increment, "# A\n\n" + sections + notice)) == 1


def test_no_lift_where_another_heading_would_change_its_place() -> None:
    text = "# A\n\n## B\n\n### C\n\n### D\n\n## E\n\n##### F\n\n- [Shelf](https://a.org)\n\n#### G\n\n## H\n"
    first = run(increment, text)[0]
    assert (first.text, first.place.edits) == ("F", ())


def test_underlined_headings_and_none() -> None:
    assert run(increment, "A\n=\n\nB\n-\n\nC\n-\n\n### D\n") == []
    assert run(increment, "") == []
