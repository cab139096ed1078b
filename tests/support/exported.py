"""Entries as `shelfread export` prints them, made for tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from shelfread.exports.entry_formats import ENTRY_FORMATS
from support.project import BARE

VOCABULARY = BARE.vocabulary
EMPTY: Mapping[str, Any] = {
    **dict.fromkeys(("name", "description", "venue", "venue_text", "year", "concept")),
    **{field: [] for field in ("authors", "affiliations", "notes", "links", "section")},
    "title": "A Shelf of Papers",
    "identifiers": {"doi": None, "arxiv": None, "github": None},
    "dialect": "bracket-links",
    "path": "list.md",
    "line": 3,
    "end_line": 3,
}
HOSTILE = (
    "50% of \\write18{rm -rf /} & {unbalanced",
    "} \\input{/etc/passwd} $x^2$ #1 ~ _ ^^5cinput",
    "@article{x, title = {y}}",
    "=cmd|' /C calc'!A0",
    "+1-2", "-x", "@SUM(A1)", "'=1", "＝1",
    "ER  - ",
    "TY  - JOUR",
    "line\nfeed\r\nER  - \r\nTY  - GEN",
    "\x00\x1b[31mred\x07\x9b\u2028next",
    "\u202egnissecorp\u202c \u200fعنوان\u200f \ufeffhidden\u200b",
    "<script>alert(1)</script> & <b>bold</b> ]]> <!-- -->",
    '"quoted", with; separators | and `ticks` ``twice``',
    "[link](javascript:alert(1)) ![image](x) *strong* _emphasis_ **x**",
    "-- --- '' ?` !` ,, <<>>",
    "Ünïcödé ß ø ł ı İ ậ 标题 مرحبا 🎉 ½ α→∞ −1",
    "# no heading", "1. no list", "- no item", "> no quote", "+ no item",
)  # fmt: skip
"""Titles that are dangerous or misread in one of the formats."""


def exported(**fields: Any) -> dict[str, Any]:
    """An entry with some fields; identifiers are added to those that are always there."""
    identifiers = {**EMPTY["identifiers"], **fields.pop("identifiers", {})}
    return {**EMPTY, **fields, "identifiers": identifiers}


def written(form: str, entries: Iterable[Mapping[str, Any]]) -> str:
    """The entries in a format, as the command line prints them."""
    lines = ENTRY_FORMATS[form]((entry, VOCABULARY) for entry in entries)
    return "".join(f"{line}\n" for line in lines)


PAPER = exported(
    title="GPipe: Efficient Training of Giant Neural Networks",
    name="GPipe",
    venue="NeurIPS",
    venue_text="NIPS 2019",
    year=2019,
    authors=["Yanping Huang", "Aäron van den Oord", "NVIDIA"],
    identifiers={"doi": "10.1145/3302424.3303953", "arxiv": "1811.06965", "github": "a/b"},
    links=[
        {"label": "Paper", "role": "paper", "url": "https://arxiv.org/abs/1811.06965"},
        {"label": "Code", "role": "code", "url": "https://github.com/a/b"},
    ],
    section=["Papers", "Parallelism"],
)
TOOL = exported(
    title="fd",
    name="fd",
    description="Finds files, fast.",
    identifiers={"github": "sharkdp/fd"},
    links=[{"label": "fd", "role": "code", "url": "https://github.com/sharkdp/fd"}],
    dialect="classic",
    section=["Tools"],
)
