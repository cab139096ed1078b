"""Checks of what addresses do and give away, of references, and of a list's own repository."""

from __future__ import annotations

import pytest

from shelfread.checks.entry.links import bare_url, one_link_per_host
from shelfread.core.diagnostics import Severity
from support.project import LIST, read_project, run


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


@pytest.mark.parametrize(
    "text",
    [
        ")[https://" * 5_000,
        "(" * 50_000 + ")[https://a.org]" * 2_000,
        "][" * 10_000,
        "[a][b]" * 5_000,
        "[" * 5_000 + "[a][b] " * 2_000,
        "[a](<java" + " " * 100_000 + ">)",
        "[a](https://a.org/" + "eyJaaaaaaaa-" * 20_000 + ")",
        "[a](https://a.org/?" + "token=a&" * 20_000 + ")",
        "[a](https://a.org/:" + "a:@" * 30_000 + ")",
        "".join(f"[l{n}]: https://a.org\n" for n in range(1000)) + "[a][b] " * 1000,
    ],
    ids=range(10),
)
def test_hostile_text_takes_no_time(text: str) -> None:
    documents, context = read_project(f"{text}\n")
    list(bare_url(documents[LIST], context))
