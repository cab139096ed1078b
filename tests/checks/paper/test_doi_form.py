"""`paper/doi-form`."""

from __future__ import annotations

import pytest

from shelfread.checks.paper.canonical import doi_form
from support.lists import linked_paper
from support.project import run


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("http://dx.doi.org/10.1145/3342195.1", "old-url"),
        ("https://www.doi.org/10.1145/3342195.1", "other-name"),
        ("http://doi.org/10.1145/3342195.1.", "extra-characters"),
    ],
)
def test_other_urls_of_a_doi(url: str, message: str) -> None:
    (found,) = run(doi_form, linked_paper(url))
    assert found.place.message == message
    assert found.fixed == linked_paper("https://doi.org/10.1145/3342195.1")


def test_http_alone_is_reported_by_another_rule() -> None:
    assert run(doi_form, linked_paper("http://doi.org/10.1145/3342195.1")) == []
