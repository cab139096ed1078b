"""The rule `heading/punctuation`, in what its page is too short to show."""

from __future__ import annotations

from shelfread.checks.heading.wording import punctuation
from shelfread.core.diagnostics import Applicability
from support.project import run


def test_a_new_anchor_takes_its_links_along_or_is_left() -> None:
    assert run(punctuation, "[a](#tools-)\n\n## Tools :\n")[0].fixed == "[a](#tools)\n\n## Tools\n"
    assert run(punctuation, "## Tools :\n\n## Tools\n")[0].place.edits == ()
    safe = run(punctuation, "[a](#tools)\n\n## Tools:\n")[0]
    assert (safe.fixed, safe.place.applicability) == ("[a](#tools)\n\n## Tools\n", Applicability.SAFE)


def test_an_empty_heading() -> None:
    assert run(punctuation, "##\n\n#\n") == []
