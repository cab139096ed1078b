"""The rules of checks/heading/structure.py, in what their pages are too short to show."""

from __future__ import annotations

from shelfread.checks.heading.structure import duplicate, increment, size
from support.project import run


def test_a_level_that_the_list_leaves_out_is_meant() -> None:
    assert run(increment, "# A\n\n### B\n\n### C\n\n##### D\n") == []
    assert run(increment, "# A\n\n" + "### B\n\n" * 5 + "## C\n") == []


def test_no_lift_where_another_heading_would_change_its_place() -> None:
    text = "# A\n\n## B\n\n### C\n\n### D\n\n## E\n\n##### F\n\n#### G\n\n## H\n"
    first = run(increment, text)[0]
    assert (first.text, first.place.edits) == ("F", ())


def test_underlined_headings_and_none() -> None:
    assert run(increment, "A\n=\n\nB\n-\n\nC\n-\n\n### D\n") == []
    assert run(increment, "") == run(duplicate, "") == run(size, "") == []


def test_names_that_recur_as_a_form_are_meant() -> None:
    text = "".join(f"## Paper {n}\n\n## Notes\n\n" for n in range(6))
    assert run(duplicate, text) == []
    assert [one.line for one in run(duplicate, "# A\n\n## Tools\n\n## Books\n\n##  *TOOLS*\n")] == [7]
