"""What a file is, by its name and its text; and lists that look like something else."""

from __future__ import annotations

import pytest

from shelfread.core.source import Source
from shelfread.document.file_kind import FileKind, classify, is_placeholder
from shelfread.document.read import read
from shelfread.taxonomy.load import load
from support.work import ends

LINKS = "".join(f"- [Tool {name}](https://{name}.example.net) - Sorts {name}.\n" for name in "abcdefg")
LIST = f"# Tools for shelves\n\n## Sorting\n\n{LINKS}"
PLEDGE = "# Contributor Covenant Code of Conduct\n\n## Our Pledge\n\nNo harassment.\n"
MIT = "Copyright (c) 2020 Jo\n\nPermission is hereby granted, free of charge, to any person\n"
RELEASES = "# Tools\n\n## 2021-03-04\n\n- [a](https://a.net) - Sorts a.\n\n## 2021-02-01\n\n- Add b.\n"
FILLED = "# Tools\n\n" + "".join(f"* [owner/{name}](@repository)\n" for name in "abcdef")
LOOP = "# Tools\n\n{% for tool in tools %}\n- [{{ tool.name }}]({{ tool.url }})\n{% endfor %}\n"


@pytest.mark.parametrize(
    ("path", "text", "kind"),
    [
        ("template.md", LIST, FileKind.TEMPLATE),
        ("docs/README.tmpl.md", LIST, FileKind.TEMPLATE),
        ("entry-template.md", "- [Name](url) - What it does.\n", FileKind.TEMPLATE),
        ("templates/tool.md", "## Name\n\n- [Name](url)\n", FileKind.TEMPLATE),
        ("{{cookiecutter.slug}}/notes.md", "# {{cookiecutter.name}}\n", FileKind.TEMPLATE),
        ("README.md", FILLED, FileKind.TEMPLATE),
        ("README.md", LOOP, FileKind.TEMPLATE),
        (".github/PULL_REQUEST_TEMPLATE.md", LIST, FileKind.PULL_REQUEST_TEMPLATE),
        (".github/PULL_REQUEST_TEMPLATE/new tool.md", LIST, FileKind.PULL_REQUEST_TEMPLATE),
        (".github/ISSUE_TEMPLATE/bug_report.md", "", FileKind.ISSUE_TEMPLATE),
        ("docs/issue_template.md", "", FileKind.ISSUE_TEMPLATE),
        ("LICENSE.md", MIT, FileKind.LICENCE),
        ("licence-cc-by.md", "", FileKind.LICENCE),
        ("legal.md", f"# Legal\n\n{MIT}", FileKind.LICENCE),
        ("CODE_OF_CONDUCT.de.md", "# Verhalten\n", FileKind.CODE_OF_CONDUCT),
        (".github/code-of-conduct.md", PLEDGE, FileKind.CODE_OF_CONDUCT),
        ("rules.md", PLEDGE, FileKind.CODE_OF_CONDUCT),
        ("CHANGELOG.md", LIST, FileKind.CHANGELOG),
        ("docs/release-notes.md", LIST, FileKind.CHANGELOG),
        ("news.md", RELEASES, FileKind.CHANGELOG),
        ("updates.md", "- 2021/3/4: Add a.\n- 2021/2/1: Add b.\n- 2020/1/1: Begin.\n", FileKind.CHANGELOG),
        ("history/2021-03-04_changes.md", LIST, FileKind.CHANGELOG),
        ("versions.md", f"All notable changes to this list.\n\n{RELEASES}", FileKind.CHANGELOG),
        ("CONTRIBUTING.md", LIST, FileKind.GUIDE),
        (".github/copilot-instructions.md", LIST, FileKind.GUIDE),
    ],
)  # fmt: skip
def test_files_beside_a_list(path: str, text: str, kind: FileKind) -> None:
    document = read(Source(text, path), load().vocabulary)
    assert (document.kind, document.entries) == (kind, ())


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("README.md", f"{LIST}- [Stache](https://stache.net) - Templates with {{{{names}}}}.\n"),
        ("list.md", f'{{% hint style="info" %}}\nNew\n{{% endhint %}}\n\n{LIST}'),
        ("list.md", f"{LIST}- [a]({{{{ site.baseurl }}}}/a) - Ours.\n"),
        ("list.md", f"{LIST}- [a](@jo) - A slip.\n"),
        ("list.md", f"{LIST}\n```jinja\n{LOOP}```\n"),
        ("templates.md", LIST),
        ("slides-template.md", LIST),
        ("topics/license.md", LIST),
        ("licenses.md", LIST),
        ("README.md", f"{LIST}\n## License\n\n{MIT}"),
        ("README.md", f"{LIST}\n## Code of Conduct\n\nNo harassment.\n"),
        ("README.md", f"# Tools\n\nAll notable changes to these are in [CHANGELOG](CHANGELOG.md).\n\n{RELEASES}"),
        ("history.md", f"# History of computing\n\n## 1945\n\n{LINKS}\n## 1951\n\n{LINKS}"),
        ("history.md", LIST),
        ("news.md", f"# News sites\n\n{LINKS}"),
        ("releases.md", f"# Papers\n\n## 1.1 Surveys\n\n{LINKS}\n## 1.2 Benchmarks of 2021\n\n{LINKS}"),
        ("papers.md", RELEASES),
        ("codes.md", f"# Codes of conduct against harassment\n\n{LINKS}"),
        (".github/README.md", LIST),
        ("CHANGELOG.md", f"<!-- shelfread-list -->\n{LIST}"),
    ],
)  # fmt: skip
def test_lists_stay_lists(path: str, text: str) -> None:
    document = read(Source(text, path), load().vocabulary)
    assert document.kind is FileKind.LIST and document.entries


def test_what_looks_like_an_entry_is_named_as_what_it_is() -> None:
    document = read(Source(LIST, "template.md"), load().vocabulary)
    assert {skipped.reason for skipped in document.non_entries} == {"part of a template"}


@pytest.mark.parametrize("part", ["0.-", "](${a", "](<%", "](@a", "{% for ", "```\n", "\n- *", "\n# 2020-1"])
def test_hostile_files_take_no_time(part: str) -> None:
    with ends():
        classify(Source(f"# A\n\n{part * 40_000}](@", "news.md"))
        classify(Source("", f"code_of_conduct{'_a' * 100}!.md"))


@pytest.mark.parametrize("url", ["@url", "{{ url }}", "https://a.net/${name}", "<url>", "https://a.net/%s/b"])
def test_placeholders(url: str) -> None:
    assert is_placeholder(url)


@pytest.mark.parametrize("url", ["url", "https://a.net/@jo", "https://a.net/%d0%b0", "a.md#b"])
def test_addresses_that_are_no_placeholders(url: str) -> None:
    assert not is_placeholder(url)
