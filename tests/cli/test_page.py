"""`shelfread page`: one HTML file, with the data of the lists in it."""

from __future__ import annotations

import json
import re
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from shelfread.index.answers import Hop, LinkRecord, Verdict
from shelfread.links.record_cache import RecordCache
from support.command_line import here as here
from support.command_line import sample as sample
from support.command_line import shelfread
from support.gitrepo import configure_origin
from support.links import TODAY

LIST = """\
# Papers

## Training

- Tofu: Partitioning Graphs ([EuroSys 2019](https://doi.org/10.1145/3302424.3303953)) [[Paper](https://arxiv.org/abs/1807.08887)]
- [Horovod](https://github.com/horovod/horovod#readme) - Distributed teh training.

Read teh [guide](https://one.org/guide).
"""


@pytest.fixture
def papers(here: Path) -> Path:
    (here / "list.md").write_text(LIST)
    return here


def data_of(page: str) -> dict[str, Any]:
    match = re.search(r'<script type="application/json" id="data">(.*)</script>\n<script>', page)
    assert match is not None
    data: dict[str, Any] = json.loads(match[1])
    return data


def page(*words: str) -> dict[str, Any]:
    done = shelfread("page", "--no-cache", *words)
    assert done.exit_code == 0, done.output
    return data_of(done.output)


def test_the_data(papers: Path) -> None:
    data = page("list.md")
    assert data["title"] == "Papers" and data["lists"] == ["list.md"]
    assert data["sections"] == [["Papers", "Training"]]
    tofu, horovod = data["entries"]
    assert (tofu["title"], tofu["venue"], tofu["year"], tofu["line"]) == (
        "Tofu: Partitioning Graphs",
        "EuroSys",
        2019,
        5,
    )
    assert [link["label"] for link in tofu["links"]] == ["EuroSys 2019", "Paper"]
    assert horovod["text"] == "Distributed teh training." and "venue" not in horovod
    assert "name" not in horovod, "a classic entry's title is its name"


def test_a_doi_that_is_written_out_is_a_link(papers: Path) -> None:
    (papers / "list.md").write_text(
        '# P\n\n- A. Stone, "Sorting Many Shelves," TPAMI, 2019, doi: 10.1109/TPAMI.2018.2\n'
    )
    (entry,) = page("list.md")["entries"]
    assert [link["url"] for link in entry["links"]] == ["https://doi.org/10.1109/TPAMI.2018.2"]
    done = shelfread("export", "--format", "markdown", "list.md")
    assert "[[Paper](https://doi.org/10.1109/TPAMI.2018.2)]" in done.stdout


def test_findings_stand_with_their_entries(papers: Path) -> None:
    data = page("list.md", "--with-findings")
    (inside,) = data["entries"][1]["findings"]
    assert inside == {"rule": "word/the", "severity": "warning", "message": '"teh" is misspelt', "line": 6}
    (outside,) = data["findings"]
    assert (outside["list"], outside["line"]) == (0, 8)
    without = page("list.md")
    assert without["findings"] == [] and "findings" not in without["entries"][1]
    assert len(without["entries"]) == 2


def test_the_state_of_links(papers: Path) -> None:
    """As `links` saw it; the fragment is no part of what was asked."""
    with RecordCache(papers / "links.sqlite3", pytest.fail) as cache:
        cache.put(
            [
                LinkRecord(
                    "https://github.com/horovod/horovod",
                    Verdict.DEAD,
                    "404 Not Found, seen twice",
                    checked_at=TODAY,
                ),
                LinkRecord(
                    "https://arxiv.org/abs/1807.08887",
                    Verdict.ALIVE,
                    "200 OK",
                    (Hop("https://arxiv.org/abs/1807.08887", 200),),
                    checked_at=TODAY,
                ),
            ]
        )
    done = shelfread("page", "list.md", "--cache-file", "links.sqlite3")
    tofu, horovod = data_of(done.output)["entries"]
    assert [link.get("health") for link in tofu["links"]] == [None, "alive"]
    (link,) = horovod["links"]
    day = datetime.fromtimestamp(TODAY, timezone.utc).date()
    assert (link["health"], link["why"]) == ("dead", f"404 Not Found, seen twice, checked on {day}")


def test_a_cache_is_not_created(papers: Path) -> None:
    done = shelfread("page", "list.md", "--cache-file", "none.sqlite3")
    assert done.exit_code == 2 and not (papers / "none.sqlite3").exists()
    assert done.stderr == "shelfread: none.sqlite3: no such file: 'shelfread links --cache-file' writes it\n"


def test_several_lists(papers: Path) -> None:
    (papers / "more").mkdir()
    (papers / "more" / "tools.md").write_text("# Tools\n\n- [Fd](https://fd.example.org) - Finds files.\n")
    (papers / "notes.md").write_text("# Notes\n\nNothing is listed here.\n")
    data = page()
    assert data["title"] == papers.name
    assert data["lists"] == ["list.md", "more/tools.md"]
    assert [entry["list"] for entry in data["entries"]] == [0, 0, 1]


def test_lists_that_are_generated_are_shown(papers: Path) -> None:
    (papers / "list.md").write_text("<!-- This file is generated. Do not edit. -->\n\n" + LIST)
    data = page()
    assert len(data["entries"]) == 2 and data["findings"] == []


def test_the_output_file(papers: Path) -> None:
    """An earlier page is replaced, a list is not."""
    for _ in range(2):
        assert shelfread("page", "list.md", "--no-cache", "--output-file", "list.html").exit_code == 0
    text = (papers / "list.html").read_text("utf-8")
    assert data_of(text)["title"] == "Papers" and text == shelfread("page", "list.md", "--no-cache").output
    (papers / "README.md").write_text("# Mine\n")
    done = shelfread("page", "list.md", "--output-file", "README.md")
    assert done.exit_code == 2 and "README.md" in done.stderr
    assert "Mine" in (papers / "README.md").read_text()


def test_nothing_to_show(papers: Path) -> None:
    (papers / "list.md").write_text("# Notes\n\nOnly words.\n")
    done = shelfread("page", "list.md")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "no entries found" in done.stderr


def test_one_file_cannot_be_read(papers: Path) -> None:
    """The others are shown, and the exit status says that one is missing."""
    (papers / "bad.md").write_bytes(b"\xff\xfe\x00 no text")
    done = shelfread("page", "list.md", "bad.md", "--no-cache")
    assert done.exit_code == 2 and "bad.md" in done.stderr
    assert data_of(done.stdout)["lists"] == ["list.md"]


@pytest.mark.parametrize(
    "text", ["</script><script>1</script>", "<!--<script>", "a\u202eb", "{{style}}", "]]>", "&lt;"]
)
def test_the_data_cannot_end_its_element(papers: Path, text: str) -> None:
    (papers / "list.md").write_text(
        f"# A `{text}` list\n\n- [Fd](https://one.org) - Does `{text}` well.\n", "utf-8"
    )
    done = shelfread("page", "list.md", "--no-cache")
    assert data_of(done.output)["entries"][0]["text"] == f"Does {text} well."
    embedded = done.output.partition('id="data">')[2].partition("</script>")[0]
    assert not set(embedded) & set("<>&")
    assert done.output.count("<script") == 2 and done.output.count("<style>") == 1


@pytest.mark.parametrize(
    ("text", "title", "about"),
    [
        ("## Tools\n\nTools that people like to use. And more.\n", "Tools", "Tools that people like to use."),
        ("# A\n\n[![b](https://b.example.org/b.svg)](https://b.example.org)\n\n> Words about this good list\n", "A",
         "Words about this good list"),
        ("# A\n\nFew words.\n", "A", ""),
        ("# A\n\nShelves with many books :fire:. And more.\n", "A", "Shelves with many books."),
        (f"# A\n\nWords{', tidy shelf' * 21} goes on.\n", "A", f"Words{', tidy shelf' * 19}..."),
        ("# 棚\n\n[简体中文](zh.md) [日本語](ja.md)\n\n本と棚に関する、自宅で使える道具の一覧です。毎週更新します。\n", "棚",
         "本と棚に関する、自宅で使える道具の一覧です。"),
        (f"# A\n\nShelfread 整理{'书架和书，' * 60}还有更多。\n", "A", f"Shelfread 整理{'书架和书，' * 44}书架和书..."),
    ],
)  # fmt: skip
def test_the_title_and_what_the_list_is(papers: Path, text: str, title: str, about: str) -> None:
    (papers / "list.md").write_text(
        text + "\n### B\n\n- [Fd](https://one.org) - Finds files quickly in folders.\n", "utf-8"
    )
    data = page("list.md")
    assert (data["title"], data["about"]) == (title, about)


def test_what_one_of_several_lists_is_does_not_tell_what_all_are(papers: Path) -> None:
    for name in ("pots", "pans"):
        (papers / name).mkdir()
        (papers / name / "README.md").write_text(
            f"# {name}\n\nAll {name} of the world.\n\n- [Fd](https://{name}.org)\n"
        )
    assert page("pots", "pans")["about"] == ""
    assert page("pots")["about"] == "All pots of the world."


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# Hire Ada\n\n- [Ada](https://ada.org)\n\n# Try Public Teapots\n", "Try Public Teapots"),
        ("## Ada's Shop\n\n# Public Teapots\n", "Public Teapots"),
        ("# Pots\n\n# Papers\n", "Pots"),
        ("## Pots\n", "public-teapots"),  # a section beside B
        ("## Contents\n\n- [B](#b)\n", "public-teapots"),
        ("#### If it drips\n\n## Contents\n", "public-teapots"),
        ('<h2 align="center">Teapots</h2>\n\nPots.\n\n## A\n', "Teapots"),
    ],
)
def test_the_heading_of_another_is_not_the_title(papers: Path, text: str, title: str) -> None:
    configure_origin(papers, "git@github.com:ada/public-teapots.git")
    (papers / "list.md").write_text(text + "\n## B\n\n- [Fd](https://one.org) - Finds files quickly.\n" * 3)
    assert page("list.md")["title"] == title


def test_a_short_name_within_a_word_is_not_said(papers: Path) -> None:
    configure_origin(papers, "git@github.com:ada/rs.git")
    (papers / "list.md").write_text(
        "# Bread in Remote Kitchens\n\n# Research Papers\n" + "\n- [Fd](https://one.org) - Finds files.\n" * 3
    )
    assert page("list.md")["title"] == "Bread in Remote Kitchens"


def test_cells_that_no_field_holds_are_facts_of_the_entry(papers: Path) -> None:
    (papers / "list.md").write_text(
        "# APIs\n\n| # | API | Description | Auth | HTTPS | Licence |\n|---|---|---|---|---|---|\n"
        "| 1 | [Cats](https://cats.org) | Facts about all cats of this world. | `apiKey` | Yes | [MIT](https://mit.org) |\n"
        "| 2 | [Dogs](https://dogs.org) | Facts about all dogs of this world. | No |  | [MIT](https://mit.org) |\n"
        "| 3 | [Fish](https://fish.org) | Facts about all fish of this world. | No | - | [MIT](https://mit.org) |\n"
        "| 4 | [Bees](https://bees.org) | Facts about all bees of this world. | No | No | [MIT](https://mit.org) |\n"
    )
    facts = [
        ["Auth: apiKey", "HTTPS: Yes", "Licence: MIT"],
        ["Auth: No", "Licence: MIT"],
        ["Auth: No", "Licence: MIT"],
        ["Auth: No", "HTTPS: No", "Licence: MIT"],
    ]
    assert [entry["notes"] for entry in page("list.md")["entries"]] == facts
    assert [entry["notes"] for entry in json.loads(shelfread("export", "list.md").stdout)] == facts
    assert (
        "Auth: apiKey; HTTPS: Yes; Licence: MIT" in shelfread("export", "list.md", "--format", "csv").stdout
    )


def test_findings_are_a_venue_of_their_own(papers: Path) -> None:
    (papers / "list.md").write_text(
        "# Papers\n\n- Drops of Rain (EMNLP-Findings 2022)\n- Rain on Roofs (EMNLP 2022)\n"
    )
    data = page("list.md")
    assert [entry["venue"] for entry in data["entries"]] == ["EMNLP Findings", "EMNLP"]
    assert data["venues"]["EMNLP Findings"]["name"] == f"Findings of {data['venues']['EMNLP']['name']}"


def test_notes_below_a_title_are_shown_and_a_workshop_is_named(papers: Path) -> None:
    (papers / "list.md").write_text(
        "# Papers\n\n- **[Drops: A Study](https://arxiv.org/abs/2207.06991)** ICML 2022 Workshop on Rain\n"
        "  - Ada Stone, Ben Field\n  - **Core Problem**: Rain is [wet](https://wet.org) in the end.\n"
        f"  - **Methods**: {'We look at the sky. ' * 30}\n"
    )
    (drops,) = page("list.md")["entries"]
    assert (drops["venue"], drops["workshop"]) == ("ICML", "ICML 2022 Workshop on Rain")
    assert [(link["label"], link["url"]) for link in drops["links"]][1:] == [("wet", "https://wet.org")]
    problem, methods = drops["remarks"]
    assert problem == "Core Problem: Rain is wet in the end."
    assert methods.startswith("Methods: We look") and methods.endswith("...") and len(methods) < 250


def test_links_called_link_are_called_what_they_lead_to(papers: Path) -> None:
    (papers / "list.md").write_text(
        "# Papers\n\n| Title | Year | Paper | Code |\n|---|---|---|---|\n"
        "| Tidy Shelves | 2024 | [link](https://shelves.org/a) | [link](https://github.com/ada/tidy) |\n"
        "| Wide Shelves | 2023 | [link](https://shelves.org/b) | [link](https://github.com/ada/wide) |\n"
    )
    assert [link["label"] for link in page("list.md")["entries"][0]["links"]] == ["Paper", "Code"]
    written = shelfread("export", "list.md", "--format", "markdown").stdout
    assert "([Code](https://github.com/ada/tidy))\n" in written


def test_a_readme_names_several_lists(papers: Path) -> None:
    (papers / "more").mkdir()
    (papers / "more" / "README.md").write_text("# Inner\n\n- [Fd](https://fd.example.org) - Finds files.\n")
    (papers / "README.md").write_text("# Outer\n\n- [Bat](https://bat.example.org) - Shows files.\n")
    assert page()["title"] == "Outer"
    (papers / "list.md").unlink()
    (papers / "README.md").rename(papers / "more" / "other.md")
    (papers / "most").mkdir()
    (papers / "more" / "README.md").rename(papers / "most" / "README.md")
    assert page()["title"] == papers.name, "no list has the title of all"


def test_the_repository_and_the_feed(papers: Path) -> None:
    assert page("list.md")["repository"] == ""
    configure_origin(papers, "git@github.com:ada/shelf.git")
    (papers / "list.md").write_text("Words.\n\n- [Fd](https://one.org) - Finds files.\n")
    data = page("list.md", "--feed", "https://ada.example.org/feed.xml")
    assert data["title"] == "shelf" and data["repository"] == "https://github.com/ada/shelf"
    assert data["feed"] == "https://ada.example.org/feed.xml"
    done = shelfread("page", "--feed", "javascript:1")
    assert done.exit_code == 2 and "--feed is an address" in done.stderr


def test_options_that_exclude_each_other(papers: Path) -> None:
    assert shelfread("page", "-").exit_code == 2
    assert shelfread("page", "--cache-file", "x", "--no-cache").exit_code == 2


def test_an_address_is_shown_once_and_who_makes_a_thing_too(papers: Path) -> None:
    (papers / "list.md").write_text(
        "# Shelves\n\n| Shelf | Developer | Links |\n|---|---|---|\n"
        "| [Oak Arm](https://oak.example.org) | Shelf Robotics | [Demo](https://a.example.org/1) [Site](https://oak.example.org) |\n"
        "| [Elm Leg](https://elm.example.org) | Card Dynamics | [Demo](https://a.example.org/2) [Again](https://a.example.org/2) |\n"
    )
    first, second = page("list.md")["entries"]
    assert first["groups"] == ["Shelf Robotics"]
    assert [[link["label"] for link in entry["links"]] for entry in (first, second)] == [
        ["Oak Arm", "Demo"], ["Elm Leg", "Demo"],
    ]  # fmt: skip
    written = shelfread("export", "list.md", "--format", "markdown").stdout
    assert "- [Oak Arm](https://oak.example.org) ([Demo](https://a.example.org/1))\n" in written
