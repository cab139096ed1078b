"""What is added stands where the other papers of the section have it, and as they write it."""

from __future__ import annotations

import pytest

from shelfread.core.source import Source
from shelfread.document.read import read
from shelfread.engine.lint import lint
from shelfread.fixes.rounds import fix_text
from shelfread.index.answers import Answers, Work
from shelfread.index.context import build_context
from shelfread.index.facts import facts
from shelfread.rulebook.metadata import bind, load_rules
from shelfread.taxonomy.load import load

CARDS = load_rules()
TITLE = "Sharing Pages of Attention between Models"
WORK = Work(
    "Crossref",
    TITLE,
    venue="SOSP",
    year=2023,
    doi="10.1145/3600006.3613165",
    code="https://github.com/x/pages",
)
KEYS = ("title:sharingpagesofattentionbetweenmodels", "arxiv:2401.00001")


def completed(text: str, rule: str) -> str:
    """The text with what the rule adds."""
    taxonomy = load()

    def diagnose(source: Source):  # type: ignore[no-untyped-def]
        document = read(source, taxonomy.vocabulary)
        answers = Answers(works=dict.fromkeys(KEYS, (WORK,)))
        context = build_context({"list.md": facts(document)}, taxonomy, answers=answers)
        return document.tree, lint(document, context, [bind(CARDS[rule])])

    result = fix_text(Source(text, "list.md"), diagnose, unsafe=True)
    assert not result.dropped
    return result.text


@pytest.mark.parametrize(
    ("line", "added", "other"),
    [
        (f"- {TITLE} [[Paper](u)]", f"- {TITLE} (SOSP 2023) [[Paper](u)]", "- {} (OSDI 2022) [[Paper](u)]"),
        (f"- {TITLE} [[Paper](u)]", f"- {TITLE}, SOSP'23. [[Paper](u)]", "- {}, OSDI'22. [[Paper](u)]"),
        (
            f"- **{TITLE}** [[Paper](u)]",
            f"- **{TITLE}** *SOSP 2023* [[Paper](u)]",
            "- **{}** *OSDI 2022* [[Paper](u)]",
        ),
        (f"- [{TITLE}](u)", f"- [{TITLE}](u) [SOSP'23]", "- [{}](u) [OSDI'22]"),
        (f"- [{TITLE}](u)", f"- [SOSP'23] [{TITLE}](u)", "- [OSDI'22] [{}](u)"),
        (f"- {TITLE} [[Paper](u)]", f"- {TITLE} [[Paper](u)]", "- {} [[OSDI 2022](u)]"),
    ],
    ids=("brackets", "comma", "emphasis", "behind-a-link", "in-front", "in-a-link"),
)
def test_a_venue(line: str, added: str, other: str) -> None:
    others = "".join(
        f"{other.format(f'Batching {number} Requests of Various Lengths')}\n" for number in (2, 30, 400)
    )
    url = "https://arxiv.org/abs/2401.00001"
    text = (
        (f"# Papers\n\n{line}\n{others}")
        .replace("(u)", f"({url})", 1)
        .replace("(u)", "(https://example.org/1.pdf)")
    )
    after = completed(text, "complete/venue")
    assert after.splitlines()[2] == added.replace("(u)", f"({url})")
    assert after.splitlines()[3:] == text.splitlines()[3:]


def test_no_fix_where_the_list_has_no_form() -> None:
    """Half of the others write the venue in front, half behind."""
    text = (
        f"# Papers\n\n- [{TITLE}](https://arxiv.org/abs/2401.00001)\n- [Batching Requests of Any Length](u) (OSDI 2022)\n"
        "- [NSDI'25] [Serving Models without Servers](u)\n"
    )
    assert completed(text, "complete/venue") == text


@pytest.mark.parametrize("gap", ["] [", "]\\[", " | ", " ", ", "])
def test_a_link_to_code(gap: str) -> None:
    left, right = ("[", "]") if "]" in gap else ("", "")
    row = "- {} " + left + "[Paper]({})" + "{}" + right + "\n"
    others = "".join(
        row.format(
            f"Batching {number} Requests of Various Lengths",
            "https://example.org/1.pdf",
            f"{gap}[code](https://github.com/x/{number})",
        )
        for number in (2, 30)
    )
    text = f"# Papers\n\n{row.format(TITLE, 'https://arxiv.org/abs/2401.00001', '')}{others}"
    after = completed(text, "complete/code")
    assert (
        after
        == f"# Papers\n\n{row.format(TITLE, 'https://arxiv.org/abs/2401.00001', f'{gap}[code](https://github.com/x/pages)')}{others}"
    )
