"""Output that people and runners read: no control characters, no commands that a list wrote."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fuzz.faults import Fault
from support.workflow import commands

_CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_COLOUR = re.compile("\x1b\\[[0-9;]*m")
_TOKEN = re.compile("[0-9a-f]{32}")
_OURS = {"error", "warning", "notice", "group", "endgroup"}


def fit_to_print(name: str, text: str, colours: bool = False) -> Iterator[Fault]:
    """Yield a fault for a character that controls a terminal or reorders what it shows."""
    if found := _CONTROL.search(_COLOUR.sub("", text) if colours else text):
        near = text[max(0, found.start() - 40) : found.end() + 40]
        yield Fault(f"{name}: prints a control character", repr(near))


def forged_commands(name: str, *outputs: str, patch: bool = False) -> Iterator[Fault]:
    """Yield a fault for a command to GitHub's runner that is not one of ours.

    A patch is printed as it is, between stop-commands and its token.
    """
    for output in outputs:
        for command in commands(output):
            if patch and command.name == "stop-commands" and _TOKEN.fullmatch(command.message):
                continue
            titled = command.properties.get("title", "").startswith("shelfread: ")
            if command.name not in _OURS or not (titled or command.name.endswith("group")):
                yield Fault(f"{name}: a forged command", repr(command)[:300])
            if command.name.endswith("group") and command.message not in ("Annotations", ""):
                yield Fault(f"{name}: a forged group", repr(command)[:300])
