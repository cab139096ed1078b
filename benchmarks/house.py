"""How much there is to read: lines, patterns, names that come twice, imports and circles, of one checkout or of two.

    python3 benchmarks/house.py [CHECKOUT] [--base OTHER] [--lists N]

CHECKOUT is this one unless it is named. With --base, the figures of another checkout stand beside those of this one.
`--lists` says how many of the longest files and functions and of the repeated names are printed.
"""

from __future__ import annotations

import argparse
import ast
import functools
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

# Names that say how something came and not what it is.
_VAGUE = ("found", "each", "asked", "told")
_COMPILE = {"compile", "lazy"}
_MATCH = {"escape", "findall", "finditer", "fullmatch", "match", "search", "split", "sub", "subn"}


class Module(NamedTuple):
    name: str  # dotted, as it is imported
    path: Path
    nodes: tuple[ast.AST, ...]
    lines: int


House = tuple[Module, ...]


def main() -> None:
    options = _options()
    house = (*_modules(options.checkout),)
    base = (*_modules(options.base),) if options.base else ()
    _print_figures(_figures(house), _figures(base) if base else {})
    _print_packages(house, base)
    _print_names("module names", _repeated(_module_names(house)), options.lists)
    _print_names("class names", _repeated(_class_names(house)), options.lists)
    _print_lines("longest files", ((module.lines, module.name) for module in house), options.lists)
    _print_lines("longest functions", _functions(house), options.lists)
    print("\nimports between packages")
    for package, others in sorted(_package_imports(house).items()):
        print(f"  {package:12} {' '.join(f'{other}:{count}' for other, count in sorted(others.items()))}")
    print("\ncircles between modules (imports inside of functions count)")
    for circle in _circles(house):
        print(f"  {' '.join(sorted(circle))}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("checkout", nargs="?", type=Path, default=Path(__file__).resolve().parents[1])
    parser.add_argument("--base", type=Path)
    parser.add_argument("--lists", type=int, default=12)
    return parser.parse_args()


def _modules(checkout: Path) -> Iterator[Module]:
    root = checkout / "linter"
    if not root.is_dir():
        sys.exit(f"{checkout} has no folder linter")
    for path in sorted(root.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        parts = path.relative_to(root).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        yield Module(name, path, (*ast.walk(ast.parse(text)),), text.count("\n"))


def _figures(house: House) -> dict[str, int]:
    """Return each figure by what it counts."""
    patterns = Counter(kind for module in house for kind in _pattern_calls(module))
    names = Counter(name for module in house for name in _names(module))
    figures = {
        "lines": sum(module.lines for module in house),
        "files": len(house),
        "functions": sum(1 for _ in _functions(house)),
        "classes": sum(len(places) for places in _class_names(house).values()),
        "packages": len({_package(module.name) for module in house}),
        "folders": len({module.path.parent for module in house}),
        "compiled patterns": patterns["compile"],
        "other calls of re": patterns["match"],
        "module names that come twice": len(_repeated(_module_names(house))),
        "class names that come twice": len(_repeated(_class_names(house))),
        "imports between packages": sum(sum(others.values()) for others in _package_imports(house).values()),
        "modules in circles": sum(len(circle) for circle in _circles(house)),
    }
    return figures | {f"uses of `{name}`": names[name] for name in _VAGUE}


def _pattern_calls(module: Module) -> Iterator[str]:
    for node in module.nodes:
        if isinstance(node, ast.Call):
            match node.func:
                case ast.Attribute(value=ast.Name(id="re" | "re2"), attr=name):
                    if name in _COMPILE | _MATCH:
                        yield "compile" if name in _COMPILE else "match"
                case ast.Name(id="lazy"):
                    yield "compile"


def _names(module: Module) -> Iterator[str]:
    """Yield each variable, parameter and function where it is written."""
    for node in module.nodes:
        match node:
            case ast.Name(id=name) | ast.arg(arg=name) | ast.FunctionDef(name=name):
                yield name


def _functions(house: House) -> Iterator[tuple[int, str]]:
    """Yield the lines and the name of each function and method."""
    for module in house:
        for node in module.nodes:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield (node.end_lineno or node.lineno) - node.lineno + 1, f"{module.name}.{node.name}"


def _module_names(house: House) -> dict[str, list[str]]:
    places: dict[str, list[str]] = defaultdict(list)
    for module in house:
        if not module.path.name.startswith("__"):
            places[module.path.stem].append(module.name)
    return places


def _class_names(house: House) -> dict[str, list[str]]:
    places: dict[str, list[str]] = defaultdict(list)
    for module in house:
        for node in module.nodes:
            if isinstance(node, ast.ClassDef):
                places[node.name].append(module.name)
    return places


def _repeated(places: dict[str, list[str]]) -> dict[str, list[str]]:
    return {name: modules for name, modules in places.items() if len(modules) > 1}


def _package(module: str) -> str:
    """Return the package directly below the root: `checks` of shelfread.checks.link.redirects."""
    return module.split(".")[1] if "." in module else module


@functools.cache
def _imports(house: House) -> dict[str, set[str]]:
    """Return the modules of the house that each of them imports."""
    names = {module.name for module in house}
    imports: dict[str, set[str]] = {}
    for module in house:
        wanted = set()
        for node in module.nodes:
            if isinstance(node, ast.Import):
                wanted |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                # `from package import name` imports the module package.name, or a name out of the package.
                below = {f"{node.module}.{alias.name}" for alias in node.names}
                wanted |= (below & names) or {node.module}
        imports[module.name] = (wanted & names) - {module.name}
    return imports


def _package_imports(house: House) -> dict[str, Counter[str]]:
    """Return how many modules of another package the modules of each package import."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for module, others in _imports(house).items():
        counts[_package(module)].update(
            _package(other) for other in others if _package(other) != _package(module)
        )
    return counts


@functools.cache
def _circles(house: House) -> list[set[str]]:
    """Return the groups of modules that import one another, by reaching and being reached."""
    imports = _imports(house)
    reached = {module: _reach(module, imports) for module in imports}
    circles: list[set[str]] = []
    for module in imports:
        circle = {other for other in reached[module] if module in reached[other]}
        if circle and circle not in circles:
            circles.append(circle)
    return circles


def _reach(module: str, imports: dict[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    waiting = [module]
    while waiting:
        new = imports[waiting.pop()] - reached
        reached |= new
        waiting += new
    return reached


def _print_figures(figures: dict[str, int], base: dict[str, int]) -> None:
    if base:
        print(f"{'':32}{'base':>9} {'now':>9}")
    for label, count in figures.items():
        before = f"{base[label]:9,}" if base else ""
        print(f"{label:32}{before} {count:9,}")


def _print_packages(house: House, base: House) -> None:
    now, before = _package_sizes(house), _package_sizes(base)
    print("\npackages: files and lines" + (", before and now" if base else ""))
    for package in sorted(now.keys() | before.keys()):
        columns = [sizes.get(package, (0, 0)) for sizes in ((before, now) if base else (now,))]
        print(f"  {package:12}" + "".join(f"{files:6}{lines:9,}" for files, lines in columns))


def _package_sizes(house: House) -> dict[str, tuple[int, int]]:
    files: Counter[str] = Counter()
    lines: Counter[str] = Counter()
    for module in house:
        files[_package(module.name)] += 1
        lines[_package(module.name)] += module.lines
    return {package: (files[package], lines[package]) for package in files}


def _print_names(title: str, places: dict[str, list[str]], count: int) -> None:
    print(f"\n{title} that come twice: {len(places)}")
    for name, modules in sorted(places.items(), key=lambda item: (-len(item[1]), item[0]))[:count]:
        print(f"  {name:24}{len(modules)}  {' '.join(modules)}")


def _print_lines(title: str, sizes: Iterable[tuple[int, str]], count: int) -> None:
    print(f"\n{title}")
    for lines, name in sorted(sizes, key=lambda size: (-size[0], size[1]))[:count]:
        print(f"  {lines:5} {name}")


if __name__ == "__main__":
    main()
