"""The rule `entry/label-case`, in what its page is too short to show."""

from __future__ import annotations

import pytest

from shelfread.checks.entry.labels import label_case
from support.project import run


@pytest.mark.parametrize(
    ("labels", "texts"),
    [
        (["GitHub"] * 46 + ["Github"], ["Github"]),
        (["Paper"] * 8 + ["paper"], []),
        (["Paper"] * 9 + ["paper"], ["paper"]),
        (["Paper"] * 89 + ["paper"] * 11, []),
        (["Paper"] * 43 + ["paper"] * 7, []),
        (["Pytorch"] * 40 + ["PyTorch", "pytorch"], []),
    ],
)
def test_the_majority_must_be_clear(labels: list[str], texts: list[str]) -> None:
    text = "".join(f"- A Study of Jobs [[{label}]](https://example.org/x)\n" for label in labels)
    assert [one.text for one in run(label_case, text)] == texts


def test_a_linked_title_is_no_label() -> None:
    text = "- [Prism](https://arxiv.org/abs/2001.00001): A Study of Jobs\n" * 12
    assert run(label_case, text + "- [PRISM](https://arxiv.org/abs/2001.00002): Another Study\n") == []


def test_a_file_with_a_spelling_of_its_own_is_left_alone() -> None:
    line = "- A Study of {} Jobs [[{}](https://arxiv.org/abs/2001.{:05})]\n"
    usual = "".join(line.format(at, "Paper", at + 1) for at in range(90))
    other = "".join(line.format(at, "paper", at + 100) for at in range(6))
    found = run(label_case, {"a.md": usual, "b.md": other, "c.md": line.format(99, "paper", 99)})
    assert [one.path for one in found] == ["c.md"]


def test_a_section_with_a_spelling_of_its_own_is_left_alone() -> None:
    line = "- A Study of {} Jobs [[{}](https://example.org/{})]\n"
    usual = "## Studies\n\n" + "".join(line.format(at, "code", at) for at in range(90))
    own = "\n## Blogs\n\n" + "".join(line.format(at, "Code", at) for at in range(100, 105))
    assert run(label_case, usual + own) == []
    mixed = own + line.format(106, "code", 106)
    assert [each.place.severity.label for each in run(label_case, usual + mixed)] == ["error"] * 5
    few = "\n## Blogs\n\n" + "".join(line.format(at, "Code", at) for at in range(100, 102))
    assert [each.place.severity.label for each in run(label_case, usual + few)] == ["error"] * 2


@pytest.mark.parametrize("form", ["{}(Author)", "{} (official)", "{}（复现）"])
def test_a_compound_label_is_judged_by_its_first_word(form: str) -> None:
    labels = ["TensorFlow"] * 20 + [form.format("TensorFlow"), form.format("Tensorflow")]
    text = "".join(f"- A Study of Jobs [[{label}]](https://example.org/x)\n" for label in labels)
    (found,) = run(label_case, text)
    assert found.text == "Tensorflow"
    assert found.fixed is not None and form.format("Tensorflow") not in found.fixed


def test_a_table_with_a_spelling_of_its_own_is_left_alone() -> None:
    line = "- A Study of {} Jobs [[{}](https://example.org/{})]\n"
    usual = "".join(line.format(at, "code", at) for at in range(90))
    head = "\n| Paper | Links |\n| --- | --- |\n"
    row = "| [A Study of {} Locks](https://arxiv.org/abs/2001.{:05}) | [Code](https://github.com/a/b{}) |\n"
    rows = "".join(row.format(at, at, at) for at in range(10, 16))
    assert run(label_case, usual + head + rows) == []


@pytest.mark.parametrize(
    ("labels", "texts"),
    [
        (["Code"] * 20 + ["Cdoe"], ["Cdoe"]),
        (["code"] * 20 + ["cdoe"], ["cdoe"]),
        (["Project"] * 20 + ["Porject"], ["Porject"]),
        (["Code"] * 19 + ["Cdoe"], []),
        (["Code"] * 20 + ["Cdoe"] * 2, []),
        (["Code"] * 20 + ["Node", "Deco", "Codes"], []),
        (["PDF"] * 20 + ["PFD"], []),
    ],
)
def test_swapped_letters(labels: list[str], texts: list[str]) -> None:
    text = "".join(f"- A Study of Jobs [[{label}]](https://example.org/x)\n" for label in labels)
    assert [one.text for one in run(label_case, text)] == texts
