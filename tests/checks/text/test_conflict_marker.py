"""The rule `text/conflict-marker`, in what its page is too short to show."""

from __future__ import annotations

import pytest

from shelfread.checks.text.left_over import conflict_marker
from support.project import run


@pytest.mark.parametrize(
    ("text", "markers"),
    [
        ("<<<<<<< HEAD\na\n=======\nb\n>>>>>>> main\n", ["<<<<<<<"]),
        ("<<<<<<< HEAD\r\na\r\n=======\r\nb\r\n>>>>>>> 1a2b3c4 (a message)\r\n", ["<<<<<<<"]),
        ("<<<<<<<\na\n=======\nb\n>>>>>>>\n", ["<<<<<<<"]),
        ("<<<<<<< a\n<<<<<<< b\n=======\n>>>>>>> c\n", ["<<<<<<<", "<<<<<<<"]),
        ("<<<<<<< HEAD\na\n", ["<<<<<<<"]),
        ("a\n=======\nb\n>>>>>>> feature/x\n", [">>>>>>>"]),
        (">>>>>>> he said so\n", []),
        (">>>>>>>\n", []),
        ("Title\n=======\n", []),
        ("<<<<<<<< eight\n", []),
        ("<<<<<<<glued\n", []),
        ("```\n<<<<<<< HEAD\n=======\n>>>>>>> main\n```\n", []),
        ("    <<<<<<< HEAD\n", []),
        ("<!-- START doctoc -->\n<<<<<<< HEAD\n=======\n>>>>>>> main\n<!-- END doctoc -->\n", ["<<<<<<<"]),
    ],
)
def test_conflicts(text: str, markers: list[str]) -> None:
    assert [one.text for one in run(conflict_marker, text)] == markers
