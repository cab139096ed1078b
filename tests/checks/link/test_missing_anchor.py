"""Links to anchors, of the list and of other files."""

from __future__ import annotations

import pytest

from shelfread.core.diagnostics import Applicability, Severity
from support.local_links import find, git, messages, write

pytestmark = pytest.mark.usefixtures("folder")
ANCHOR = "link/missing-anchor"


def test_case_alone_is_an_info() -> None:
    write({"list.md": "[A](#Talks) [B](#talk-s)\n\n## Talks\n"})
    assert [one.severity for one in find(ANCHOR, "list.md")] == [Severity.INFO, Severity.ERROR]


def test_each_is_compared_once_with_few_that_share_words(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    size = 200

    def get_close_matches(word: str, near: list[str], **_: object) -> list[str]:
        asked.append(word)
        assert 0 < len(near) <= 20
        return []

    monkeypatch.setattr("difflib.get_close_matches", get_close_matches)
    links = "".join(f"- [A](#some-mistake-{n})\n- [B](#some-mistake-{n})\n" for n in range(size))
    write({"list.md": links + "".join(f"\n## Some {n} unlike\n" for n in range(size))})
    assert len(find(ANCHOR, "list.md")) == 2 * size
    assert asked == [f"some-mistake-{n}" for n in range(size)]


def test_every_kind_of_anchor_counts() -> None:
    anchors = (
        "echo echo-1 echo-1-1 echo-1-2 echo-2 named ided both pictured boxed user-content-named user-content-echo "
        "%C3%BCber-uns über-uns %c3%bcber-uns -tools rocket-launch code-x snake_case 中文-标题 c--c a-link bold-sub "
        "setext-head closed v10 html-heading inside-details h2o--co a-b L10 L10-L20 :~:text=x"
    )
    headings = (
        "echo|echo|echo 1|echo-1|echo|Über uns|🚀 Tools|:rocket: launch|`code` x|snake_case|中文 标题|C & C|[a link](x.md)"
        "|**bold** <sub>sub</sub>|closed ##|v1.0|H2O ① CO²|a &nbsp;b"
    )
    write(
        {
            "list.md": "".join(f"- [A](#{anchor})\n" for anchor in anchors.split())
            + '\n<a name="named"></a><a id="ided"></a> <a href="#echo" id="both">x</a> <img id=pictured src="x.png">\n\n'
            + '<div id="boxed"></div>\n\nSetext head\n---\n\n<h2 align="center">HTML heading</h2>\n\n'
            + "<details><summary>S</summary>\n\n### Inside details\n\n</details>\n\n"
            + "".join(f"## {heading}\n\n" for heading in headings.split("|"))
        }
    )
    assert messages(find(ANCHOR, "list.md")) == []


def test_a_folder_shows_its_readme() -> None:
    write({"notes/README.md": "# Notes\n", "list.md": "[A](notes/#notes) [B](notes#notes) [C](notes#gone)\n"})
    assert messages(find(ANCHOR, "list.md", others=("notes/README.md",))) == [
        "no heading or anchor for 'notes#gone'"
    ]


def test_gitbook_makes_other_anchors() -> None:
    write({"list.md": "[A](#papers--books) [B](#papers-books)\n\n## Papers & Books\n"})
    assert [one.span.start for one in find(ANCHOR, "list.md")] == [16 + 8]
    assert [one.span.start for one in find(ANCHOR, "list.md", slugs="gitbook")] == [4]


def test_anchors_of_other_files_from_folders_and_the_root() -> None:
    git("init", "--quiet")
    write(
        {
            "docs/a.md": "[A](../b.md#there) [B](../b.md#gone) [C](/b.md#gone) [D](./c%20d.md#There)\n",
            "b.md": "# There\n",
            "docs/c d.md": "# There\n",
        }
    )
    found = find(ANCHOR, "docs/a.md", others=("b.md", "docs/c d.md"))
    assert [one.message.split("'")[1] for one in found] == ["../b.md#gone", "/b.md#gone", "./c%20d.md#There"]
    assert find(ANCHOR, "docs/a.md") == []


def test_two_anchors_alike_are_no_fix() -> None:
    write({"list.md": '[A](#a_b)\n\n## a-b\n\n<a id="ab"></a>\n'})
    (found,) = find(ANCHOR, "list.md")
    assert found.fix is None or found.fix.applicability is Applicability.UNSAFE


@pytest.mark.parametrize(
    ("wanted", "heading", "near"),
    [
        ("image", "Images", True),
        ("post-training", "Pre-Training", False),
        ("osdi-papers-2021", "OSDI Papers 2022", False),
        ("new-experiments", "Experiments", True),
    ],
)
def test_only_what_may_be_meant_is_proposed(wanted: str, heading: str, near: bool) -> None:
    write({"list.md": f"[A](#{wanted})\n\n## {heading}\n"})
    (found,) = find(ANCHOR, "list.md")
    assert ("did you mean" in found.message) is near


@pytest.mark.parametrize(
    ("link", "safe"),
    [("[Big Tools](#bg-tools)", True), ("[Tools](#bg-tools)", False), ("[Big Tools](#small-tools)", False)],
)
def test_a_letter_is_restored_where_the_text_has_the_words(link: str, safe: bool) -> None:
    write({"list.md": f"{link}\n\n## Big Tools\n"})
    (found,) = find(ANCHOR, "list.md")
    assert found.fix is not None
    assert (found.fix.applicability is Applicability.SAFE) is safe


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[A](#contents) ![](https://img.shields.io/badge/n-{count}-blue)\n", id="placeholders"),
        pytest.param(
            "[A](#books)\n\n{% for group in groups %}\n## {{ group.name }}\n{% endfor %}\n", id="a loop"
        ),
        pytest.param("[A](#books)\n\n{{ sections }}\n", id="a line that is replaced"),
        pytest.param("[A](#books)\n\n{book_count} books by {author_count} people\n", id="words to fill in"),
    ],
)
def test_a_template_is_not_the_page_that_it_becomes(text: str) -> None:
    write({"list.md": text})
    assert find(ANCHOR, "list.md") == []


@pytest.mark.parametrize(
    "entry",
    [
        "[An API](https://api.example.org/v1/{user}/books)",
        "[A paper]({https://arxiv.org/abs/2001.00001})",
        r"![](https://latex.example.org/png?\mathcal{D}_{S})",
        "The option `{book_count}`, or `{author_count}`, and $x_{max_len} + y^{min_len}$.",
    ],
)
def test_a_brace_in_one_url_makes_no_template(entry: str) -> None:
    others = "".join(f"- [T{n}](https://example.org/{n})\n" for n in range(12))
    write({"list.md": f"[A](#gone)\n\n- {entry}\n{others}"})
    assert messages(find(ANCHOR, "list.md")) == ["no heading or anchor for '#gone'"]


@pytest.mark.parametrize(
    ("link", "heading", "near"),
    [
        ("[A](#audio)", "🎵 Audio (39)", "-audio-39"),
        ("[A](#-audio-38)", "🎵 Audio (39)", "-audio-39"),
        ("[A](#audioo)", "🎵 Audio (39)", "-audio-39"),
        ("[A](#books)", "2.1 Books（书籍）", "21-books书籍"),
        ("[Cluster Tools](#gone)", "Cluster Tools", "cluster-tools"),
    ],
)
def test_a_heading_is_known_without_emoji_numbers_and_counts(link: str, heading: str, near: str) -> None:
    write({"list.md": f"{link}\n\n## {heading}\n\n## Video (4)\n"})
    (found,) = find(ANCHOR, "list.md")
    assert found.message.endswith(f"; did you mean '#{near}'?")
    assert found.fix is not None and found.fix.applicability is Applicability.UNSAFE


def test_two_headings_of_a_name_are_no_hint() -> None:
    write({"list.md": "[A](#audio)\n\n## Audio (3)\n\n### Audio (4)\n"})
    assert messages(find(ANCHOR, "list.md")) == ["no heading or anchor for '#audio'"]


def test_a_heading_that_another_item_names_is_not_meant() -> None:
    contents = "- [Contribution](#contribution)\n- [Contributors](#contributors)\n"
    write({"list.md": f"{contents}\n## Contributors\n\n[Us](#contributers)\n"})
    assert messages(find(ANCHOR, "list.md")) == [
        "no heading or anchor for '#contribution'",
        "no heading or anchor for '#contributers'; did you mean '#contributors'?",
    ]


def test_no_other_link_leads_to_the_top() -> None:
    write({"list.md": "# The List\n\n[Top papers](#--) [Contents](#an-old-name)\n"})
    assert messages(find(ANCHOR, "list.md")) == [
        "no heading or anchor for '#--'",
        "no heading or anchor for '#an-old-name'",
    ]


def test_what_looks_the_same_is_told_apart() -> None:
    write(
        {
            "list.md": "[A](#-tools) [B](#fw\u2010fuzz) [C](#cafe\u0301)\n\n## ⚙️ Tools\n\n## FW-Fuzz\n\n## Caf\u00e9\n"
        }
    )
    found = find(ANCHOR, "list.md")
    assert found[0].fix is not None and found[0].fix.edits[0].text == "%EF%B8%8F-tools"
    assert messages(found) == [
        "no heading or anchor for '#-tools'; use '#%EF%B8%8F-tools'",
        "no heading or anchor for '#fw%E2%80%90fuzz'; use '#fw-fuzz'",
        "no heading or anchor for '#cafe%CC%81'; use '#café'",
    ]


@pytest.mark.slow
def test_many_missing_anchors_beside_many_files_take_no_time() -> None:
    headings = "".join(f"## Heading {n}\n" for n in range(100))
    files = {f"part-{n}.md": headings for n in range(30)}
    links = "".join(f"[A](#gone-{n}) [B](part-{n % 30}.md#gone-{n})\n" for n in range(600))
    write({**files, "list.md": links})
    found = find(ANCHOR, "list.md", others=tuple(files))
    assert len(found) == 1200


def test_a_file_beside_it_has_the_anchor() -> None:
    write(
        {
            "guide.md": "## Domain Analysis\n",
            "guide-it.md": "## Domain Analysis\n",
            "guide-fr.md": "[A](#domain-analysis) [B](guide-es.md#domain-analysis) [C](#toc)\n",
            "guide-es.md": "## Dominio\n\n## toc x\n",
        }
    )
    found = find(ANCHOR, "guide-fr.md", others=("guide.md", "guide-it.md", "guide-es.md"))
    assert messages(found) == [
        "no heading or anchor for '#domain-analysis'; 'guide.md' has one",
        "no heading or anchor for 'guide-es.md#domain-analysis'; 'guide.md' has one",
        "no heading or anchor for '#toc'",
    ]
    assert all(one.fix is None for one in found)


@pytest.mark.parametrize(
    ("headings", "near"),
    [
        (["Night Owls"], "#night-owls"),
        (["Owls of Night"], ""),
        (["Night Owls", "Day Owls"], ""),
        (["Scowls Here"], ""),
    ],
)
def test_a_heading_with_one_word_more_may_be_meant(headings: list[str], near: str) -> None:
    text = "[Birds](#Owls)\n" + "".join(f"\n## {heading}\n" for heading in headings)
    write({"a.md": text, "b.md": "[Birds](a.md#Owls)\n"})
    hint = f"; did you mean '{near}'?" if near else ""
    for name, file in (("a.md", ""), ("b.md", "a.md")):
        (found,) = find(ANCHOR, name, others=("a.md",))
        assert found.message == f"no heading or anchor for '{file}#Owls'{hint}"
        assert (found.fix and found.fix.applicability) == (Applicability.UNSAFE if near else None)


def test_a_sign_between_two_words_is_no_word_more() -> None:
    write({"list.md": "- [CLI](#cli)\n\n## CLI / Code\n"})
    assert messages(find(ANCHOR, "list.md")) == [
        "no heading or anchor for '#cli'; did you mean '#cli--code'?"
    ]


def test_a_longer_heading_that_another_item_names_is_not_meant() -> None:
    write({"list.md": "- [Owls](#owls)\n- [Night Owls](#night-owls)\n\n## Night Owls\n"})
    assert messages(find(ANCHOR, "list.md")) == ["no heading or anchor for '#owls'"]


@pytest.mark.parametrize("mark", ["[", ")", "**", "`", "$", ":zap:"])
def test_an_id_with_a_mark_is_not_meant(mark: str) -> None:
    write({"list.md": f'- [Named](#a.b)\n\n<a name="{mark}a.b"></a>\n'})
    assert messages(find(ANCHOR, "list.md")) == ["no heading or anchor for '#a.b'"]
