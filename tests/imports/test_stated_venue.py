"""The venue of a citation."""

from __future__ import annotations

import pytest

from shelfread.imports.stated_venue import edition_in, read_venue
from shelfread.taxonomy.load import vocabulary


@pytest.mark.parametrize(
    ("text", "venue", "year", "is_certain"),
    [
        ("In 12th USENIX symposium on operating systems design and implementation (OSDI 16) (2016), pp. 265–283.", "OSDI", 2016, True),
        ("In Proceedings of the 23rd ACM SIGPLAN symposium on principles and practice of parallel programming (2018), pp. 41–53.", "PPoPP", 2018, True),
        ("IEEE Trans. Pattern Anal. Mach. Intell., vol. 44, no. 3, pp. 1234–1250, Mar. 2022", "TPAMI", 2022, True),
        ("IEEE Trans Med Imaging. 2016;35(5):1285-98.", "TMI", 2016, True),
        ("In CVPR (2020), pp. 1969–1979.", "CVPR", 2020, True),
        ("In International Conference on Machine Learning, arXiv:2001.00001, 2021", "ICML", 2021, True),
        ("14th USENIX Symposium on …, 2020", "OSDI", 2020, False),
        ("17th USENIX Symposium on …, 2020", "NSDI", 2020, False),
        ("IEEE Transactions on Parallel and …, 2020", "TPDS", 2020, False),
        ("… USENIX Symposium on …, 2020", None, 2020, True),
        ("Proceedings of the 2021 …, 2021", None, 2021, True),
        ("IEEE Transactions on …, 2021", None, 2021, True),
        ("Programming with TensorFlow: Solution for Edge Computing Applications (2021), 87–104.", None, 2021, True),
        ("", None, None, True),
    ],
)  # fmt: skip
def test_it_is_named_whole_abbreviated_or_cut(
    text: str, venue: str | None, year: int | None, is_certain: bool
) -> None:
    found = read_venue(text, vocabulary())
    assert (found.venue.label if found.venue else None, found.year, found.is_certain) == (
        venue,
        year,
        is_certain,
    )


@pytest.mark.parametrize(("text", "name"), [
    ("In Annals of Shelves 32.2 (2004), 1-3", "Annals of Shelves"),
    ("Foundations of Shelving, 2(1):1–127, 2009.", "Foundations of Shelving"),
    ("New York: Example Press, 1999.", None),
])  # fmt: skip
def test_an_unknown_venue_is_given_as_printed(text: str, name: str | None) -> None:
    assert read_venue(text, vocabulary()).text == name


def test_the_edition_follows_from_the_years() -> None:
    osdi = vocabulary().venues["osdi"]
    assert [edition_in(osdi, year) for year in (1994, 2000, 2020, 2021)] == [1, 4, 14, 15]
    assert edition_in(osdi, 2019) is None
