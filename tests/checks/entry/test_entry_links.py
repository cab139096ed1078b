"""The rules of checks/entry/labels.py, in what their pages are too short to show."""

from __future__ import annotations

from shelfread.checks.entry.labels import bare_url, link_first, one_link_per_host
from shelfread.core.diagnostics import Severity
from support.lists import TEN
from support.project import run


def test_bare_addresses_are_learned() -> None:
    text = "- [A tool](https://a.org/{}) - Does this.\n" * 9
    assert len(run(bare_url, f"{text}- Another https://b.org\n")) == 1
    assert run(bare_url, f"{text}- Another https://b.org\n", when="never") == []
    assert run(bare_url, f"{text}- Another https://b.org\n- Third https://c.org\n") == []
    assert run(bare_url, f"{text}\nSee https://b.org\n") == []
    assert run(bare_url, f"{text}- [Another] (https://b.org) and (a third)[https://c.org]\n") == []


def test_a_second_link_with_another_label_is_for_information() -> None:
    entry = "- A Study of Jobs in Clusters [[{}](https://github.com/a/b)] [[{}](https://github.com/a/{})]\n"

    def severities(*words: str) -> list[Severity]:
        return [one.place.severity for one in run(one_link_per_host, entry.format(*words))]

    assert severities("Code", "Code", "c") == [Severity.ERROR]
    assert severities("PyTorch", "TensorFlow", "b") == [Severity.ERROR]
    assert severities("PyTorch", "TensorFlow", "c") == [Severity.INFO]
    assert severities("Code", "Code 2", "c") == []


def test_a_link_behind_words_among_ten() -> None:
    (found,) = run(link_first, TEN + "- MySQL - [lists](https://example.org/mysql)\n")
    assert found.text == "[lists](https://example.org/mysql)"
