"""All patterns of the package, and texts that pump each of their repeats: benchmarks/patterns.py tries them.

For each repeat there are texts of what leads to it, of what it repeats many times, and of what then does not match.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import sys
from collections.abc import Callable, Collection, Iterator
from functools import cache
from itertools import product
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from support.paths import PACKAGE

parser: Any = importlib.import_module("re._parser" if sys.version_info >= (3, 11) else "sre_parse")

_MANY = 6
"""Repeats that end sooner are not pumped."""
_OFTEN = 4
"""So often repeated, a part that can match a text in two ways takes too long."""
_CHARACTERS = "aZ0 \n-_.,:;()[]{}<>|/\\*`'\"!?#&="
_ENDS = ("", "\0", "\n\0", ")\0")
_WHOLE = {"match", "fullmatch", "prefixmatch"}


class Place(NamedTuple):
    """A pattern, where it stands, and what the package does with it."""

    module: str
    name: str
    pattern: re.Pattern[str]
    method: str


@cache
def made_patterns() -> dict[tuple[Path, int], dict[tuple[str, int], None]]:
    """Import all modules anew and return the patterns that they make, each with its flags, by file and line."""
    made: dict[tuple[Path, int], dict[tuple[str, int], None]] = {}

    def noted(make: Callable[..., Any]) -> Callable[..., Any]:
        def note(pattern: Any, flags: int = 0) -> Any:
            frame: FrameType | None = sys._getframe(1)
            assert frame is not None
            if isinstance(pattern, str):
                place = Path(frame.f_code.co_filename), frame.f_lineno
                made.setdefault(place, {})[pattern, int(flags)] = None
            return make(pattern, flags)

        return note

    kept = {name: sys.modules.pop(name) for name in [*sys.modules] if name.partition(".")[0] == "shelfread"}
    shelfread: Any = importlib.import_module("shelfread")
    patterns: Any = importlib.import_module("shelfread.core.patterns")
    before = re.compile
    patterns.lazy, re.compile = noted(patterns.lazy), noted(re.compile)  # type: ignore[assignment]
    try:
        for module in pkgutil.walk_packages(shelfread.__path__, "shelfread."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)
    finally:
        re.compile = before
        for name in [*sys.modules]:
            if name.partition(".")[0] == "shelfread":
                del sys.modules[name]
        sys.modules.update(kept)
    return {place: made[place] for place in sorted(made) if place[0].is_relative_to(PACKAGE)}


def collect(only: Collection[str] = ()) -> Iterator[Place]:
    """Yield the patterns of all modules, or only those that are named, as in `read.py _LABELS`."""
    used = _uses(PACKAGE, only)
    files = {each.partition(" ")[0] for each in only}
    for (path, line), found in made_patterns().items():
        if only and path.name not in files:
            continue
        module_name = path.relative_to(PACKAGE).as_posix()
        name = _name_at(path, line)
        if only and f"{path.name} {name}" not in only:
            continue
        methods = used.get((module_name if name.startswith("_") else "", name), {"search"})
        method = "match" if methods <= _WHOLE else "search"
        if methods == {"fullmatch"}:
            method = "fullmatch"
        for pattern, flags in found:
            yield Place(module_name, name, re.compile(pattern, flags), method)


def attacks(pattern: re.Pattern[str]) -> Iterator[Callable[[int], str]]:
    """Yield ways to make a text of a length for a pattern."""
    tree = parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
    seen = set()
    for before, pump in _repeats(tree, ""):
        for lead, end in product({"", before}, _ENDS):
            if (lead, pump, end) not in seen:
                seen.add((lead, pump, end))
                yield lambda n, lead=lead, pump=pump, end=end: lead + pump * (n // len(pump)) + end
        if before:
            for again in (before, before + pump):
                if ("", again, "") not in seen:
                    seen.add(("", again, ""))
                    yield lambda n, again=again: again * (n // len(again))


def is_ambiguous(pattern: str, flags: int = 0) -> bool:
    """Return whether a pattern repeats a part in which two repeats in a row share characters: its time may be exponential."""
    return _holds_ambiguous(parser.parse(pattern, flags & ~re.DEBUG))


def _holds_ambiguous(tree: Any) -> bool:
    for op, value in tree:
        name = str(op)
        if "REPEAT" in name and int(value[1]) >= _OFTEN and _share_characters(value[2]):
            return True
        bodies = [value[2]] if "REPEAT" in name else _parts(name, value)
        if any(map(_holds_ambiguous, bodies)):
            return True
    return False


def _share_characters(body: Any) -> bool:
    """Return whether what one long repeat of a part can match, the next one and all between them can match, too."""
    shared: frozenset[str] = frozenset()  # what the repeats so far could go on with
    for op, value in _flat(body):
        name = str(op)
        found = _characters([(op, value)])
        if "REPEAT" in name and int(value[1]) > _MANY:
            if shared & found:
                return True
            shared = found if int(value[0]) else shared | found
        elif name not in ("AT", "ASSERT", "ASSERT_NOT") and not ("REPEAT" in name and int(value[0]) == 0):
            shared &= found
    return False


def _flat(tree: Any) -> Iterator[Any]:
    for op, value in tree:
        if str(op) == "SUBPATTERN":
            yield from _flat(value[3])
        else:
            yield op, value


def _characters(tree: Any) -> frozenset[str]:
    found = set[str]()
    for op, value in tree:
        name = str(op)
        if name == "LITERAL":
            found.add(chr(value))
        elif name == "NOT_LITERAL":
            found |= {character for character in _CHARACTERS if ord(character) != value}
        elif name == "ANY":
            found |= {*_CHARACTERS} - {"\n"}
        elif name == "IN":
            found |= {character for character in _CHARACTERS if _is_in(character, value)}
        else:
            bodies = [value[2]] if "REPEAT" in name else _parts(name, value)
            found = found.union(*map(_characters, bodies))
    return frozenset(found)


def _repeats(tree: Any, before: str) -> Iterator[tuple[str, str]]:
    """Yield what leads to each repeat, and what it repeats."""
    lead = before
    for op, value in tree:
        name = str(op)
        if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            low, high, body = value
            if int(high) >= _MANY:
                for pump in _samples(body, many=True):
                    if pump:
                        yield lead, pump
            yield from _repeats(body, lead)
            lead += (_sample(body) or "") * max(int(low), 1 if name == "X" else int(low))
            continue
        for part in _parts(name, value):
            yield from _repeats(part, lead)
        lead += _sample([(op, value)])


def _parts(name: str, value: Any) -> list[Any]:
    if name == "SUBPATTERN":
        return [value[3]]
    if name == "ATOMIC_GROUP":
        return [value]
    if name == "BRANCH":
        return list(value[1])
    if name in ("ASSERT", "ASSERT_NOT"):
        return [value[1]]
    if name == "GROUPREF_EXISTS":
        return [part for part in value[1:] if part is not None]
    return []


def _sample(tree: Any) -> str:
    return next(iter(_samples(tree, many=False)), "")


def _samples(tree: Any, *, many: bool) -> Iterator[str]:
    """Yield texts that match; with `many`, one for each kind of character and each branch."""
    choices: list[list[str]] = []
    for op, value in tree:
        name = str(op)
        found: list[str] = []
        if name == "LITERAL":
            found = [chr(value)]
        elif name == "NOT_LITERAL":
            found = [character for character in _CHARACTERS if ord(character) != value]
        elif name == "ANY":
            found = [character for character in _CHARACTERS if character != "\n"]
        elif name == "IN":
            found = [character for character in _CHARACTERS if _is_in(character, value)]
            found = found or [chr(int(item[1])) for item in value if str(item[0]) == "LITERAL"][:3]
            found = found or [chr(int(item[1][0])) for item in value if str(item[0]) == "RANGE"][:3]
        elif name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            low, high, body = value
            times = max(int(low), min(1, int(high)) if many else 0)
            found = [text * times for text in _samples(body, many=many)] if times else [""]
            if many and int(low) == 0:
                found.append("")
        elif name == "BRANCH":
            found = [text for part in value[1] for text in _samples(part, many=many)]
        elif _parts(name, value) and name not in ("ASSERT", "ASSERT_NOT"):
            found = list(_samples(_parts(name, value)[0], many=many))
        else:
            found = [""]
        found = list(dict.fromkeys(found)) or [""]
        choices.append(found if many else found[:1])
    if not many:
        yield "".join(choice[0] for choice in choices)
        return
    longest = max((len(choice) for choice in choices), default=0)
    yield from dict.fromkeys(
        "".join(choice[at % len(choice)] for choice in choices) for at in range(min(longest, 40))
    )


def _is_in(character: str, value: Any) -> bool:
    written = []
    for op, item in value:
        name = str(op)
        if name == "NEGATE":
            continue
        if name == "LITERAL":
            written.append(ord(character) == item)
        elif name == "RANGE":
            written.append(item[0] <= ord(character) <= item[1])
        elif name == "CATEGORY":
            kind = str(item).rpartition("_")[2]
            tested = {"SPACE": str.isspace, "DIGIT": str.isdigit, "WORD": lambda c: c.isalnum() or c == "_"}[
                kind
            ]
            written.append(tested(character) != ("NOT" in str(item)))
    return any(written) != (str(value[0][0]) == "NEGATE")


@cache
def _names(path: Path) -> list[tuple[int, int, str]]:
    """Return the lines of the assignments and functions of a module, and their names."""
    nodes = [*ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    return [
        *(
            (node.lineno, node.end_lineno or node.lineno, node.targets[0].id)
            for node in nodes
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and not node.col_offset
        ),
        *(
            (node.lineno, node.end_lineno or node.lineno, node.name)
            for node in nodes
            if isinstance(node, ast.FunctionDef)
        ),
    ]


def _name_at(path: Path, line: int) -> str:
    return next((name for first, last, name in _names(path) if first <= line <= last), "")


def _uses(package: Path, only: Collection[str]) -> dict[tuple[str, str], set[str]]:
    """Return which methods are called on each name, by file and for all files ("") together.

    What is passed on may be searched. A name that begins with `_` is used in its own file only.
    """
    used: dict[tuple[str, str], set[str]] = {}
    files = {each.partition(" ")[0] for each in only}
    public = [name for each in only if not (name := each.partition(" ")[2]).startswith("_")]
    for path in package.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if only and path.name not in files and not any(name in text for name in public):
            continue
        tree = ast.parse(text)
        called = set()
        file = path.relative_to(package).as_posix()
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                called.add(id(node.value))  # a node comes before those in it
                for where in (file, ""):
                    used.setdefault((where, node.value.id), set()).add(node.attr)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in called:
                for where in (file, ""):
                    used.setdefault((where, node.id), set()).add("search")
    return used
