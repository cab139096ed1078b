"""Reference links without a definition, and definitions without a link."""

from __future__ import annotations

import pytest

from shelfread.checks.link.references import undefined_reference, unused_definition
from support.project import run

DEFINED = "\n\n[guide]: https://a.org/guide\n[b-c]: https://a.org/b\n"


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("[A][guide] [B][lost]", ["lost"]),
        ("[A][b-c], [CVPR][2020] and [Paper][Code]", []),
        ("[A][guide] [A][b-c] **[B][lost]** [C `d`][gone]", ["lost", "gone"]),
        ("[A][guide] [[B][lost]](https://a.org)", []),
        ("[A][guide] a[i][j] [x][y][z] [1][2] [^1][^2] [ ][x] [ ][ ]", []),
        ("[B][lost] and [C][missing] and [A][guide]", []),
        ("Great![CVPR][best]", []),
        ("[A][guide] <b>[B][lost]</b>\n\n<div>[C][gone]</div>", ["lost"]),
        ("[A][guide] [B] [lost], [A]\n[lost]", []),
        ("[A][guide] 见[文档][lost]", ["lost"]),
    ],
)
def test_undefined_references(text: str, labels: list[str]) -> None:
    assert [one.place.values["label"] for one in run(undefined_reference, text + DEFINED)] == labels


def test_definitions_alone_are_no_page() -> None:
    assert run(unused_definition, "[a]: https://a.org\n[b]: https://b.org\n") == []


def test_a_definition_goes_with_its_line() -> None:
    (found,) = run(unused_definition, "> Text\n>\n> [a]: https://a.org 'a\n> b'\n> [c]: #\n")
    assert found.fixed == "> Text\n>\n> \n> [c]: #\n"
    (found,) = run(unused_definition, "Text\r\n\r\n  [a]: https://a.org\r\n[//]: # (b)\r\n")
    assert found.fixed == "Text\r\n\r\n[//]: # (b)\r\n"
