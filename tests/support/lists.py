"""Entries of papers and of classic lists for tests of checks."""

from __future__ import annotations

from support.project import Found, run

TITLE = "Scheduling the Jobs of Many Tenants on Few Machines"
ARXIV = "https://arxiv.org/abs/2001.00001"
USENIX = "https://www.usenix.org/conference/osdi20/presentation/doe"


def paper(cited: str, url: str = ARXIV, title: str = TITLE) -> str:
    return f"- {title} ({cited}) [[Paper]({url})]\n"


def linked_paper(url: str) -> str:
    return f"- A Study of Jobs in Clusters [[Paper]]({url})\n"


def cited_papers(*venues: str) -> str:
    return "".join(
        f"- Study {number} of Jobs in Clusters [[{venue}]](https://example.org/{number})\n"
        for number, venue in enumerate(venues)
    )


def credited_papers(people: str, count: int = 1) -> str:
    return "".join(
        f"- **Study {number} of Jobs**. *{people}*. [[Paper](https://example.org/{number})]\n"
        for number in range(count)
    )


def texts(found: list[Found]) -> list[str]:
    return [diagnostic.text for diagnostic in found]


LINE = "- [{0}](https://example.org/{0}) - {1}\n"
WORDS = "Measures Traces Scans Captures Searches Relays Asks Sends Serves Counts Draws Mirrors".split()
TEN = "".join(LINE.format(word.lower() + "r", f"{word} packets.") for word in WORDS)


def checked_texts(check: object, text: str, **options: object) -> list[str]:
    return [one.text for one in run(check, text, **options)]  # type: ignore[arg-type]
