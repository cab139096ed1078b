"""Words that copying from a PDF broke are whole again where the vocabulary or the document proves them."""

from __future__ import annotations

import pytest

from shelfread.imports.mending import join_broken, part_glued, straighten, words_of
from shelfread.taxonomy.load import vocabulary


@pytest.mark.parametrize(
    ("broken", "whole", "proved"),
    [
        ("efficient process- ing of books", "efficient processing of books", True),
        ("Large- Scale shelves", "Large-Scale shelves", True),
        ("state-of- the-art shelves", "state-of-the-art shelves", True),
        ("the Twenty- Fifth shelf", "the Twenty-Fifth shelf", True),
        ("the ACM SIG- COMM Conference", "the ACM SIGCOMM Conference", True),
        ("pre- and post-training", "pre- and post-training", False),
        ("the quixo- tomy of books", "the quixo- tomy of books", False),
        ("soft\u00ad hyphens", "softhyphens", True),
        ("nothing broken", "nothing broken", True),
    ],
)
def test_a_word_at_the_end_of_a_line(broken: str, whole: str, proved: bool) -> None:
    assert join_broken(broken, words_of(broken, vocabulary())) == (whole, proved)


def test_the_document_proves_its_own_words() -> None:
    text = "On quixotomy. The quixo- tomy of books. A zog-blat. The zog- blat of books."
    assert join_broken(text, words_of(text, vocabulary()))[0] == (
        "On quixotomy. The quixotomy of books. A zog-blat. The zog-blat of books."
    )


@pytest.mark.parametrize(
    ("glued", "parted", "proved"),
    [
        ("Tsplit:Fine-grainedgpumemorymanagement for training", "Tsplit: Fine-grained gpu memory management for training", True),
        ("memorymanagement of ScaLAPACK", "memorymanagement of ScaLAPACK", True),
        ("Shelf:zyxqvwkjhgfdsapoiu", "Shelf: zyxqvwkjhgfdsapoiu", False),
        ("https://example.org/a:bookshelfmanagement", "https://example.org/a:bookshelfmanagement", True),
    ],
)  # fmt: skip
def test_lost_blanks(glued: str, parted: str, proved: bool) -> None:
    """Only where a token has certainly lost one: a long word alone may be a name."""
    assert part_glued(glued, words_of("", vocabulary())) == (parted, proved)


def test_ligatures_and_blanks_keep_every_line() -> None:
    assert (
        straighten("eﬃcient ﬂow\u00a0and\ndiﬀerent sof\u00adt\nshelves")
        == "efficient flow and\ndifferent soft\nshelves"
    )
