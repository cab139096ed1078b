"""What the language server takes after a character is typed in a list, and how long requests wait meanwhile.

    .venv/bin/python benchmarks/keystrokes.py LIST.md

CPU seconds of the server: from the change to its findings; and from each request to its answer, while a character is typed
four times a second.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path += [str(Path(__file__).parents[1] / folder) for folder in ("linter", "tests")]

from support.language_client import LanguageClient

EDITS = 15
SMALL = "# A\n\n## B\n\n- [a]() - B.\n- [c](http://dx.doi.org/10.1145/3302424.3303953) - D.\n"
REQUESTS = ("hover", "definition", "completion", "formatting", "documentSymbol", "foldingRange")


def main() -> int:
    text = Path(sys.argv[1]).read_text("utf-8")
    row = next(index for index, line in enumerate(text.splitlines()) if index > 40 and line.startswith("- "))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        client = LanguageClient(folder)
        client.initialize()
        small = client.open(folder / "small" / "list.md", SMALL)
        large = client.open(folder / "large" / "list.md", text)
        client.published(small, 1)
        client.published(large, 1)
        print("findings after an edit: " + " ".join(f"{cost:.2f}" for cost in findings(client, large, row)))
        for method in REQUESTS:
            for uri in (small, large):
                costs = sorted(waits(client, large, row, method, uri))
                print(
                    f"{method:15} {'small' if uri == small else 'large'}"
                    f"  median {costs[len(costs) // 2]:.3f}  longest {costs[-1]:.3f}"
                )
        client.close()
    return 0


def findings(client: LanguageClient, uri: str, row: int) -> Iterator[float]:
    """Type, and yield what the server takes until it has published the findings."""
    for version in range(2, EDITS):
        before = processor_seconds(client)
        type_into(client, uri, version, row)
        client.published(uri, version)
        yield processor_seconds(client) - before


def waits(client: LanguageClient, uri: str, row: int, method: str, about: str) -> Iterator[float]:
    """Type, and yield what the server takes to answer a request at once and one a little later."""
    position = {"line": row + 20 if about == uri else 4, "character": 4}
    given: dict[str, Any] = {"textDocument": {"uri": about}}
    given |= (
        {"options": {"tabSize": 2, "insertSpaces": True}}
        if method == "formatting"
        else {"position": position}
    )
    first = client.diagnostics[uri]["version"] + 1
    for version in range(first, first + EDITS):
        type_into(client, uri, version, row)
        for _ in range(2):
            before = processor_seconds(client)
            client.answer(client.ask(f"textDocument/{method}", **given))
            yield processor_seconds(client) - before
            time.sleep(0.125)
    client.published(uri, first + EDITS - 1)


def type_into(client: LanguageClient, uri: str, version: int, row: int) -> None:
    here = {"line": row, "character": 3}
    client.change(uri, version, {"range": {"start": here, "end": here}, "text": "x"})


def processor_seconds(client: LanguageClient) -> float:
    """Return the time that all threads of the server have run."""
    total = 0
    for task in Path(f"/proc/{client.process.pid}/task").iterdir():
        try:
            total += int((task / "schedstat").read_text().split()[0])
        except OSError:  # the thread has ended
            continue
    return total / 1e9


if __name__ == "__main__":
    os.environ.pop("PYTHONPATH", None)
    raise SystemExit(main())
