"""`shelfread init` infers a configuration and a taxonomy with which the lists have no findings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from shelfread.cli import group
from shelfread.init.inferred_config import patterns

pytestmark = pytest.mark.slow

HEADINGS = ["Cluster Scheduling", "🚀 Storage: caches, files", "on", "[Papers] of 2020"]


def shelfread(*words: str) -> Result:
    return CliRunner().invoke(group, words)


def findings(*words: str) -> list[dict[str, object]]:
    done = shelfread("check", "--output-format", "json", *words)
    assert done.exit_code in (0, 1), done.output
    found: list[dict[str, object]] = json.loads(done.output)["diagnostics"]
    return found


def papers(number: int, label: str = "Paper") -> str:
    return "".join(
        f"- A Study of {number} and {index} Jobs (OSDI 2020) [[{label}](https://arxiv.org/abs/20{number:02}.{index:05})]"
        f" [[Zoo](https://example.org/{number}/{index})]\n"
        for index in range(1, 7)
    )


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    sections = "\n".join(f"## {heading}\n\n{papers(index + 1)}" for index, heading in enumerate(HEADINGS))
    (tmp_path / "README.md").write_text(f"# Systems\n\n{sections}")
    (tmp_path / "more").mkdir()
    (tmp_path / "more/infra.md").write_text(
        f"# Infrastructure\n\n{papers(9)}\n### Cluster Scheduling\n\n{papers(10)}"
    )
    return tmp_path


def test_a_habit_is_told_only_if_what_differs_is_reported(root: Path) -> None:
    """A hard break between name and description is no separator that a line lacks."""
    broken = "".join(
        f"- **[Kit {n}](https://example.org/{n})**  \n  Shows pictures of kind {n}.\n" for n in range(12)
    )
    Path("README.md").write_text(
        f"# Awesome Kits\n\n{broken}- **[Talk](https://example.org/talk)** - A podcast.\n"
    )
    assert shelfread("init", "README.md").exit_code == 0
    written = Path(".shelfread.yaml").read_text()
    assert findings("README.md") == [] and "entry/separator" not in written and "nine of ten" not in written


def test_the_files_are_valid_and_the_lists_have_no_findings(root: Path) -> None:
    done = shelfread("init", "--taxonomy")
    assert done.exit_code == 0, done.output
    assert done.output.splitlines() == [
        ".shelfread.yaml: written from 2 lists with 36 entries",
        "taxonomy.yaml: written with 4 subjects, 1 role of links",
        "Next: read both files, then run 'shelfread check'.",
        "To hear of new problems only: 'shelfread check --write-baseline .shelfread/known.json' once, and then",
        "'shelfread check --baseline .shelfread/known.json'.",
    ]
    config = yaml.safe_load((root / ".shelfread.yaml").read_text())
    assert config["presets"] == ["core", "papers"]
    assert config["include"] == ["*.md"]
    assert config["taxonomy"] == "taxonomy.yaml"
    assert config["rules"]["entry/label-case"] == {"when": "always"}
    assert config["rules"]["paper/venue-alias"] == {"when": "always"}
    assert findings("--select", "taxonomy") == []
    assert findings("--select", ",".join(config["rules"])) == []


def test_the_taxonomy_has_the_subjects_and_their_parents(root: Path) -> None:
    assert shelfread("init", "--taxonomy").exit_code == 0
    taxonomy = yaml.safe_load((root / "taxonomy.yaml").read_text())
    assert taxonomy["concepts"] == {
        "cluster-scheduling": {
            "prefLabel": "Cluster Scheduling",
            "broader": "infrastructure",
            "exactMatch": ["urn:shelfread:ml-systems:cluster-scheduling"],
        },
        "storage-caches-files": {"prefLabel": "Storage: caches, files"},
        "on": {"prefLabel": "on"},
        "infrastructure": {"prefLabel": "Infrastructure"},
    }
    assert taxonomy["links"] == {"zoo": {"prefLabel": "Zoo"}}
    (root / "more/infra.md").write_text(
        (root / "more/infra.md").read_text().replace("### Cluster", "### Clustr")
    )
    (found,) = findings("--select", "taxonomy/section")
    assert "did you mean 'Cluster Scheduling'?" in str(found["message"])


def test_conventions_with_exceptions_are_listed_and_not_set(root: Path) -> None:
    text = (root / "README.md").read_text()
    (root / "README.md").write_text(text.replace("[[Paper]", "[[paper]", 1))
    assert shelfread("init").exit_code == 0
    written = (root / ".shelfread.yaml").read_text()
    assert "#   entry/label-case" in written and "  Paper (35 of 36)" in written
    assert "entry/label-case" not in yaml.safe_load(written)["rules"]
    assert [finding["rule"] for finding in findings()] == ["entry/label-case"]


def test_a_habit_that_all_follow_is_not_among_those_with_exceptions(root: Path) -> None:
    """Another name that is out of use has a finding of the same rule."""
    papers = "".join(
        f"- Tidy Shelves of Kind {number} ({'ICLR' if number < 12 else 'NIPS'} 2021) [[Paper](https://arxiv.org/abs/2101.{number:05})]\n"
        for number in range(13)
    )
    (root / "README.md").write_text(f"# Papers\n\n{papers}")
    assert shelfread("init").exit_code == 0
    assert "venue-alias" not in (root / ".shelfread.yaml").read_text()


def test_lists_that_differ_keep_their_own_presets(root: Path) -> None:
    tools = "".join(f"- [tool {n}](https://example.org/tool{n}) - Does {n}.\n" for n in range(20))
    (root / "tools.md").write_text(f"# Tools\n\n{tools}")
    assert shelfread("init").exit_code == 0
    written = (root / ".shelfread.yaml").read_text()
    assert "# `presets` is not set, as the lists differ: 2 lists [core, papers], 1 list [core]." in written
    assert "presets" not in yaml.safe_load(written)


def test_a_taxonomy_is_added_to_a_configuration(root: Path) -> None:
    (root / ".shelfread.yaml").write_text("presets: [core]\n")
    done = shelfread("init", "--taxonomy")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "Next: write 'taxonomy: taxonomy.yaml' into .shelfread.yaml" in done.stdout
    assert (root / "taxonomy.yaml").exists()
    assert (root / ".shelfread.yaml").read_text() == "presets: [core]\n"


@pytest.mark.parametrize(("name", "words"), [(".shelfread.yaml", ()), ("taxonomy.yaml", ("--taxonomy",))])
def test_files_are_overwritten_only_with_force(root: Path, name: str, words: tuple[str, ...]) -> None:
    (root / name).write_text("title: mine\n")
    done = shelfread("init", *words)
    assert done.exit_code == 2
    assert done.stderr.endswith(f"{name}: exists already: use --force to overwrite it\n")
    assert (root / name).read_text() == "title: mine\n"
    assert sorted(path.name for path in root.iterdir()) == sorted(["README.md", "more", name])
    assert shelfread("init", "--taxonomy", "--force").exit_code == 0
    assert (root / name).read_text() != "title: mine\n"


def test_a_symbolic_link_is_not_followed(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("other") / "other.yaml"
    other.write_text("theirs")
    (root / ".shelfread.yaml").symlink_to(other)
    assert shelfread("init").exit_code == 2
    assert shelfread("init", "--force").exit_code == 0
    assert other.read_text() == "theirs" and not (root / ".shelfread.yaml").is_symlink()


@pytest.mark.parametrize(
    ("text", "message"),
    [("# Nothing\n", "no list found: there are no entries to learn from"), (None, "no such file")],
)
def test_without_a_list_nothing_is_written(root: Path, text: str | None, message: str) -> None:
    (root / "empty").mkdir()
    if text is not None:
        (root / "empty/a.md").write_text(text)
    done = shelfread("init", "empty/a.md")
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1) and message in done.stderr
    assert not (root / "empty/.shelfread.yaml").exists()


def test_a_folder_gets_its_own(root: Path) -> None:
    assert shelfread("init", "more").output.startswith(
        "more/.shelfread.yaml: written from 1 list with 12 entries"
    )
    assert (root / "more/.shelfread.yaml").exists() and not (root / ".shelfread.yaml").exists()


@pytest.mark.parametrize(
    ("lists", "others", "found"),
    [
        (["README.md", "a/b.md"], [], ["*.md"]),
        (["README.md"], ["CONTRIBUTING.md"], ["/README.md"]),
        (["README.md", "a/b.md", "a/c/d.md"], ["CONTRIBUTING.md"], ["/README.md", "/a/**/*.md"]),
        (["a/b.md", "a/c/d.md"], ["a/x.md"], ["/a/b.md", "/a/c/**/*.md"]),
        ([f"{number}.md" for number in range(20)], ["CONTRIBUTING.md"], ["*.md"]),
    ],
)
def test_patterns_match_the_lists(lists: list[str], others: list[str], found: list[str]) -> None:
    assert patterns(lists, others) == found


def taxonomy(root: Path) -> dict[str, dict[str, dict[str, object]]]:
    assert shelfread("init", "--taxonomy").exit_code == 0
    text = (root / "taxonomy.yaml").read_text()
    read: dict[str, dict[str, dict[str, object]]] = yaml.safe_load(text)
    return read


def labelled(label: str, url: str = "https://example.net/{n}", times: int = 4) -> str:
    return "".join(
        f"- Study of {label[-3:]} and {n} Shelves (OSDI 2020) [[Paper](https://example.org/{n})] [[{label}]({url.format(n=n)})]\n"
        for n in range(times)
    )


@pytest.mark.parametrize(
    "papers",
    [
        labelled("https://example.net/zoo"),
        labelled("zoo.example.dev"),
        labelled("ZooBench", url="https://example.net/always-the-same"),
        labelled("Zoo", times=2),
        labelled("Zoo of Animals that Live in Cages"),
        labelled("PaperZ").replace("PaperZ", "Papre"),
        labelled("IEEE TZOO"),
        labelled("link"),
    ],
)
def test_addresses_names_and_slips_are_no_roles_of_links(root: Path, papers: str) -> None:
    (root / "README.md").write_text(f"# Systems\n\n## Caches\n\n{papers}\n## Queues\n\n{papers}")
    (root / "more/infra.md").unlink()
    assert "links" not in taxonomy(root)


def test_venues_years_and_general_headings_are_no_subjects(root: Path) -> None:
    others = ["OSDI 2021", "Caches at NSDI 2020", "Others 2023", "More Papers from 2016", "ICZOO 2024"]
    others += [
        "EdgeZoo Workshop [proceedings]",
        "IEEE Transactions on Zoos",
        "Translations",
        "Contact & Feedback",
    ]
    text = "".join(f"## {heading}\n\n{papers(n).splitlines()[0]}\n\n" for n, heading in enumerate(others, 1))
    (root / "README.md").write_text(
        f"# Systems\n\n## Queues\n\n{papers(20)}\n{text}## Caches\n\n{papers(21)}"
    )
    (root / "more/infra.md").unlink()
    assert [each["prefLabel"] for each in taxonomy(root)["concepts"].values()] == ["Queues", "Caches"]
    assert findings("--select", "taxonomy/section") == []


def test_where_headings_are_no_subjects_none_are_written(root: Path) -> None:
    text = "".join(f"## {venue} 2020\n\n{papers(n)}\n" for n, venue in enumerate(("OSDI", "NSDI"), 1))
    (root / "README.md").write_text(
        f"# Systems\n\n{text}## Caches\n\n{papers(9)[:200]}".replace("Zoo", "Code")
    )
    (root / "more/infra.md").unlink()
    done = shelfread("init", "--taxonomy")
    assert "No subjects were found: the headings are too few, or venues" in done.output
    assert "No taxonomy was written.\n" in done.output
    assert not (root / "taxonomy.yaml").exists()
    assert "taxonomy" not in yaml.safe_load((root / ".shelfread.yaml").read_text())


def test_a_translation_a_template_and_notes_give_no_subjects(root: Path) -> None:
    text = (root / "README.md").read_text()
    (root / "README-de.md").write_text(text.replace("## Cluster Scheduling", "## Rechner einteilen"))
    (root / "template.md").write_text(f"# Systems\n\n## Section\n\n{papers(20)}")
    title = "A Study of 9 and 1 Jobs"
    (root / "more/notes.md").write_text(f"# {title}\n\n## What it says\n\n{papers(21)}")
    assert list(taxonomy(root)["concepts"]) == [
        "cluster-scheduling",
        "storage-caches-files",
        "on",
        "infrastructure",
    ]
    assert findings("--select", "taxonomy/section") == []


def test_conventions_are_written_in_words(root: Path) -> None:
    assert shelfread("init").exit_code == 0
    rules = (root / ".shelfread.yaml").read_text().partition("rules:\n")[2]
    words = {line.split(":")[0].strip(): line.partition("# ")[2] for line in rules.splitlines()}
    assert (
        words["entry/glued"]
        == "title (venue) (36 of 36), (venue) [label] (36 of 36), [label] [label] (36 of 36)"
    )
    assert words["paper/title-end"] == "Title without a full stop (36 of 36)"
    assert words["paper/venue-form"] == "(VENUE YYYY) (36 of 36)"
    assert words["entry/label-order"] == "Paper before zoo (36 of 36)"


def test_why_there_is_no_list(root: Path) -> None:
    (root / "empty").mkdir()
    (root / "empty/template.md").write_text(papers(3))
    assert "no list found: template.md is a template\n" in shelfread("init", "empty").stderr


@pytest.mark.parametrize(("count", "are_told"), [(2, False), (3, True)])
def test_a_few_wrong_anchors_are_no_sign_of_gitbook(root: Path, count: int, are_told: bool) -> None:
    titles = [f"Rows & Shelves {number}" for number in range(count)]
    links = "".join(
        f"- [{title}](#{title.replace(' & ', '-').replace(' ', '-').lower()})\n" for title in titles
    )
    sections = "".join(f"\n## {title}\n\n{papers(number + 20)}" for number, title in enumerate(titles))
    Path("README.md").write_text(f"# Systems\n\n{links}{sections}")
    assert shelfread("init", "README.md").exit_code == 0
    assert ("slugs: gitbook" in Path(".shelfread.yaml").read_text()) is are_told
