"""Pumped patterns: what took quadratic time or more, in texts that are long enough to hang."""

from __future__ import annotations

import re

import pytest

from fuzz.patterns import Place, attacks, collect, is_ambiguous, made_patterns
from support.work import ends

LONG = 20_000
MENDED = {
    "detours.py _CHOSEN": "a" + "-Z0" * LONG + "\0",
    "venue_name.py _JOINT": "ZZ" + "/Z0" * LONG + "\n\0",
    "front_page.py _CI": "/badges/a" * LONG,
    "front_page.py _SMALL_NAME": "Z" * LONG + "\n\0",
    "structure.py _STOP": " " * LONG + "x",
    "unparsed.py _CLOSED_BELOW": "\n" + ">" * LONG,
    "arxiv.py _BEGINNING": "0000.0000v" + "0" * LONG + "\n\0",
    "canonical.py _DOI": "10.0000" + "10.0000" * LONG,
    "unlisted_venues.py _ABBREVIATED": "_" * LONG,
    "unparsed.py _BEFORE_ITEM": " " * LONG + "\0",
    "title_text.py _BRACES": "{" * LONG + "A" * LONG,
    "read.py _LABELS": " " * LONG + "x",
    "doubts.py _CODE": "`" * LONG,
    "classic.py _WORKS_AT": " " * LONG + "x",
    "titles.py _FURTHER_WORDS": " Z" + " Zzzzzzzzzzzzzzzzzzz" * 8 + ",",
    "readings.py _NEXT_NAME": "," + " " * LONG,
    "title_ends.py _DOUBTFUL": ", " + "Z" * LONG + "\0",
    "titles.py _LEAD_STOP": " " * LONG + "x",
    "heading_subjects.py _AFFILIATED": "0. " + " " * LONG + "(",
    "heading_subjects.py HEADING": "0" + " " * LONG,
    "leading_people.py _INVERTED": "Z, Z" + " D'ZZ" * LONG + "\0",
    "people.py SEPARATOR": " " * LONG + "x",
    "people.py _TRAILING": ":" * LONG + "x",
    "people.py _FOOTNOTE_MARKS": "0" * LONG + "x",
    "canonical_list.py _UNCLEAR_END": "." * LONG,
    "entry_styles.py _LINE_END": "<br>" * LONG + "x",
    "entry_styles.py _END": "." * LONG + "x",
    "from_bibtex.py _AND": " " * LONG + "x",
    "from_references.py _BROKEN_URL": "http://- " + "0" * LONG + "\0",
    "from_scholar.py _FILE_HINT": "[ZZZ] a.a" + " " * LONG + "x",
    "from_scholar.py _CHROME": " " * LONG + "x",
    "insertion_point.py _DELIMITERS": " " * LONG + "x",
    "mending.py _BROKEN": "a" * LONG,
    "stated_venue.py _CONTAINER_END": " " * LONG + "x",
    "table_of_contents.py _AFTERTHOUGHT": " " * LONG + "x",
    "heading_parts.py _LATIN_FIRST": "a" * LONG,
    "heading_parts.py _LATIN_LAST": "\u3040" * LONG,
    "heading_parts.py _SHORT": " " * LONG + "x",
    "code_actions.py _LINE_END": " " * LONG + "x",
    "label_forms.py _COUNT": " " * LONG + "1",
    "label_forms.py _YEARS": " " * LONG + "1",
    "label_forms.py _BACK": " " * LONG + "1",
    "rdf_reader.py _ANY_ENTITY": "<!DOCTYPE " * LONG,
    "vocabulary.py _NO_CODE": "/a/a/" + "a" * LONG,
    "additions.py _TARGET": "](a" * LONG,
}  # fmt: skip


@pytest.fixture(scope="module")
def places() -> list[Place]:
    return list(collect(MENDED))


def test_mended_patterns_end(places: list[Place]) -> None:
    found = {f"{place.module.rpartition('/')[2]} {place.name}": place for place in places}
    for name, text in MENDED.items():
        place = found[name]
        with ends():
            if place.method == "search":
                list(place.pattern.finditer(text))
            else:
                getattr(place.pattern, place.method)(text)


@pytest.mark.parametrize(
    ("pattern", "pumped"), [(r"\d\s+$", "0   \0"), (r"(?:ab)*c", "ababab\0"), (r"<[^<>]*>", "<aaa\0")]
)
def test_repeats_are_pumped(pattern: str, pumped: str) -> None:
    made = {attack(size) for attack in attacks(re.compile(pattern)) for size in (3, 6)}
    assert pumped in made


def test_no_part_that_repeats_can_match_in_several_ways() -> None:
    assert is_ambiguous(r"(?: \w*[^\W\d]\w*){2,20}$")
    assert not is_ambiguous(r"(?: (?=\w*[^\W\d])\w+){2,20}$")
    made = made_patterns()
    assert len(made) > 500
    assert [place for place, found in made.items() if any(is_ambiguous(*each) for each in found)] == []
