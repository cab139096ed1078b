"""Every rule's page is held to its word: its front matter, its options, and each of its examples."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from markdown_it import MarkdownIt

from shelfread.core.folders import RULES
from shelfread.core.json_schema import schema
from shelfread.core.source import Source
from shelfread.core.yaml_files import YamlFile
from shelfread.document.read import read
from shelfread.index.facts import facts
from shelfread.rulebook.metadata import option_problems, option_types, resolve_check, split_page
from shelfread.taxonomy.load import load as load_taxonomy
from support.examples import CARDS, PAGES, Trial, own_folder
from support.paths import PACKAGE

README, HEADING = RULES / "README.md", "## Catalogue\n\n"


@pytest.mark.parametrize("id", CARDS)
def test_front_matter(id: str) -> None:
    card = CARDS[id]
    data = YamlFile(split_page(card.page)[0], str(card.page), AssertionError).data  # type: ignore[arg-type]
    described = schema("rule")
    if card.check is None:  # what no check of a list finds has none to name
        described["required"] = [key for key in described["required"] if key != "check"]
        assert not card.options
    else:
        assert list(option_problems(resolve_check(card), card.options)) == []
        # A page stays valid when its check moves to another module, and one guess finds the function.
        assert card.check == id.replace("/", ".").replace("-", "_")
        family, name = id.split("/")
        texts = (file.read_text("utf-8") for file in (PACKAGE / "checks" / family).glob("*.py"))
        assert sum(f"\ndef {name.replace('-', '_')}(" in text for text in texts) == 1
    Draft202012Validator(described).validate(data)
    # An overview says `12 links that ...`.
    assert re.fullmatch(r"Checks for [^.].*\.", card.summary) and len(card.subject) <= 85
    for message, text in card.messages.items():
        words = re.findall(r"[a-z]{2,}", re.sub(r"\{\w*\}", "", text))
        # What a schema says of an entry is the schema's.
        assert len(words) >= 2 or id == "taxonomy/entry", message


@pytest.mark.parametrize("id", CARDS)
def test_a_page_has_the_headings_of_all_pages_and_the_examples_that_it_needs(id: str) -> None:
    card, page = CARDS[id], PAGES[id]
    tokens = MarkdownIt("commonmark").parse(page.prose)
    headings = [
        f"{token.markup} {after.content}"
        for token, after in pairwise(tokens)
        if token.type == "heading_open" and token.level == 0
    ]
    wanted = [f"# {id}", "## Why", "## Example", "## When nothing is reported"]
    wanted += ["## Options"] if card.check and option_types(resolve_check(card)) else []
    wanted += ["## Fix safety"] if card.fix else []
    assert headings == wanted
    bad = [example for example in page.examples if not example.good]
    assert bad, "at least one `bad`"
    assert any(example.good for example in page.examples), "at least one `good`"
    assert all(example.report for example in bad), "each `bad` has its `report`"
    assert (card.fix is not None) == any(example.fixed for example in bad), "`fix:` and `fixed`"


@pytest.mark.parametrize("id", [id for id, card in CARDS.items() if card.convention])
def test_a_habit_is_one_that_lists_have(id: str) -> None:
    """A learned rule's habit is met in its own examples."""
    texts = [text for example in PAGES[id].examples for text in example.files.values()]
    questions = {
        question
        for text in texts
        for question, _ in facts(read(Source(text, "list.md"), load_taxonomy().vocabulary)).observations
    }
    assert any(question.topic == CARDS[id].convention for question in questions)
    assert "when" in CARDS[id].options


@pytest.mark.parametrize("id", PAGES)
def test_examples(id: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for example in PAGES[id].examples:
        monkeypatch.chdir(own_folder(example, tmp_path))
        trial = Trial(id, example)
        assert trial.report() == example.report, f"line {example.line}"
        if example.fixed:
            assert trial.fixed() == {**trial.lists, **example.fixed}, f"line {example.line}"


def test_the_catalogue_lists_every_page() -> None:
    """The table of rules/README.md; `make catalogue` writes it."""
    assert README.read_text(encoding="utf-8") == _with_catalogue()


def _with_catalogue() -> str:
    rows = ["| rule | severity | presets | fix | |", "|---|---|---|---|---|"]
    for id, card in CARDS.items():
        facts = [f"[`{id}`]({id}.md)", card.severity.label, ", ".join(card.presets) or "-", card.fix or "-"]
        rows.append(f"| {' | '.join(facts)} | {card.summary} |")
    above, heading, rest = README.read_text(encoding="utf-8").partition(HEADING)
    return above + heading + "\n".join(rows) + "\n\n" + rest.partition("\n\n")[2]


if __name__ == "__main__":
    README.write_text(_with_catalogue(), encoding="utf-8")
