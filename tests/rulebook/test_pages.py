"""Every rule's page is held to its word: its front matter, its options, and each of its examples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from answers import judged
from jsonschema import Draft202012Validator

from shelfread.binding import bind, resolve
from shelfread.diagnostic import Diagnostic
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.fix import fix_text
from shelfread.fix.across import fix_across
from shelfread.fix.choice import State
from shelfread.home import RULES
from shelfread.lint import lint
from shelfread.option import problems
from shelfread.page import Example, read_page
from shelfread.rule import load, split
from shelfread.source import Source
from shelfread.survey.facts import facts
from shelfread.survey.survey import survey
from shelfread.taxonomy.load import load as load_taxonomy
from shelfread.taxonomy.taxonomy import Taxonomy
from shelfread.validation import schema
from shelfread.yamlfile import YamlFile

CARDS = load()
PAGES = {id: read_page(card.page) for id, card in CARDS.items()}
README, HEADING = RULES / "README.md", "## Catalogue\n\n"
EXAMPLES = [(id, example) for id, page in PAGES.items() for example in page.examples]


@pytest.mark.parametrize("id", CARDS)
def test_front_matter_fits_its_schema(id: str) -> None:
    card = CARDS[id]
    data = YamlFile(split(card.page)[0], str(card.page), AssertionError).data  # type: ignore[arg-type]
    described = schema("rule")
    if card.check is None:  # what no check of a list finds has none to name
        described["required"] = [key for key in described["required"] if key != "check"]
    Draft202012Validator(described).validate(data)


@pytest.mark.parametrize("id", CARDS)
def test_options_fit_the_check(id: str) -> None:
    card = CARDS[id]
    if card.check is None:
        assert not card.options
    else:
        assert list(problems(resolve(card), card.options)) == []


@pytest.mark.parametrize("id", CARDS)
def test_a_page_shows_bad_and_good_and_a_fix_exactly_when_it_has_one(id: str) -> None:
    bad = [example for example in PAGES[id].examples if not example.good]
    assert bad, "at least one `bad`"
    assert any(example.good for example in PAGES[id].examples), "at least one `good`"
    assert all(example.report for example in bad), "each `bad` has its `report`"
    assert (CARDS[id].fix is not None) == any(example.fixed for example in bad), "`fix:` and `fixed`"


@pytest.mark.parametrize("id", [id for id, card in CARDS.items() if card.habit])
def test_a_habit_is_one_that_lists_have(id: str) -> None:
    """A learned rule's habit is met in its own examples."""
    texts = [text for example in PAGES[id].examples for text in example.files.values()]
    questions = {
        question
        for text in texts
        for question, _ in facts(read(Source(text, "list.md"), load_taxonomy().vocabulary)).habits
    }
    assert any(f"{question} ".startswith(f"{CARDS[id].habit} ") for question in questions)
    assert "when" in CARDS[id].options


@pytest.mark.parametrize(
    ("id", "example"), EXAMPLES, ids=[f"{id}:{example.line}" for id, example in EXAMPLES]
)
def test_example(id: str, example: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in example.files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8", newline="")
    trial = Trial(id, example, tmp_path)
    assert trial.report() == example.report
    if example.fixed:
        assert trial.fixed() == {**trial.lists, **example.fixed}


class Trial:
    """One example in a folder of its own, with its rule alone and those that it wants beside it."""

    def __init__(self, id: str, example: Example, folder: Path) -> None:
        self.id = id
        self.example = example
        self.taxonomy = _taxonomy(example.taxonomy, folder)
        self.rules = [bind(CARDS[id], example.options), *(bind(CARDS[one]) for one in example.beside)]
        self.web = judged(example.web, id)
        self.lists = {name: text for name, text in example.files.items() if name.endswith(".md")}

    def find(self, texts: Mapping[str, str]) -> Iterator[tuple[Document, list[Diagnostic]]]:
        documents = [read(Source(text, path), self.taxonomy.vocabulary) for path, text in texts.items()]
        known = {document.source.path or "": facts(document) for document in documents}
        whole = survey(known, self.taxonomy, web=self.web)
        for document in documents:
            found = lint(document, whole, self.rules, CARDS)
            yield document, [one for one in found if one.rule == self.id]

    def report(self) -> list[str]:
        """`line:column message`, in an example of several files after the file's name."""
        lines = []
        for document, found in self.find(self.lists):
            name = f"{document.source.path}:" if len(self.lists) > 1 else ""
            for one in found:
                line, column = document.source.position(one.span.start)
                lines.append(f"{name}{line}:{column} {one.message}")
        return lines

    def fixed(self) -> dict[str, str]:
        """Every file as the fix leaves it, unsafe ones included; one after the other."""
        texts = dict(self.lists)
        for path in self.lists:

            def diagnose(source: Source, path: str = path) -> tuple[Document, list[Diagnostic]]:
                return dict(zip(texts, self.find({**texts, path: source.text}), strict=True))[path]

            result = fix_text(Source(texts[path], path), diagnose, unsafe=CARDS[self.id].fix != "safe")
            assert not result.dropped, result.dropped
            texts[path] = result.text

        def states(changed: Mapping[str, Source]) -> dict[str, State]:
            texts.update({path: source.text for path, source in changed.items()})
            return {
                document.source.path or "": State(document.source, document, found)
                for document, found in self.find(texts)
            }

        joint = fix_across(states({}), states, unsafe=CARDS[self.id].fix != "safe")
        assert not joint.dropped, joint.dropped
        return texts


def _taxonomy(named: str | None, folder: Path) -> Taxonomy:
    if named is not None and "\n" in named:
        (folder / "taxonomy.yaml").write_text(named, encoding="utf-8")
        named = "taxonomy.yaml"
    return load_taxonomy(named)


def test_the_catalogue_lists_every_page() -> None:
    """The table of rules/README.md; `python tests/test_rule_pages.py` writes it."""
    assert README.read_text(encoding="utf-8") == _with_catalogue()


def _with_catalogue() -> str:
    rows = ["| rule | severity | presets | fix | |", "|---|---|---|---|---|"]
    for id, card in CARDS.items():
        facts = [f"[`{id}`]({id}.md)", card.severity.label, ", ".join(card.presets) or "-", card.fix or "-"]
        rows.append(f"| {' | '.join(facts)} | {card.summary} |")
    prose, heading, _ = README.read_text(encoding="utf-8").partition(HEADING)
    return prose + heading + "\n".join(rows) + "\n"


if __name__ == "__main__":
    README.write_text(_with_catalogue(), encoding="utf-8")
