"""The taxonomy that `init --taxonomy` writes is what a maintainer would have written."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from shelfread.cli import group
from shelfread.mapping.proposals import make_ids

pytestmark = pytest.mark.slow


def shelfread(*words: str) -> Result:
    return CliRunner().invoke(group, words)


def entries(number: int, times: int = 3) -> str:
    return "".join(
        f"- A Study of {number} and {index} Jobs [[Paper](https://arxiv.org/abs/20{number:02}.{index:05})]\n"
        for index in range(1, times + 1)
    )


def page(title: str, *headings: str, first: int = 1) -> str:
    sections = (f"{heading}\n\n{entries(number)}" for number, heading in enumerate(headings, first))
    return f"# {title}\n\n" + "\n".join(sections)


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def inferred() -> dict[str, Any]:
    """The taxonomy of the lists, which has no finding about them."""
    done = shelfread("init", "--taxonomy", "--force")
    assert done.exit_code == 0, done.output
    found = json.loads(shelfread("check", "--select", "taxonomy", "--output-format", "json").output)
    assert [each["message"] for each in found["diagnostics"] if each["severity"] != "info"] == []
    data: dict[str, Any] = yaml.safe_load(Path("taxonomy.yaml").read_text("utf-8"))
    return data


OWN = ("## Ovens", "## Bread", "## Yeast", "## Flour Mills")


def test_a_list_that_a_bundled_taxonomy_knows_extends_it() -> None:
    Path("README.md").write_text(
        page(
            "Jobs", "## Model Compression", "### Quantization Methods", "## LLM Serving", "## Baking of Bread"
        )
    )
    data = inferred()
    assert data["extends"] == "machine-learning"
    assert data["concepts"] == {
        "model-compression": {"prefLabel": "Model Compression"},
        "quantization": {"prefLabel": "Quantization Methods"},
        "llm-serving": {"prefLabel": "LLM Serving"},
        "baking-of-bread": {"prefLabel": "Baking of Bread"},
    }
    mapped = json.loads(shelfread("taxonomy", "map", "--format", "json").output)
    assert {each["certainty"] for each in mapped["headings"]} == {"label"}


def test_a_kind_of_link_that_a_bundled_taxonomy_has_as_a_subject_is_one() -> None:
    headings = (
        "## Pretrained models",
        "### Language models",
        "### Machine translation",
        "### Word embeddings",
    )
    Path("README.md").write_text(page("Words", *headings))
    assert inferred()["concepts"]["foundation-models"] == {"prefLabel": "Pretrained models"}
    assert "section-alias" not in shelfread("check", "--show-info").output
    assert shelfread("taxonomy", "adopt", "--diff").output.startswith("Nothing to add")


def test_other_lists_refer_to_concepts_that_a_bundled_taxonomy_knows() -> None:
    Path("README.md").write_text(page("Jobs", *OWN, "## Quantization"))
    data = inferred()
    assert data["extends"] == "forms"
    assert data["concepts"]["quantization"]["exactMatch"][0].endswith(":quantization")
    assert data["concepts"]["ovens"] == {"prefLabel": "Ovens"}


def test_a_concept_that_includes_its_own_name_is_matched_once() -> None:
    """`software` knows the name, and with its abbreviation in brackets as a part of itself."""
    Path("README.md").write_text(page("Jobs", *OWN, "## Text Editors", "## Internet of Things (IoT)"))
    concept = inferred()["concepts"]["internet-of-things"]
    assert concept["exactMatch"] == ["urn:shelfread:software:iot"] and "broadMatch" not in concept


def test_forms_stand_apart_from_subjects() -> None:
    Path("README.md").write_text(page("Jobs", *OWN, "## Survey Papers", "## Technical Reports"))
    data = inferred()
    assert data["forms"] == {
        "survey": {"prefLabel": "Survey Papers"},
        "technical-report": {"prefLabel": "Technical Reports"},
    }
    assert list(data["concepts"]) == ["ovens", "bread", "yeast", "flour-mills"]


def test_years_and_venues_become_an_order() -> None:
    Path("README.md").write_text(page("Jobs", *OWN, "## 2025", "## 2024", "## 2023", "## 2021"))
    data = inferred()
    assert data["order"] == "year" and len(data["concepts"]) == 4
    text = Path("README.md").read_text().replace("## 2023", "## 2026")
    Path("README.md").write_text(text)
    (found,) = json.loads(
        shelfread("check", "--select", "taxonomy/section-order", "--output-format", "json").output
    )["diagnostics"]
    assert found["message"] == "'2026' belongs before '2025' (line 27) in the order of the taxonomy"


def test_a_venue_that_is_a_word_is_a_subject_of_tools() -> None:
    headings = ("Middleware", "Web", "Desktop", "Storage")
    tools = "".join(
        f"\n## {heading}\n\n- [Kit {number}](https://kit{number}.example.org) - Bakes bread.\n"
        for number, heading in enumerate(headings)
    )
    Path("README.md").write_text(f"# Awesome Ovens\n{tools}")
    assert [each["prefLabel"] for each in inferred()["concepts"].values()] == [*headings]
    Path("README.md").write_text(page("Jobs", *OWN, "## Middleware"))
    assert len(inferred()["concepts"]) == 4


def test_years_in_no_order_have_none() -> None:
    Path("README.md").write_text(page("Jobs", *OWN, "## 2024", "## 2021", "## 2023"))
    assert "order" not in inferred()


def test_editions_of_a_venue_stand_together() -> None:
    Path("README.md").write_text(page("Jobs", *OWN, "## OSDI 2022", "## OSDI 2021", "## NSDI 2023"))
    assert inferred()["order"] == ["venue", "year"]


def test_subjects_stand_in_an_order_that_all_chapters_have() -> None:
    talks = ("## Talks", "### Ovens", "### Bread", "### Flour Mills", "## Yeast")
    Path("README.md").write_text(page("Jobs", *talks, "## Tools", "### Ovens", "### Bread", "## Sourdough"))
    assert list(inferred()["concepts"]) == ["ovens", "bread", "flour-mills", "yeast", "sourdough"]
    assert "section-order" not in Path(".shelfread.yaml").read_text()


def test_headings_in_two_languages_give_both() -> None:
    headings = ("## Ovens 烤箱", "## Bread 面包", "## Yeast (酵母)", "## Flour Mills")
    Path("README.md").write_text(page("Jobs", *headings), "utf-8")
    concepts = inferred()["concepts"]
    assert [each["prefLabel"] for each in concepts.values()] == [
        {"en": "Ovens", "zh": "烤箱"},
        {"en": "Bread", "zh": "面包"},
        {"en": "Yeast", "zh": "酵母"},
        "Flour Mills",
    ]


def test_a_chinese_list_has_ids_in_its_own_script() -> None:
    Path("README.md").write_text(page("工作", "## 烤箱", "## 面包", "## 酵母"), "utf-8")
    data = inferred()
    assert data["language"] == "zh"
    assert list(data["concepts"]) == ["烤箱", "面包", "酵母"]


def test_a_japanese_list_keeps_its_voiced_marks_and_has_no_chinese_names() -> None:
    headings = ("## パン", "## バン", "## 道具・オーブン", "## 酵母 (Yeast)", "## こねる鉢")
    Path("README.md").write_text(page("パン", *headings), "utf-8")
    assert inferred()["concepts"] == {
        "パン": {"prefLabel": "パン"},
        "バン": {"prefLabel": "バン"},
        "道具-オーブン": {"prefLabel": "道具・オーブン"},
        "yeast": {"prefLabel": {"ja": "酵母", "en": "Yeast"}},
        "こねる鉢": {"prefLabel": "こねる鉢"},
    }


@pytest.mark.parametrize(
    ("label", "id"),
    [
        ("Crème brûlée", "creme-brulee"),
        ("Пиріг із йогуртом", "пиріг-із-йогуртом"),
        ("ﾊﾟﾝ", "パン"),
        ("ハ\u309aン", "パン"),
        ("밀가루", "밀가루"),
        ("İstanbul", "istanbul"),
    ],
)
def test_only_latin_letters_lose_their_marks_in_ids(label: str, id: str) -> None:
    assert make_ids({"": label}) == {"": id}


def test_contents_give_other_names(root: Path) -> None:
    contents = "## Contents\n\n- [Bread Ovens](#ovens)\n- [Bread](#bread)\n- [All](#yeast)\n- [Mills](#flour-mills)\n\n"
    text = page("Jobs", *OWN).replace("## Ovens", f"{contents}## Ovens")
    Path("README.md").write_text(text)
    concepts = inferred()["concepts"]
    assert concepts["ovens"] == {"prefLabel": "Ovens", "altLabel": ["Bread Ovens"]}
    assert concepts["flour-mills"] == {"prefLabel": "Flour Mills", "altLabel": ["Mills"]}
    assert concepts["yeast"] == {"prefLabel": "Yeast"}


def test_an_abbreviation_in_brackets_is_another_name() -> None:
    Path("README.md").write_text(page("Jobs", *OWN, "## Rolling Bread Ovens (RBO)", "## Yeast II", "### RBO"))
    found = inferred()["concepts"]["rolling-bread-ovens"]
    assert found["prefLabel"] == "Rolling Bread Ovens" and found["altLabel"] == ["RBO"]


def test_what_is_no_subject_gives_no_concept() -> None:
    no_subjects = (
        "## Ada Stone (UC Berkeley)",
        "## Ben Field @ MIT",
        "## From Earlier Years",
        "## 2024 Publications (Ovens)",
        "## 20240131 Two new ovens",
        "## Bread and Yeast",
    )
    Path("README.md").write_text(page("Jobs", "## Ovens", "### Other Ovens", *OWN[1:], *no_subjects))
    Path("CLAUDE.md").write_text(page("Guidelines", "## How to format", first=30))
    Path("code").mkdir()
    Path("code/tool.md").write_text(
        "# Tool\n\n## Set up\n\n```sh\nmake\n```\n\n- [Make](https://make.example.org) - Makes.\n"
    )
    assert [each["prefLabel"] for each in inferred()["concepts"].values()] == [
        "Ovens",
        "Bread",
        "Yeast",
        "Flour Mills",
    ]


def test_a_section_around_all_others_is_no_subject() -> None:
    headings = [*(f"### {name[3:]}" for name in OWN), "### Dough", "### Salt"]
    Path("README.md").write_text(page("Jobs", "## The List Itself", *headings))
    concepts = inferred()["concepts"]
    assert "the-list-itself" not in concepts and len(concepts) == 6
    assert all("broader" not in each for each in concepts.values())


@pytest.mark.parametrize("label", ["SomeBench", "PyTorch (author)", "ZooNet", "Code (in construction)"])
def test_names_and_remarks_are_no_roles(label: str) -> None:
    text = page("Jobs", *OWN)
    lines = [
        f"{line} [[{label}](https://example.org/{number})]" if line.startswith("- ") else line
        for number, line in enumerate(text.splitlines())
    ]
    Path("README.md").write_text("\n".join(lines) + "\n")
    assert "links" not in inferred()


def test_the_names_of_sites_are_roles() -> None:
    text = page("Jobs", *OWN)
    lines = [
        f"{line} [[BaiduYun](https://pan.baidu.com/s/{number})] [[OneDrive](https://1drv.ms/u/{number})]"
        if line.startswith("- ")
        else line
        for number, line in enumerate(text.splitlines())
    ]
    Path("README.md").write_text("\n".join(lines) + "\n")
    assert [role["prefLabel"] for role in inferred()["links"].values()] == ["BaiduYun", "OneDrive"]


def test_headings_beside_entries_that_are_headings_are_no_subjects() -> None:
    """Where papers are headings, one without a venue is a paper all the same."""
    papers = "".join(
        f"### Baking Study of {word} Dough (ICSE 20{year})\n\n- [Paper](https://example.org/{year})\n\n"
        for year, word in enumerate(("Soft", "Firm", "Cold", "Warm"), 11)
    )
    other = (
        "### The Art of Rye Dough\n\n- [Paper](https://example.org/rye)\n- [Notes](https://example.org/n)\n\n"
    )
    text = "".join(f"## {title}\n\n{papers.replace('Study', title)}" for title in ("Ovens", "Yeast", "Mills"))
    Path("README.md").write_text(f"# Baking\n\n{text}{other}")
    assert {each["prefLabel"] for each in inferred()["concepts"].values()} == {"Ovens", "Yeast", "Mills"}


def test_a_name_in_another_language_decides_nothing() -> None:
    """The bundled concept is that of the lists' own language, whatever a translation in brackets may mean."""
    Path("README.md").write_text(page("Jobs", *OWN, "## Quantization (量化推理)", "## Pruning (模型压缩)"))
    concepts = inferred()["concepts"]
    assert concepts["quantization"]["exactMatch"] == ["urn:shelfread:machine-learning:quantization"]
    assert concepts["pruning"]["exactMatch"] == ["urn:shelfread:machine-learning:pruning"]


def labels() -> list[str]:
    return [term["prefLabel"] for term in inferred()["concepts"].values()]


def test_signs_of_names_are_kept() -> None:
    names = ["C++", "C/C++", ".NET", "Notepad++", "F#"]
    Path("README.md").write_text(page("Tools", *(f"## {name}" for name in names)))
    assert labels() == names


def test_languages_are_subjects_of_sections_though_links_are_called_so_too() -> None:
    Path("README.md").write_text(page("Jobs", "## Python", "## Rust", "## Julia", "## Go"))
    assert labels() == ["Python", "Rust", "Julia", "Go"]


def test_files_prices_and_states_are_no_subjects() -> None:
    others = [
        "## setup.md",
        "## Paid ($5)",
        "## Free and Paid",
        "## Archived or unmaintained",
        "## Deprecated",
    ]
    Path("README.md").write_text(page("Jobs", *OWN, *others))
    assert labels() == ["Ovens", "Bread", "Yeast", "Flour Mills"]


@pytest.mark.parametrize(
    ("heading", "right"), [("Vulnerability Scaning", "Vulnerability Scanning"), ("TypeScipt", "TypeScript")]
)
def test_a_misspelling_is_a_hidden_label(heading: str, right: str) -> None:
    Path("README.md").write_text(page("Jobs", *OWN, f"## {heading}"))
    assert shelfread("init", "--taxonomy").exit_code == 0
    *_, term = yaml.safe_load(Path("taxonomy.yaml").read_text("utf-8"))["concepts"].values()
    assert {"prefLabel": right, "hiddenLabel": [heading]}.items() <= term.items()


@pytest.mark.parametrize("heading", ["Scales", "Planting", "Banding", "Cursors"])
def test_another_short_word_is_no_misspelling(heading: str) -> None:
    Path("README.md").write_text(page("Jobs", *OWN, f"## {heading}"))
    assert labels()[-1] == heading


def test_a_misspelt_form_stays_a_form() -> None:
    Path("README.md").write_text(page("Jobs", *OWN, "## Tutorals"))
    assert shelfread("init", "--taxonomy").exit_code == 0
    forms = yaml.safe_load(Path("taxonomy.yaml").read_text("utf-8"))["forms"]
    assert forms == {"tutorial": {"prefLabel": "Tutorials", "hiddenLabel": ["Tutorals"]}}


@pytest.mark.parametrize(
    ("headings", "sentence"),
    [
        ("Livres Serveurs Compilateurs Tutoriels", "Une suite d'outils pour les \u00e9quipes"),
        ("Statistik Mathematik Physik Editoren", "Ein Werkzeug f\u00fcr den Anfang"),
        ("Libros Servidores Compiladores Tutoriales", "Una herramienta para quien empieza"),
        ("Musica Statistica Robotica Compilatori", "Uno strumento per chi comincia"),
    ],
)
def test_words_of_another_language_are_no_misspellings(headings: str, sentence: str) -> None:
    sections = (
        f"## {heading}\n\n"
        + "".join(f"- [Etwa{at}](https://example.org/{heading}/{at}) - {sentence}.\n" for at in range(3))
        for heading in headings.split()
    )
    Path("README.md").write_text("# Etwa\n\n" + "\n".join(sections), "utf-8")
    assert "hiddenLabel" not in str(inferred())


def test_what_entries_are_called_too_is_no_misspelling() -> None:
    text = page("Jobs", *OWN, "## Vulnerability Scaning")
    Path("README.md").write_text(text.replace("A Study", "Scaning"))
    assert labels()[-1] == "Vulnerability Scaning"


def test_a_page_in_another_language_has_no_english_mistakes() -> None:
    Path("jobs-en.md").write_text(page("Jobs", *OWN))
    Path("jobs-fr.md").write_text(page("Jobs", *OWN, "## Assembleur", first=10))
    assert "Assembleur" in [concept["prefLabel"] for concept in inferred()["concepts"].values()]


def test_brackets_that_set_headings_apart_are_part_of_their_names() -> None:
    brackets = ("## Training(Parallelism)", "## Training (Fault-tolerant)", "## Training (Jobs on clusters)")
    Path("README.md").write_text(page("Jobs", *OWN, *brackets))
    assert labels()[-3:] == [heading.removeprefix("## ") for heading in brackets]


def test_the_english_half_of_a_heading_names_a_bundled_concept() -> None:
    headings = ("## 烤箱", "## 面包", "## 酵母", "## 面粉厂", "## Information Extraction (信息提取)")
    Path("README.md").write_text(page("工作", *headings), "utf-8")
    concepts = inferred()["concepts"]
    assert list(concepts.values())[-1]["prefLabel"] == {"zh": "信息提取", "en": "Information Extraction"}


def test_halves_that_other_headings_have_are_no_translations() -> None:
    headings = [
        "## 图像 - CNN",
        "## 语音 - CNN",
        "## 烤箱 Ovens",
        "## 面包 Bread",
        "## 酵母 Yeast",
        "## SFT数据集",
    ]
    Path("README.md").write_text(page("List", *headings))
    found = labels()
    assert "图像 - CNN" in found and "语音 - CNN" in found and "SFT数据集" in found
    assert {"en": "Ovens", "zh": "烤箱"} in found


def test_names_that_differ_by_accents_are_one_subject() -> None:
    Path("README.md").write_text(page("Jobs", *OWN, "## Pâtisserie", "## Flans", "### Patisserie"))
    assert labels() == ["Ovens", "Bread", "Yeast", "Flour Mills", "Pâtisserie", "Flans"]


def test_a_file_in_another_encoding_is_left_out() -> None:
    Path("README.md").write_text(page("Jobs", *OWN))
    Path("old.md").write_bytes("# Cafés\n\n## Ovens\n".encode("latin-1"))
    done = shelfread("init", "--taxonomy")
    assert done.exit_code == 0 and "old.md:1: not UTF-8" in done.output
    assert Path("taxonomy.yaml").exists()


@pytest.mark.parametrize(
    ("address", "iri"),
    [
        ("https://token@git.example.org/baker/ovens.git", "https://git.example.org/baker/ovens#"),
        ("git@git.example.org:baker/ovens.git", "https://git.example.org/baker/ovens#"),
        ("", "urn:shelfread:lists:ovens:"),
    ],
)
def test_each_list_has_an_iri_of_its_own(address: str, iri: str, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("ovens").mkdir()
    monkeypatch.chdir("ovens")
    if address:
        for words in (["init", "-q"], ["remote", "add", "origin", address]):
            subprocess.run(["git", *words], check=True)
    Path("README.md").write_text(page("Jobs", *OWN))
    assert inferred()["iri"] == iri


def test_a_page_for_each_language_is_no_subject() -> None:
    for name, headings in {
        "parsing": ("## Trees", "## Graphs"),
        "tagging": ("## Words", "## Sentences"),
        "hindi": ("## Parsing", "## Tagging"),
    }.items():
        Path(f"{name}.md").write_text(page(name.title(), *headings, first=len(name)))
    concepts = inferred()["concepts"]
    assert "hindi" not in concepts and "broader" not in concepts["parsing"]
    assert concepts["trees"]["broader"] == "parsing"


def test_a_word_below_another_subject_is_no_concept_of_that_name() -> None:
    Path("README.md").write_text(
        page(
            "Jobs",
            *OWN,
            "## Kneading",
            "## Rye Crust",
            "## Salt",
            "## Quantization",
            "## Dialogue",
            "### Disentanglement",
        )
    )
    concepts = inferred()["concepts"]
    assert "exactMatch" in concepts["quantization"], concepts
    assert "exactMatch" not in concepts["disentanglement"]


def test_a_latin_word_in_a_few_headings_is_no_translation() -> None:
    headings = ("## 高级 CLI", "## Slug 化", "## 第三方 API", "## 烤箱", "## 面包", "## 酵母", "## 面粉")
    Path("README.md").write_text(page("工作", *headings), "utf-8")
    assert labels()[:3] == ["高级 CLI", "Slug 化", "第三方 API"]


def test_concepts_stand_in_the_order_of_the_sections(root: Path) -> None:
    """Those below a heading that is a form, or no subject, stand for it."""
    first = page(
        "List", "## Suites", "## Data Tools", "### Downloading", "### Pairwise", "## Variant Simulation"
    )
    (root / "README.md").write_text(first + page("x", "## Quantification", first=9).partition("\n\n")[2])
    labels = [concept["prefLabel"] for concept in inferred()["concepts"].values()]
    assert labels == ["Suites", "Downloading", "Pairwise", "Variant Simulation", "Quantification"]


def test_sections_without_entries_among_others_are_subjects(root: Path) -> None:
    text = page("List", "## Ovens", "## Yeast", "## Flour Mills")
    text = text.replace("## Yeast", "## Bread\n\n### Rye\n\n## Contributing\n\nSend lists.\n\n## Yeast")
    (root / "README.md").write_text(f"{text}\n## Authors\n\nMe.\n")
    concepts = inferred()["concepts"].values()
    assert [each["prefLabel"] for each in concepts] == ["Ovens", "Bread", "Rye", "Yeast", "Flour Mills"]
    assert [each.get("broader") for each in concepts] == [None, None, "bread", None, None]


def test_a_full_width_bracket_keeps_no_number(root: Path) -> None:
    (root / "README.md").write_text(
        page("List", "## 1.1 Deep Shelves（Milestone）", "## 1.2 Wide Rows (Milestone)", "## 1.3 Loans")
    )
    labels = [concept["prefLabel"] for concept in inferred()["concepts"].values()]
    assert labels == ["Deep Shelves（Milestone）", "Wide Rows (Milestone)", "Loans"]
