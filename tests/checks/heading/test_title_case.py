"""The rule `heading/title-case`, in what its page is too short to show."""

from __future__ import annotations

from shelfread.checks.heading.title_case import title_case
from shelfread.core.diagnostics import Applicability
from support.project import run


def test_capitals_follow_the_list() -> None:
    text = "".join(f"## Section Number{n % 3} of Papers\n\n" for n in range(11)) + "## Another section here\n"
    (found,) = run(
        title_case, text.replace("Number0", "Alpha").replace("Number1", "Beta").replace("Number2", "Gamma")
    )
    assert found.text == "Another section here"
    assert found.fixed.endswith("## Another Section Here\n")
    assert run(title_case, text, style="learned")[0].place.applicability is Applicability.UNSAFE
