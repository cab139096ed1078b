"""YAML that is read strictly, with the lines of what is wrong; and data of the package, parsed once and kept."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shelfread import __version__
from shelfread.core.errors import InputError, UserError, reason_of
from shelfread.core.patterns import lazy

if TYPE_CHECKING:
    import yaml


MAX_BYTES = 4 << 20
MAX_DEPTH = 64
# Counted with aliases expanded, so that ten lines cannot become a billion nodes: one for ten bytes, as labels
# have.
MAX_NODES = 400_000
LARGE = 8  # so many times more a taxonomy may have

_WORDS: dict[str, bool | None] = dict.fromkeys(("", "~", "null", "Null", "NULL"))
_WORDS |= dict.fromkeys(("true", "True", "TRUE"), True) | dict.fromkeys(("false", "False", "FALSE"), False)
_INTEGER = lazy(r"[-+]?(?:0|[1-9][0-9]{0,17})")
_FLOAT = lazy(r"[-+]?[0-9]{1,18}\.[0-9]{1,18}(?:[eE][-+]?[0-9]{1,3})?")


class YamlFile:
    """A YAML text with its `data`, plain and with text as keys, the class of its errors, and the line of `path` on which it begins."""

    def __init__(
        self, text: str, path: str | None, error: type[UserError], line: int = 1, times: int = 1
    ) -> None:
        """Read a text, which may have so many `times` more values than others; raises `error` with its place if it is not strict YAML."""
        import yaml

        self.path = path
        self.error = error
        self._text = text
        self._line = line
        self._pairs: dict[int, dict[str, tuple[yaml.Node, yaml.Node]]] = {}
        try:
            self.data: Any = _build(text, self._at, times * MAX_NODES)
        except yaml.MarkedYAMLError as wrong:
            mark = wrong.problem_mark or wrong.context_mark
            problem = wrong.problem or wrong.context
            if (
                mark is not None
                and "\t" in "".join(text.splitlines()[mark.line : mark.line + 1])[: mark.column + 1]
            ):
                problem = "a tab stands before a key or value: write blanks"
            raise self._at(f"not YAML: {problem}", mark) from None
        except yaml.YAMLError as wrong:
            raise error(f"not YAML: {' '.join(str(wrong).split())}", path) from None

    def place(self, keys: Sequence[str | int], key: bool = False) -> tuple[int, int]:
        """Return line and column, from 1, of the value at `keys` or of its key; of the nearest one that exists."""
        import yaml

        found = node = self._root
        for step in keys:
            if isinstance(node, yaml.MappingNode):
                pair = self._children(node).get(str(step))
                if pair is None:
                    break
                found, node = pair
            elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
                found = node = node.value[step]
            else:
                break
        if node is None:
            return self._line, 1
        mark = (found if key else node).start_mark
        return mark.line + self._line, mark.column + 1

    def fail(self, message: str, keys: Sequence[str | int] = (), key: bool = False) -> UserError:
        """Return the error to raise about the value or the key at `keys`."""
        return self.error(message, self.path, *self.place(keys, key))

    def _at(self, message: str, mark: yaml.Mark | None) -> UserError:
        if mark is None:
            return self.error(message, self.path)
        return self.error(message, self.path, mark.line + self._line, mark.column + 1)

    def _children(self, node: yaml.MappingNode) -> dict[str, tuple[yaml.Node, yaml.Node]]:
        """Return the key and value of a mapping by key; kept, as many errors may be in one mapping."""
        if id(node) not in self._pairs:
            self._pairs[id(node)] = {pair[0].value: pair for pair in reversed(node.value)}
        return self._pairs[id(node)]

    # Composing recurses, but the data was built within MAX_DEPTH. Unlike this module it refuses an anchor that is
    # defined twice; the place is then the first line.
    @cached_property
    def _root(self) -> Any:
        import yaml

        try:
            return yaml.compose(self._text, Loader=yaml_loader())
        except yaml.YAMLError:
            return None


def yaml_loader() -> Any:
    """Return the class of PyYAML's loaders: the one in C if there is one."""
    import yaml

    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read(path: Path, error: type[UserError], times: int = 1) -> YamlFile:
    """Read a YAML file. Raises `error` if it cannot be read or is not strict YAML."""
    try:
        with path.open("rb") as stream:
            data = stream.read(times * MAX_BYTES + 1)
    except OSError as wrong:
        raise error(f"cannot be read: {reason_of(wrong)}", path.as_posix()) from None
    return parse(data, path.as_posix(), error, times)


def parse(data: bytes, name: str, error: type[UserError], times: int = 1) -> YamlFile:
    """Return the YAML of a file's bytes. Raises `error` if they are not strict YAML."""
    if len(data) > times * MAX_BYTES:
        raise error(f"more than {times * MAX_BYTES >> 20} MiB of YAML", name)
    try:
        return YamlFile(data.decode("utf-8-sig"), name, error, times=times)
    except UnicodeDecodeError as wrong:
        line = data.count(b"\n", 0, wrong.start) + 1
        raise error(f"not UTF-8 at byte {wrong.start}: save the file as UTF-8", name, line) from None


def scalar(text: str) -> str | int | float | bool | None:
    """Return the value of a plain scalar: null, booleans and decimal numbers of YAML 1.2; all else is text."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] in "0123456789-+":
        if _INTEGER.fullmatch(text):
            return int(text)
        if _FLOAT.fullmatch(text):
            return float(text)
    return text


def _build(text: str, fail: Callable[[str, yaml.Mark], UserError], most: int) -> Any:
    """Return the data of a document; None for an empty one."""
    import yaml

    loader = yaml_loader()(text)
    next_event = loader.get_event
    anchors: dict[str, tuple[Any, int]] = {}
    stack: list[tuple[Any, str | None, str | None, int]] = []
    container: Any = None  # the collection being filled; None at the top
    key: str | None = None  # of a mapping: the key whose value comes next
    anchor: str | None = None  # of the container
    begun = count = documents = 0
    root: Any = None
    while True:
        event = next_event()
        kind = type(event)
        if kind is yaml.ScalarEvent:
            if event.tag is not None:
                raise fail(f"tags are not supported ({event.tag}): quote text", event.start_mark)
            count += 1
            if key is None and type(container) is dict:
                key = event.value
                if key in container:
                    raise fail(f"the key '{key}' is repeated", event.start_mark)
                if event.anchor:
                    anchors[event.anchor] = key, 1
                continue
            value = scalar(event.value) if event.implicit[0] else event.value
            if event.anchor:
                anchors[event.anchor] = value, 1
        elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
            if event.tag is not None:
                raise fail(f"tags are not supported ({event.tag})", event.start_mark)
            if key is None and type(container) is dict:
                raise fail("a key must be text", event.start_mark)
            if len(stack) >= MAX_DEPTH:
                raise fail(f"nested deeper than {MAX_DEPTH}", event.start_mark)
            stack.append((container, key, anchor, begun))
            container = {} if kind is yaml.MappingStartEvent else []
            key, anchor, begun = None, event.anchor, count
            count += 1
            continue
        elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
            value = container
            if anchor:
                anchors[anchor] = value, count - begun
            container, key, anchor, begun = stack.pop()
        elif kind is yaml.AliasEvent:
            if event.anchor not in anchors:
                raise fail(f"the alias *{event.anchor} has no anchor before it", event.start_mark)
            value, size = anchors[event.anchor]
            count += size
            if key is None and type(container) is dict:
                raise fail("a key must be text, not an alias", event.start_mark)
        elif kind is yaml.StreamEndEvent:
            return root
        else:
            documents += kind is yaml.DocumentStartEvent
            if documents > 1:
                raise fail("a second document begins here: only one is allowed", event.start_mark)
            continue
        if count > most:
            raise fail(f"more than {most} values with aliases expanded", event.start_mark)
        if container is None:
            root = value
        elif key is None:
            container.append(value)
        else:
            container[key] = value
            key = None


def load_table(file: Path) -> dict[str, Any]:
    """Return a table of data that stands beside the module that uses it."""
    table: dict[str, Any] = load_cached(
        file.parent, [file], lambda file: read(file, UserError).data, file.stem
    )[file.name]
    return table


def load_cached(
    folder: Path, files: Iterable[Path], parse: Callable[[Path], Any], name: str = "shelfread"
) -> dict[str, Any]:
    """Return the data of files by their paths relative to `folder`, from the cache while version, names, sizes and times are the same."""
    named = {str(file)[len(str(folder)) + 1 :].replace(os.sep, "/"): file for file in files}
    stamp: list[object] = [__version__]
    for path, file in named.items():
        status = os.stat(file)
        stamp.append([path, status.st_mtime_ns, status.st_size])
    kept = folder / "__pycache__" / f"{name}.json"
    with suppress(OSError, ValueError, KeyError, TypeError), kept.open(encoding="utf-8") as stream:
        known = json.load(stream)
        if known["stamp"] == stamp:
            data: dict[str, Any] = known["data"]
            return data
    data = {path: parse(file) for path, file in named.items()}
    with suppress(OSError, InputError):
        from shelfread.core.file_writing import write_new

        kept.parent.mkdir(exist_ok=True)
        text = json.dumps({"stamp": stamp, "data": data}, ensure_ascii=False)
        write_new(kept, text.encode(), overwrite=True)
    return data
