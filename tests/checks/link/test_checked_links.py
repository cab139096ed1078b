"""Addresses that the web names, written where the old ones stand: as their places want them, or not at all."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from shelfread.checks.link.checked_links import clean
from shelfread.core.diagnostics import Applicability, Diagnostic, Severity
from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.engine.lint import lint
from shelfread.fixes.rounds import fix_text
from shelfread.index.answers import Answers, Hop, LinkRecord, Replacement, Verdict
from shelfread.index.context import build_context
from shelfread.index.facts import facts
from shelfread.markdown.node import Tree
from shelfread.rulebook.metadata import bind, load_rules
from shelfread.taxonomy.load import load as load_taxonomy

CARDS = load_rules()
TAXONOMY = load_taxonomy(None)
OLD = "http://old.org/a"


def moved(url: str, to: str) -> LinkRecord:
    better = Replacement("link/moved", to, "", Applicability.SAFE)
    return LinkRecord(
        url, Verdict.MOVED, "moved permanently", (Hop(url, 301), Hop(to, 200)), replacements=(better,)
    )


def find(text: str, records: Sequence[LinkRecord], *rules: str) -> tuple[Document, list[Diagnostic]]:
    document = read(Source(text, "list.md"), TAXONOMY.vocabulary)
    whole = build_context(
        {"list.md": facts(document)},
        TAXONOMY,
        answers=Answers(links={record.url: record for record in records}),
    )
    return document, lint(document, whole, [bind(CARDS[id]) for id in rules or ("link/moved",)], CARDS)


def fixed(text: str, *records: LinkRecord) -> str:
    def diagnose(source: Source) -> tuple[Tree, list[Diagnostic]]:
        document, found = find(source.text, records)
        return document.tree, found

    result = fix_text(Source(text, "list.md"), diagnose, unsafe=True)
    assert not result.dropped, result.dropped
    return result.text


@pytest.mark.parametrize(
    ("before", "to", "after"),
    [
        (f"[a]({OLD})", "https://new.org/b c", "[a](https://new.org/b%20c)"),
        (f"[a]({OLD})", "https://new.org/(b)", "[a](https://new.org/(b))"),
        (f"[a]({OLD})", "https://new.org/b)c(", "[a](https://new.org/b%29c%28)"),
        (f'[a]({OLD} "t")', 'https://new.org/"b"', '[a](https://new.org/%22b%22 "t")'),
        (f"[a]({OLD})", "https://new.org/?b=1&copy;=2", "[a](https://new.org/?b=1&amp;copy;=2)"),
        (f"[a]({OLD})", "https://new.org/`b`[c]<d>\\*", "[a](https://new.org/%60b%60%5Bc%5D%3Cd%3E%5C*)"),
        (f"[a](<{OLD}>)", "https://new.org/b>c", "[a](<https://new.org/b%3Ec>)"),
        (f"[a]({OLD}#x)", "https://new.org/b", "[a](https://new.org/b#x)"),
        (f"[a]({OLD}#x)", "https://new.org/b#y", "[a](https://new.org/b#y)"),
        (f"<{OLD}>", "https://new.org/?a&amp;b", f"<{OLD}>"),
        (f"<{OLD}>", "https://new.org/?a&b", "<https://new.org/?a&b>"),
        (
            f"<a href='{OLD}'>x</a>",
            "https://new.org/?a&copy;b",
            "<a href='https://new.org/?a&amp;copy;b'>x</a>",
        ),
        (f"See {OLD}, or not.", "https://new.org/b", "See https://new.org/b, or not."),
        (
            f"<a href='{OLD}'>x</a>",
            "https://new.org/it's?a=1&b=2",
            "<a href='https://new.org/it&#39;s?a=1&amp;b=2'>x</a>",
        ),
        (f'<img src="{OLD}">', 'https://new.org/"', '<img src="https://new.org/%22">'),
        (f"[{OLD}]({OLD})", "https://new.org/b", "[https://new.org/b](https://new.org/b)"),
        (f"[{OLD}]({OLD})", "https://new.org/_b_", f"[{OLD}](https://new.org/_b_)"),
        (f"![{OLD}][i]\n\n[i]: {OLD}", "https://new.org/b", f"![{OLD}][i]\n\n[i]: https://new.org/b"),
        (f"[a]({OLD})", "https://new.org/straße", "[a](https://new.org/straße)"),
        ("[a](http://old.org/x&amp;y)", "https://new.org/b", "[a](https://new.org/b)"),
        ("[a](http://old.org/\\_y)", "https://new.org/b", "[a](https://new.org/b)"),
    ],
)
def test_an_address_is_written_as_its_place_wants_it(before: str, to: str, after: str) -> None:
    document, _ = find(before, [])
    olds = {link.url.partition("#")[0] for link in document.links} | {
        one.url for one in document.tree.definitions
    }
    records = [moved(old, to) for old in olds]
    assert fixed(before, *records) == after
    # What was written leads where the server said.
    if after != before:
        assert not find(after, records)[1]


def test_a_bar_does_not_end_a_cell() -> None:
    text = f"| a | b |\n|---|---|\n| [x]({OLD}) | c |\n"
    assert fixed(text, moved(OLD, "https://new.org/b|c")) == text.replace(OLD, "https://new.org/b%7Cc")


@pytest.mark.parametrize(
    "to",
    [
        "javascript:alert(1)",
        "https://new.org/\u202eb",
        "https://new.org/b\nc",
        "https://user@new.org/",
        "https://new.org\\@evil.org/",
        "ftp://new.org/",
        "//new.org/",
        "https://new.org/" + "b" * 3000,
        "",
    ],
)
def test_what_is_no_plain_address_is_not_written(to: str) -> None:
    assert clean(to) is None
    text = f"[a]({OLD}) <{OLD}> {OLD} <a href='{OLD}'>x</a>"
    assert fixed(text, moved(OLD, to)) == text


@pytest.mark.parametrize("to", ["https://new.org/b.", "https://new.org/?a&copy;b", "https://new.org/b_"])
def test_in_running_text_only_what_ends_where_it_should(to: str) -> None:
    assert fixed(f"See {OLD}", moved(OLD, to)) == f"See {OLD}"


def test_a_bare_name_is_left_as_it_is() -> None:
    text = "See www.old.org/a"
    assert fixed(text, moved("http://www.old.org/a", "https://new.org/b")) == text


def test_code_and_comments_are_left_alone() -> None:
    text = f"`{OLD}` <!-- {OLD} -->\n\n    {OLD}\n"
    assert fixed(text, moved(OLD, "https://new.org/b")) == text


def test_each_rule_speaks_of_its_own() -> None:
    record = moved(OLD, "https://new.org/b")._replace(archived="archived", certificate="expired")
    _, found = find(f"[a]({OLD})", [record], *(id for id, card in CARDS.items() if "online" in card.presets))
    assert [(one.rule, one.severity) for one in found] == [
        ("link/archived-repository", Severity.INFO),
        ("link/insecure-certificate", Severity.WARNING),
        ("link/moved", Severity.WARNING),
    ]


def test_a_dead_link_takes_what_was_found_for_it() -> None:
    better = Replacement("link/dead", "https://new.org/b", "the default branch is main", Applicability.SAFE)
    record = LinkRecord(
        OLD, Verdict.DEAD, "404 Not Found, seen twice", failures=4, first_failure=0.0, replacements=(better,)
    )
    (one,) = find(f"[a]({OLD})", [record], "link/dead")[1]
    assert (
        one.message
        == "dead link: 404 Not Found, seen twice, on 4 days since 1970-01-01; the default branch is main"
    )
    assert one.fix is not None and one.fix.edits[0].effect.after == "https://new.org/b"


def test_a_port_of_its_own_is_for_information() -> None:
    reasons = ["port 3000 is not one of 80, 443, 8080, 8443", "10.0.0.1 is not a public address"]
    records = [LinkRecord(f"http://{at}.org/", Verdict.UNSAFE, reason) for at, reason in enumerate(reasons)]
    _, found = find("<http://0.org/> <http://1.org/>", records, "link/unsafe")
    assert [one.severity for one in found] == [Severity.INFO, Severity.ERROR]


def test_a_page_with_very_many_anchors_is_compared_in_no_time() -> None:
    anchors = frozenset(f"{'x' * 70}{number}" for number in range(20_000)) | {"y" * 500_000}
    record = LinkRecord(OLD, Verdict.ALIVE, "200 OK", anchors=anchors)
    (one,) = find(f"[a]({OLD}#{'z' * 5000})", [record], "link/fragment")[1]
    assert "did you mean" not in one.message
