"""How the work of each command grows: pieces of 110 kinds, in turn or one kind after the other, repeated ever more often."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from fuzz import commands
from fuzz.faults import Fault
from fuzz.generators.repeated import Recipe, draw
from fuzz.material import Material
from fuzz.properties.steps import steeper
from fuzz.targets import check, diff, editor, export, fix, format

_LIST = b"# Shelf\n\n## Tools\n\n- [Tool](https://example.org/tool) - Sorts books.\n"


def generate(random: Random, material: Material) -> bytes:
    """Return a command and a recipe for its text."""
    return f"{random.choice([*COMMANDS])} {draw(random).written()}".encode()


def faults(data: bytes) -> Iterator[Fault]:
    """Count the work of a command for three lengths of a text."""
    name, _, recipe = data.decode("utf-8", "replace").partition(" ")
    made = Recipe.read(recipe)
    if name in COMMANDS and made is not None:
        yield from steeper(name, COMMANDS[name], made.text)


def _in_a_list(*words: str) -> Callable[[str], object]:
    def run(text: str) -> object:
        with commands.folder({"list.md": text.encode("utf-8", "replace")}):
            return commands.run(*words, "--isolated", "list.md")

    return run


def _import(text: str) -> object:
    words = ("import", "--isolated", "--into", "list.md", "--section", "Tools", "--diff", "-")
    with commands.folder({"list.md": _LIST}):
        return commands.run(*words, input=text.encode("utf-8", "replace"))


def _diff(text: str) -> object:
    half = text[: text.rfind("\n", 0, len(text) // 2) + 1]
    return diff.compare(half.encode("utf-8", "replace"), text.encode("utf-8", "replace"))


COMMANDS: dict[str, Callable[[str], object]] = {
    "check": check.grow,
    "fix": fix.grow,
    "format": format.grow,
    "export": export.grow,
    "page": _in_a_list("page"),
    "links": _in_a_list("links", "--offline"),
    "diff": _diff,
    "import": _import,
    "editor": editor.grow,
}
"""What is done with a text. A fix is made without being written, as for `--diff`."""
