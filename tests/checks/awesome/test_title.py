"""`awesome/title`."""

from __future__ import annotations

import pytest

from shelfread.checks.awesome.front_page import title
from support.lists import TEN
from support.project import run


@pytest.mark.parametrize(
    "heading",
    [
        "# Awesome X",
        "Awesome X\n=========",
        '<h1 align="center">Awesome X</h1>',
        '<div align="center"><img src="x.png"><h1>Awesome X</h1></div>',
        "![Awesome X](logo.png)",
        '<!-- x -->\n\n<p align="center">\n<img src="logo.svg">\n</p>',
    ],
)
def test_headings_html_and_images_are_titles(heading: str) -> None:
    assert run(title, f"{heading}\n\n## A\n\n{TEN}\n## B\n") == []


def test_only_the_readme_needs_a_title() -> None:
    page = f"## Topics\n\n{TEN}"
    assert [diagnostic.path for diagnostic in run(title, {"README.md": page, "docs/topics.md": page})] == [
        "README.md"
    ]
