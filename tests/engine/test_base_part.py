"""The sections around a change, read on their own, give the facts of the whole file."""

from __future__ import annotations

import pytest

from shelfread.core.source import Source
from shelfread.document.read import read
from shelfread.engine.base_part import read_part
from shelfread.index.facts import facts
from shelfread.taxonomy.load import load

VOCABULARY = load(None).vocabulary
SECTIONS = ("Ants", "Bees", "Cats", "Dogs", "Eels")


def entry(section: str, number: int) -> str:
    return f"- [{section} {number}](https://{section.lower()}.org/{number}) - Does what it can.\n"


def section(name: str) -> str:
    return f"## {name}\n\n" + "".join(entry(name, number) for number in range(20)) + f"\n### More {name}\n\n"


TEXT = "# Tools\n\n" + "".join(section(name) + entry(name, 50) + "\n" for name in SECTIONS)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (entry("Eels", 50), ""),
        (entry("Dogs", 3), entry("Dogs", 3) + entry("Dogs", 60)),
        (entry("Dogs", 50), entry("Dogs", 51).replace(" - Does", ": does")),
    ],
)
def test_facts_of_the_base_commit(old: str, new: str) -> None:
    current = read(Source(TEXT.replace(old, new), "list.md"), VOCABULARY)
    base = facts(read(Source(TEXT, "list.md"), VOCABULARY))
    part = read_part(current, Source(TEXT, "list.md"), VOCABULARY)
    assert (part is None) == ("Eels" in old), "nothing below shows where the part ends"
    if part is not None:
        found = part.base_facts(facts(current), "list.md")
        assert (found.entries, found.papers, found.observations) == (
            base.entries,
            base.papers,
            base.observations,
        )
        placed = [
            [
                (key, listing.entry, listing.line, listing.section, listing.title)
                for key, listing in each.identities
            ]
            for each in (found, base)
        ]
        assert placed[0] == placed[1]


@pytest.mark.parametrize(
    "new",
    [
        "## Fish\n\n" + entry("Dogs", 3),
        "```\n",
        "<!-- " + entry("Dogs", 3),
        '<a id="x"></a>\n' + entry("Dogs", 3),
        "[x]: https://x.org\n" + entry("Dogs", 3),
        "- [See](#ants)\n",
    ],
)
def test_what_other_places_may_depend_on_is_read_whole(new: str) -> None:
    current = read(Source(TEXT.replace(entry("Dogs", 3), new), "list.md"), VOCABULARY)
    assert read_part(current, Source(TEXT, "list.md"), VOCABULARY) is None
