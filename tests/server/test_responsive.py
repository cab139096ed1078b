"""No request waits for the analysis of a long list: what the server computes meanwhile is counted, not the seconds.

The processor time that the server takes between a request and its answer is what the client would wait for on a
machine that has nothing else to do. 20 MB of text are refused as soon as they are there.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.language_client import LanguageClient

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the time of a process is read from /proc"),
]

SMALL = "# A\n\n## B\n\n- [a]() - B.\n- [c](http://dx.doi.org/10.1145/3302424.3303953) - D.\n"
MOST = 0.2
"""Seconds that a request may wait."""


def big_list(size: int) -> str:
    """Return a list of about so many characters."""
    entry = "- [Tool {0}](https://example.org/tools/{0}) - Sorts books of kind {0} by colour, *size* and `name`.\n"
    parts, length = ["# Awesome Shelves\n"], 0
    for number in range(size):
        parts.append(f"\n## Section {number}\n\n" if number % 20 == 0 else "")
        parts.append(entry.format(number))
        length += len(parts[-1]) + len(parts[-2])
        if length > size:
            break
    return "".join(parts)


def processor_seconds(client: LanguageClient) -> float:
    """Return the time that all threads of the server have run."""
    total = 0
    for task in Path(f"/proc/{client.process.pid}/task").iterdir():
        try:
            total += int((task / "schedstat").read_text().split()[0])
        except OSError:  # the thread has ended
            continue
    return total / 1e9


def waits(client: LanguageClient, uri: str, done: Any) -> Iterator[tuple[str, float]]:
    """Ask about a small document until something is done; yield what each request had to wait for."""
    here = {"start": {"line": 4, "character": 3}, "end": {"line": 4, "character": 3}}
    requests: list[tuple[str, dict[str, Any]]] = [
        ("textDocument/codeAction", {"range": here, "context": {"diagnostics": []}}),
        ("textDocument/formatting", {"options": {"tabSize": 2, "insertSpaces": True}}),
        ("shelfread/unknown", {}),
    ]
    while not done():
        for method, params in requests:
            before = processor_seconds(client)
            client.answer(client.ask(method, textDocument={"uri": uri}, **params))
            yield method, processor_seconds(client) - before


@pytest.fixture
def small(client: LanguageClient) -> str:
    """A small document in a project of its own, that is analysed."""
    client.initialize()
    uri = client.open(client.folder / "small" / "list.md", SMALL)
    client.published(uri, 1)
    list(waits(client, uri, iter([False, True]).__next__))  # what is loaded when it is first needed
    return uri


def test_no_request_waits_for_a_long_list(client: LanguageClient, small: str) -> None:
    text = big_list(400_000)
    uri = client.open(client.folder / "big" / "list.md", text)
    found = list(waits(client, small, lambda: uri in client.diagnostics))
    assert len(found) > 6
    assert max(seconds for _, seconds in found) < MOST, found
    for version in range(2, 12):
        here = {"line": 10, "character": 4}
        client.change(uri, version, {"range": {"start": here, "end": here}, "text": "x"})
    found = list(waits(client, small, lambda: client.diagnostics[uri].get("version") == 11))
    assert max(seconds for _, seconds in found) < MOST, found


def test_no_request_waits_for_20_megabytes(client: LanguageClient, small: str) -> None:
    uri = client.open(client.folder / "huge" / "list.md", "- [a](https://a.example) - B.\n" * 700_000)
    found = list(waits(client, small, lambda: uri in client.diagnostics))
    assert [each["message"] for each in client.published(uri)] == [
        "larger than 16 MiB: split the list or exclude the file"
    ]
    here = {"line": 10, "character": 4}
    client.change(uri, 2, {"range": {"start": here, "end": here}, "text": "x"})
    found += waits(client, small, lambda: client.diagnostics[uri].get("version") == 2)
    assert max(seconds for _, seconds in found[1:]) < MOST, (
        found
    )  # the first waits until the text was received
    client.change(uri, 3, {"text": SMALL})
    assert len(client.published(uri, 3)) == 2


def test_a_newer_text_ends_the_analysis_of_an_older_one(client: LanguageClient) -> None:
    client.initialize()
    text = big_list(400_000)
    uri = client.open(client.folder / "list.md", text)
    client.published(uri, 1)
    before = processor_seconds(client)
    # With another definition all of it is read again.
    client.change(uri, 2, {"text": f"{text}\n[a]: https://a.example\n"})
    client.published(uri, 2)
    once = processor_seconds(client) - before
    before = processor_seconds(client)
    for version in range(3, 9):
        client.change(uri, version, {"text": f"{text}\n[a{version}]: https://a.example\n"})
        client.pause(0.35)  # longer than the server waits, and shorter than an analysis
    client.published(uri, 8)
    assert processor_seconds(client) - before < 6 * once
    published = [
        m["params"]["version"] for m in client.messages if m["method"] == "textDocument/publishDiagnostics"
    ]
    assert len(published) < 8
