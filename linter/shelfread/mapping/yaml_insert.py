"""Adds keys and items to a YAML text, without changing anything else of it: comments, order and style stay.

All functions return insertions, so what stands in the text remains. Positions are offsets into the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from shelfread.core.yaml_files import yaml_loader
from shelfread.mapping.subject_names import scalar, sequence

if TYPE_CHECKING:
    import yaml


class YamlInsertion(NamedTuple):
    """A text to add at an offset."""

    position: int
    text: str


class CannotInsertError(Exception):
    """The text is written in a way that nothing can be added to, such as an alias or `null`."""


class YamlText:
    """A YAML text whose root is a mapping, or that is empty but for comments."""

    def __init__(self, text: str) -> None:
        """Read a text that is valid YAML."""
        import yaml

        self.text = text
        self.newline = "\r\n" if "\r\n" in text else "\n"
        self._root: Any = yaml.compose(text, Loader=yaml_loader())

    def add_terms(
        self, name: str, terms: Sequence[tuple[str, str]], *, after: str | None = None
    ) -> YamlInsertion:
        """Return the insertion of keys and values into the mapping at the key `name` of the file.

        They stand after another key of it, or at its end. The mapping is added if there is none. Values are YAML in
        one line.
        """
        pair = _pair(self._root, name)
        if pair is not None and not _is_null(pair[1]):
            return self._into(pair[1], terms, after)
        if self._root is not None and self._root.flow_style:
            inner = ", ".join(f"{key}: {value}" for key, value in terms)
            return self._into(self._root, [(name, f"{{{inner}}}")], None)
        lines = "".join(f"{self.newline}  {key}: {value}" for key, value in terms)
        if pair is not None:
            return YamlInsertion(self._line_end(pair[0].end_mark.index), lines)
        if self._root is None:
            start = "" if not self.text or self.text.endswith("\n") else self.newline
            return YamlInsertion(len(self.text), f"{start}{name}:{lines}{self.newline}")
        end = self._line_end(_end(self._root, self.text))
        return YamlInsertion(end, f"{self.newline}{name}:{lines}")

    def add_root(self, key: str, value: str) -> YamlInsertion:
        """Return the insertion of a key and a value, which is YAML in one line, at the end of the file's mapping."""
        if self._root is None:
            start = "" if not self.text or self.text.endswith("\n") else self.newline
            return YamlInsertion(len(self.text), f"{start}{key}: {value}{self.newline}")
        return self._into(self._root, [(key, value)], None)

    def add_items(self, keys: Sequence[str], items: Sequence[str]) -> YamlInsertion:
        """Return the insertion of texts at the end of the sequence at `keys`; its last key is added if need be."""
        node: Any = self._root
        for index, step in enumerate(keys):
            pair = _pair(node, step)
            if pair is None:
                if index != len(keys) - 1:
                    raise CannotInsertError
                return self._into(node, [(step, sequence(items))], None)
            node = pair[1]
        if node.id != "sequence":
            raise CannotInsertError
        if node.flow_style:
            added = ", ".join(map(scalar, items))
            if not node.value:
                return YamlInsertion(node.start_mark.index + 1, added)
            return YamlInsertion(_end(node.value[-1], self.text), f", {added}")
        indent = " " * int(node.start_mark.column)
        lines = "".join(f"{self.newline}{indent}- {scalar(item)}" for item in items)
        return YamlInsertion(self._line_end(_end(node, self.text)), lines)

    def applied(self, insertions: Iterable[YamlInsertion]) -> str:
        """Return the text with insertions; those at one place keep their order."""
        parts: list[str] = []
        done = 0
        for position, added in sorted(insertions, key=lambda each: each.position):
            parts += self.text[done:position], added
            done = position
        return "".join(parts) + self.text[done:]

    def _into(self, node: Any, terms: Sequence[tuple[str, str]], after: str | None) -> YamlInsertion:
        if node.id != "mapping":
            raise CannotInsertError
        pair = _pair(node, after) if after is not None else None
        pair = pair or (node.value[-1] if node.value else None)
        if node.flow_style:
            added = ", ".join(f"{key}: {value}" for key, value in terms)
            if pair is None:
                return YamlInsertion(node.start_mark.index + 1, added)
            return YamlInsertion(_end_of_pair(pair, self.text), f", {added}")
        if pair is None:
            raise CannotInsertError
        indent = " " * int(node.value[0][0].start_mark.column)
        lines = "".join(f"{self.newline}{indent}{key}: {value}" for key, value in terms)
        return YamlInsertion(self._line_end(_end_of_pair(pair, self.text)), lines)

    def _line_end(self, position: int) -> int:
        end = self.text.find("\n", position)
        if end < 0:
            return len(self.text)
        return end - 1 if self.text[end - 1 : end] == "\r" else end


def _pair(node: Any, key: str) -> tuple[yaml.Node, yaml.Node] | None:
    if node is None or node.id != "mapping":
        return None
    return next(((k, v) for k, v in node.value if k.value == key), None)


def _is_null(node: Any) -> bool:
    return node.id == "scalar" and node.value == "" and not node.style


def _end_of_pair(pair: tuple[Any, Any], text: str) -> int:
    key, value = pair
    if value.start_mark.index < key.start_mark.index:
        raise CannotInsertError  # an alias, whose value stands elsewhere
    return int(key.end_mark.index) + 1 if _is_null(value) else _end(value, text)


def _end(node: Any, text: str) -> int:
    """Return where a node ends; that of a block collection is the end of its last part."""
    while node.id != "scalar" and not node.flow_style:
        last = node.value[-1]
        if isinstance(last, tuple):
            return _end_of_pair(last, text)
        node = last
    end = int(node.end_mark.index)
    if node.id == "scalar" and node.style in ("|", ">"):
        end = len(text[:end].rstrip())
    return end
