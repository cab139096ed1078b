"""Lists that would make a careless check take minutes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from shelfread.checks.entry.labels import bare_url
from shelfread.checks.link.detours import shortener
from shelfread.checks.link.references import undefined_reference, unused_definition
from shelfread.checks.link.unparsed import reversed
from shelfread.checks.link.unsafe_urls import credentials, script
from shelfread.core.source import Source
from shelfread.document.read import read
from shelfread.engine.lint import lint
from shelfread.index.context import build_context
from shelfread.index.facts import facts
from shelfread.rulebook.metadata import bind, load_rules
from shelfread.taxonomy.load import load as load_taxonomy
from support.project import LIST, read_project
from support.work import ends

pytestmark = pytest.mark.usefixtures("folder")
CARDS = load_rules()


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
    with ends():
        documents, context = read_project(f"{text}\n")
        checks = (
            reversed, undefined_reference, unused_definition, script, credentials, shortener, bare_url,
        )  # fmt: skip
        for check in checks:
            list(check(documents[LIST], context))


def _hostile() -> Iterator[tuple[str, str]]:
    yield "brackets", "[a](https://x.org [" * 3000
    yield "blanks", "[a](https://x.org" + " a" * 100_000
    yield "apart", "]" + " " * 100_000 + "(https://x.org)"
    yield "commas", "[a](https://x.org/" + "," * 100_000 + ")"
    yield "schemes", "[a](" + "https://" * 5000 + ")"
    yield "bold", "** " + " " * 100_000 + "a\n\n- b\n"
    yield "parameters", "[a](https://x.org/?" + "utm_a=1&" * 5000 + "b=2)"
    yield "rules", "---\n\nAs an AI you\n\n" * 2000
    yield "headings", "# For AI agents\n\n" * 3000
    yield "anchors", "".join(f"[a](#{'b' * 50}{i})\n\n" for i in range(2000)) + "# bbb\n\n" * 500
    yield "files", "".join(f"[a](b{i}.md)\n\n" for i in range(2000))
    yield "underlines", "# a\n\n# b\n\n" + "c.\n---\n" * 3000


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "text"), list(_hostile()), ids=lambda value: value if len(value) < 20 else ""
)
def test_hostile_lists_take_no_time(name: str, text: str) -> None:
    taxonomy = load_taxonomy()
    document = read(Source(text, "list.md"), taxonomy.vocabulary)
    project = build_context({"list.md": facts(document)}, taxonomy)
    rules = [bind(card) for id, card in CARDS.items() if id.split("/")[0] in ("heading", "link", "text")]
    with ends():
        lint(document, project, rules, CARDS)
