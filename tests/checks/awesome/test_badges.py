"""`awesome/badge` and `awesome/ci-badge`."""

from __future__ import annotations

from shelfread.checks.awesome.front_page import badge, ci_badge
from support.lists import TEN
from support.project import run


def test_only_the_readme_needs_a_badge() -> None:
    pages = {"README.md": f"# A\n\n{TEN}", "b.md": f"# B\n\n{TEN}"}
    assert run(badge, pages) == []
    assert [diagnostic.path for diagnostic in run(badge, pages, required=True)] == ["README.md"]


def test_a_badge_in_an_entry_is_accepted() -> None:
    assert run(ci_badge, f"# A\n\n{TEN}- [a](https://a.b) ![](https://travis-ci.org/a/b.svg)\n") == []
    assert len(run(ci_badge, f"# A ![](https://travis-ci.org/a/b.svg)\n\n{TEN}")) == 1
