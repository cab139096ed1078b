"""Take out each pattern and each threshold in turn: ablation.py CORPUS MODULE... prints whose lists change.

CORPUS has a folder for each list, named OWNER__NAME. MODULE is a package or a module below shelfread: `checks`, `index.order`.
Of each list, the smallest first, one run notes which patterns match, which of their alternatives decide where, and how
comparisons with numbers fall. Then each part that did something is taken out: a pattern never matches, an alternative is
missing, a comparison always falls in the other way. A list changes if its entries, findings, fixes or formatted text do.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import functools
import io
import json
import os
import re
import shutil
import signal
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

CHECK = ("check", "--no-cache", "--preset", "core,papers,awesome,strict", "--output-format", "json")
COMMANDS = {
    "entries": ("export",),
    "findings": CHECK,
    "fixes": ("fix", "--no-cache", "--diff", "--unsafe-fixes", "--show-info"),
    "format": ("format", "--diff", "--entry-style", "bracket-links"),
}
DEADLINE = 20
"""Seconds after which a list counts as changed: without a part its reading may not end."""
FIELDS = ("title", "name", "description", "venue", "year", "authors")
METHODS = {"match", "search", "fullmatch", "sub", "subn", "split", "findall", "finditer"}


class Part(NamedTuple):
    """What can be taken out: `place` is `checks.link.slips:27.8`, `kind` pattern, alternative, True or False."""

    place: str
    kind: str
    text: str


class Observer:
    """Notes which parts do something, and leaves out one of them."""

    def __init__(self) -> None:
        self.active: set[Part] = set()
        self.removed: Part | None = None
        self.patterns: list[ObservedPattern] = []

    def pattern(self, place: str, compiled: re.Pattern[Any]) -> ObservedPattern:
        self.patterns.append(ObservedPattern(self, place, compiled))
        return self.patterns[-1]

    def compare(self, place: str, text: str, value: object) -> object:
        if self.removed is not None:
            return self.removed.kind == "True" if self.removed.place == place else value
        self.active.add(Part(place, str(not value), text))
        return value


class ObservedPattern:
    def __init__(self, observer: Observer, place: str, compiled: re.Pattern[Any]) -> None:
        self.observer, self.place, self.compiled = observer, place, compiled

    @functools.cached_property
    def variants(self) -> dict[Part, re.Pattern[Any]]:
        """The pattern without one of its parts; first without itself."""
        source = self.compiled.pattern
        never = re.compile(b"(?!)" if isinstance(source, bytes) else "(?!)")
        variants = {Part(self.place, "pattern", str(source)): never}
        for text, without in _without_alternatives(source) if isinstance(source, str) else ():
            try:
                variant = re.compile(without, self.compiled.flags & ~re.UNICODE)
            except re.error:  # a group that is referred to, or a look-behind
                continue
            if variant.groups == self.compiled.groups:
                variants[Part(self.place, "alternative", text)] = variant
        return variants

    def __getattr__(self, name: str) -> Any:
        return functools.partial(self._call, name) if name in METHODS else getattr(self.compiled, name)

    def _call(self, name: str, *args: Any, **named: Any) -> Any:
        observer = self.observer
        if observer.removed is not None:
            return getattr(self.variants.get(observer.removed, self.compiled), name)(*args, **named)
        unknown = [part for part in self.variants if part not in observer.active]
        searched = args[1:2] if name.startswith("sub") else args
        if unknown and (spans := _spans(self.compiled, name, searched)):
            observer.active.update(
                part for part in unknown if _spans(self.variants[part], name, searched) != spans
            )
        return getattr(self.compiled, name)(*args, **named)


def _spans(pattern: re.Pattern[Any], name: str, searched: Sequence[Any]) -> list[tuple[int, int]]:
    if name in ("match", "search", "fullmatch"):
        match = getattr(pattern, name)(*searched)
        return [match.span()] if match else []
    return [match.span() for match in pattern.finditer(*searched)]


def _without_alternatives(pattern: str) -> Iterator[tuple[str, str]]:
    """Yield each alternative, and the pattern without it."""
    groups = [[0]]  # where the alternatives of each open group begin
    tokens = r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\((?:\?(?:P<\w+>|[a-z]*:|[=!]|<[=!]))?|[|)]|\Z"
    for token in re.finditer(tokens, pattern, re.DOTALL):
        if token[0].startswith("("):
            groups.append([token.end()])
        elif token[0] == "|":
            groups[-1].append(token.end())
        elif token[0] in (")", "") and groups:
            starts = groups.pop()
            ends = [*(start - 1 for start in starts[1:]), token.start()]
            for start, end in zip(starts, ends, strict=True) if len(starts) > 1 else ():
                first, last = (start, end + 1) if start == starts[0] else (start - 1, end)
                yield pattern[start:end], pattern[:first] + pattern[last:]


class Instrument(ast.NodeTransformer):
    """Puts a call of the observer around the patterns and comparisons of a module."""

    def __init__(self, module: str) -> None:
        self.module = module

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        return self._observed("pattern", node) if ast.unparse(node.func) in ("lazy", "re.compile") else node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        is_order = all(isinstance(operator, ast.Lt | ast.LtE | ast.Gt | ast.GtE) for operator in node.ops)
        if not any(_is_number(operand, is_order) for operand in (node.left, *node.comparators)):
            return node
        return self._observed("compare", node, ast.Constant(ast.unparse(node)))

    def _observed(self, method: str, node: ast.expr, *more: ast.expr) -> ast.Call:
        place = ast.Constant(f"{self.module}:{node.lineno}.{node.col_offset}")
        function = ast.Attribute(ast.Name("_observer", ast.Load()), method, ast.Load())
        return ast.copy_location(ast.Call(function, [place, *more, node], []), node)


def _is_number(operand: ast.expr, is_order: bool) -> bool:
    """Return whether an operand is a threshold: a number, but for 0 and 1, or in comparisons of order the name of one."""
    if isinstance(operand, ast.Constant):
        return isinstance(operand.value, int | float) and operand.value not in (0, 1)
    return is_order and ast.unparse(operand).rsplit(".", 1)[-1].isupper()


def observe(modules: Sequence[str], observer: Observer) -> None:
    """Have these modules, and those below them, loaded with an observer."""
    names = tuple(f"shelfread.{module}." for module in modules)
    load = SourceFileLoader.get_code

    def get_code(loader: SourceFileLoader, name: str) -> CodeType | None:
        if not f"{name}.".startswith(names):
            return load(loader, name)
        tree = Instrument(name.removeprefix("shelfread.")).visit(ast.parse(loader.get_data(loader.path)))
        return compile(ast.fix_missing_locations(tree), loader.path, "exec")

    setattr(builtins, "_observer", observer)  # noqa: B010  # the type of the module has no such name
    setattr(SourceFileLoader, "get_code", get_code)  # noqa: B010


def _run(words: Sequence[str]) -> str:
    """Return what a command prints about the list in the working directory."""
    from shelfread.cli import group

    for module in [module for name, module in sys.modules.items() if name.startswith("shelfread.")]:
        for function in vars(module).values():
            if isinstance(function, functools._lru_cache_wrapper):
                function.cache_clear()
    printed = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with redirect_stdout(printed), redirect_stderr(io.StringIO()), suppress(SystemExit):
        group.main([*words, "--isolated", "."], prog_name="shelfread", standalone_mode=False)
    return printed.buffer.getvalue().decode()


class Effect:
    """In how many lists of each owner a part did something, and changed something when it was gone."""

    def __init__(self) -> None:
        self.active, self.changed, self.first = Counter[str](), Counter[str](), Counter[str]()
        self.tried = self.gold = 0

    def counts(self) -> tuple[int, ...]:
        changed, active = self.changed, self.active
        return len(changed), changed.total(), self.tried, len(active), active.total(), self.gold


def main() -> None:
    options = _options()
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    observer, effects = Observer(), defaultdict[Part, Effect](Effect)
    observe(options.modules, observer)
    for folder in sorted(options.corpus.iterdir(), key=_size):
        gold = options.gold / f"{folder.name}.json"
        right = json.loads(gold.read_text(encoding="utf-8"))["entries"] if gold.is_file() else []
        owners = options.owners if _size(folder) <= options.largest else 0
        with tempfile.TemporaryDirectory() as scratch:
            shutil.copytree(folder, scratch, dirs_exist_ok=True)
            os.chdir(scratch)
            _measure(observer, effects, folder.name.split("__")[0], right, owners)
            os.chdir("/")
        print(folder.name, file=sys.stderr)
    for pattern in observer.patterns:
        for part in pattern.variants:
            effects[part]  # those that never did anything, too
    print(
        "of owners and lists that changed, lists tried, owners and lists with it, gold, part, what changed first"
    )
    for part, effect in sorted(effects.items(), key=lambda item: (*item[1].counts(), *item[0])):
        print(*(f"{count:4}" for count in effect.counts()), *part, dict(effect.first))


def _options() -> argparse.Namespace:
    def path(text: str) -> Path:
        return Path(text).resolve()

    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("corpus", type=path)
    parser.add_argument("modules", nargs="+", metavar="module")
    parser.add_argument(
        "--gold", type=path, default=Path("/"), help="a folder with LIST.json: lists read by hand"
    )
    parser.add_argument(
        "--owners", type=int, default=2, help="a part that changes lists of so many is needed"
    )
    parser.add_argument(
        "--largest", type=int, default=40_000, help="bytes; in larger lists parts are only counted"
    )
    return parser.parse_args()


def _size(folder: Path) -> int:
    return sum(
        file.stat().st_size for file in folder.rglob("*") if file.suffix in (".md", ".markdown", ".txt")
    )


def _measure(
    observer: Observer, effects: dict[Part, Effect], owner: str, right: Sequence[dict[str, Any]], owners: int
) -> None:
    """Add what each part does in one list."""
    observer.active.clear()
    before = {name: _run(words) for name, words in COMMANDS.items()}
    for part in sorted(observer.active):
        effect = effects[part]
        effect.active[owner] += 1
        if len(effect.changed) >= owners:
            continue
        effect.tried += 1
        observer.removed, changed, after = part, "", ""
        signal.alarm(DEADLINE)
        try:
            for name, words in COMMANDS.items():
                if (after := _run(words)) != before[name]:
                    changed = name
                    break
        except (Exception, KeyboardInterrupt) as error:
            changed = type(error).__name__
        signal.alarm(0)
        if changed == "entries":
            effect.gold += _count_right(after, right) - _count_right(before[changed], right)
        if changed:
            effect.first[changed] += 1
            effect.changed[owner] += 1
    observer.removed = None


def _count_right(exported: str, right: Sequence[dict[str, Any]]) -> int:
    """Return how many fields are as a person read them."""
    read = {entry["line"]: entry for entry in json.loads(exported)}
    return sum(
        read.get(entry["line"], {}).get(field) == entry.get(field) for entry in right for field in FIELDS
    )


if __name__ == "__main__":
    main()
