"""The bundled taxonomies: their labels, hierarchies and definitions."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest

from shelfread.core.folders import SCHEMA
from shelfread.taxonomy.chain import bundled_names
from shelfread.taxonomy.label_forms import label_key
from shelfread.taxonomy.load import load

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", bundled_names())
def test_a_bundled_taxonomy_passes_the_checks_of_a_lists_own(name: str, tmp_path: Path) -> None:
    """No label of two concepts in a language, no cycle, no unknown id, nothing related that is broader."""
    own = Path(shutil.copy(SCHEMA / "taxonomies" / f"{name}.yaml", tmp_path / "own.yaml"))
    taxonomy = load(str(own))
    assert taxonomy.concepts or taxonomy.forms


@pytest.mark.parametrize("name", bundled_names())
def test_every_concept_is_defined_in_one_sentence(name: str) -> None:
    taxonomy = load(name)
    for concept in (*taxonomy.concepts.values(), *taxonomy.forms.values()):
        definition = concept.definition or ""
        assert definition.endswith(".") and definition[0].isupper() and len(definition) > 20, concept.id
        assert label_key(definition) != label_key(concept.label), concept.id


@pytest.mark.parametrize("name", bundled_names())
def test_definitions_are_not_repeated(name: str) -> None:
    taxonomy = load(name)
    definitions = Counter(concept.definition for concept in taxonomy.concepts.values())
    assert [text for text, count in definitions.items() if count > 1] == []


@pytest.mark.parametrize("name", bundled_names())
def test_no_broader_concept_is_stated_twice(name: str) -> None:
    """`broader` names the nearest concepts only: those above them follow."""
    taxonomy = load(name)
    for concept in taxonomy.concepts.values():
        above = {id for parent in concept.broader for id in taxonomy.ancestors(parent)}
        assert not above & set(concept.broader), concept.id


@pytest.mark.parametrize(
    ("name", "least"), [("ml-systems", 200), ("machine-learning", 250), ("software", 150)]
)
def test_sizes(name: str, least: int) -> None:
    taxonomy = load(name)
    own = [id for id in taxonomy.concepts if (taxonomy.places[id][0] or "").endswith(f"/{name}.yaml")]
    assert len(own) >= least
    assert not taxonomy.concepts.keys() & taxonomy.forms.keys()
    assert {"survey", "benchmark", "code"} <= taxonomy.forms.keys()


@pytest.mark.parametrize("language", ["zh", "ja", "ko", "tr", "pt", "es"])
def test_common_concepts_have_labels_in_other_languages(language: str) -> None:
    for name, least in (("machine-learning", 150), ("software", 60), ("forms", 25)):
        taxonomy = load(name)
        own = (*taxonomy.concepts.values(), *taxonomy.forms.values())
        spoken = [concept for concept in own if language in {label.language for label in concept.labels}]
        assert len(spoken) >= least, name
        for concept in spoken:
            assert any(label[1::2] == ("prefLabel", language) for label in concept.labels), concept.id


@pytest.mark.parametrize(
    ("heading", "concept"),
    [
        ("迁移学习", "transfer-learning"),
        ("领域自适应 (Domain Adaptation)", "domain-adaptation"),
        ("模型压缩与量化", "model-compression"),
        ("自然言語処理", "nlp"),
        ("객체 탐지", "object-detection"),
        ("Doğal Dil İşleme", "nlp"),
        ("Visão Computacional", "computer-vision"),
        ("Aprendizaje por Refuerzo", "reinforcement-learning"),
    ],
)
def test_headings_of_translations(heading: str, concept: str) -> None:
    found = load("machine-learning").resolve(heading)
    assert found.subjects[0].concept == concept and found.is_known
