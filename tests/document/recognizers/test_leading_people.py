"""The people that a text begins with."""

from __future__ import annotations

import pytest

from shelfread.document.recognizers.leading_people import find_leading_people


@pytest.mark.parametrize(
    ("text", "people", "year"),
    [
        ("Abadi, M., Barham, P., and Chen, J. Tidy shelves. In OSDI", ["Abadi, M.", "Barham, P.", "Chen, J."], None),
        ("Nie,X.,Miao,X.,andCui,B.Tidy shelves. In ICDE", ["Nie, X.", "Miao, X.", "Cui, B."], None),
        ("Huang, C.-C., and Le, Q. V. Tidy shelves.", ["Huang, C.-C.", "Le, Q. V."], None),
        ("M. Abadi, P. van der Berg, and J.-L. Chen, \"Tidy shelves,\"", ["M. Abadi", "P. van der Berg", "J.-L. Chen"], None),
        ("van den Berg, L., & O'Neil, S. (2020). Tidy shelves.", ["van den Berg, L.", "O'Neil, S."], 2020),
        ("Stone AB, de Moor C, et al. Tidy shelves. Nature", ["Stone AB", "de Moor C"], None),
        ("Ada Stone, Geoffrey E. Hinton, and Øyvind Ås. 2019. Tidy shelves.", ["Ada Stone", "Geoffrey E. Hinton", "Øyvind Ås"], 2019),
        ("Mayer, Ruben, and Hans-Arno Jacobsen. \"Tidy shelves.\"", ["Mayer, Ruben", "Hans-Arno Jacobsen"], None),
        ("Gu, J., Guo, C., 2019. Tidy shelves.", ["Gu, J.", "Guo, C."], 2019),
        ("Müller, Y., Świętek, J.: Tidy shelves. In: ECCV", ["Müller, Y.", "Świętek, J."], None),
        ("李明, 王芳, 等. 整理书架[J]. 计算机学报", ["李明", "王芳"], None),
        ("World Shelf Organization. Tidy shelves of the world.", ["World Shelf Organization"], None),
        ("Wang, Y., …, & Zhang, W. (2021). Tidy shelves.", ["Wang, Y.", "Zhang, W."], 2021),
    ],
)  # fmt: skip
def test_each_style_of_names(text: str, people: list[str], year: int | None) -> None:
    found = find_leading_people(text)
    assert found.people == people
    assert found.year == year
    assert text[found.end :].lstrip('" ').startswith(("Tidy", "整理书架"))


@pytest.mark.parametrize(
    "text",
    [
        "Deep learning for shelves. In OSDI, 2020.",
        "Tidy shelves: a system for large libraries, 2021.",
        "Attention, please: shelves that read. Nature 1 (2020).",
    ],
)
def test_a_title_has_no_authors(text: str) -> None:
    assert find_leading_people(text).people == []
