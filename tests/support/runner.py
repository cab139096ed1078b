"""What GitHub's runner makes of a step's output, as its `ActionCommand.cs` reads a line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

NAMES = set(
    "error warning notice debug group endgroup echo add-mask add-matcher remove-matcher add-path set-env "
    "set-output save-state stop-commands".split()
)


class Command(NamedTuple):
    """A command with its properties and its message."""

    name: str
    properties: dict[str, str]
    message: str


def commands(output: str) -> Iterator[Command]:
    """All commands of an output; between stop-commands and its token there are none."""
    token = None
    for line in re.split(r"\r\n|\n|\r", output):
        one = _command(line, {token} if token else NAMES)
        if one is not None:
            token = one.message if one.name == "stop-commands" else None
            if one.name in NAMES:
                yield one


def _command(line: str, names: set[str]) -> Command | None:
    stripped = line.lstrip()
    if stripped.startswith("::") and (end := stripped.find("::", 2)) > 0:
        name, _, told = stripped[2:end].partition(" ")
        if name in names:
            pairs = (pair.partition("=") for pair in told.strip().split(",") if pair)
            properties = {key: _plain(value, "\r\n:,%") for key, _, value in pairs if value}
            return Command(name, properties, _plain(stripped[end + 2 :], "\r\n%"))
    found = re.search(r"##\[([^] ]*)[^]]*\](.*)", line)
    if found and found[1] in names:
        return Command(found[1], {}, found[2])
    return None


def _plain(text: str, characters: str) -> str:
    """The per cent sign last, as the runner does."""
    for character in characters:
        text = text.replace(f"%{ord(character):02X}", character)
    return text
