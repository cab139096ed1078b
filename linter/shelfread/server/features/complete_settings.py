"""Keys and values of configurations and taxonomies: what their schemas name, rules, concepts, taxonomies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, TypeAlias

from lsprotocol import types as lsp

from shelfread.core.errors import UserError
from shelfread.core.json_schema import schema
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.project.config_file import NAME
from shelfread.rulebook.metadata import load_rules
from shelfread.server.features.cursor import Cursor
from shelfread.taxonomy.chain import bundled_names
from shelfread.taxonomy.load import load

_LINE = lazy(r"(?P<indent> *)(?P<dash>- +)?(?:(?P<key>[\w./-]+):[ \t]+)?(?P<value>[^#]*)$")
_KEY = lazy(r"(?P<indent> *)(?:- +)?(?P<key>[\w./-]+):(?:[ \t]|$)")
_WORD = lazy(r"[\w./-]*$")
_TAXONOMY = lazy(r"(?m)^(?:concepts|forms|venues):")
_MOST_LINES = 5000
_MOST = 500


_Choice: TypeAlias = "tuple[str, str]"
"""A key or a value, and what it means."""
_schema = cache(schema)


def complete_settings(cursor: Cursor, source: Source) -> list[lsp.CompletionItem]:
    """Return what may be written in a `.shelfread.yaml` or a taxonomy; nothing in other files."""
    kind = _kind_of(source)
    match = _LINE.fullmatch(cursor.before) if kind else None
    if kind is None or match is None:
        return []
    path = _path(source, cursor.line, len(match["indent"]) + (1 if match["dash"] else 0))
    is_value = match["key"] is not None or match["dash"] is not None
    if match["key"] is not None:
        path.append(match["key"])
    choices = _values(kind, path, source) if is_value else _keys(kind, path)
    word = _WORD.search(cursor.before)
    length = len(word[0]) if word is not None else 0
    behind = "" if is_value or cursor.after.startswith(":") else ": "
    item = lsp.CompletionItemKind.Value if is_value else lsp.CompletionItemKind.Property
    return [
        cursor.item(length, text + behind, item, label=text, detail=meaning, order=order)
        for order, (text, meaning) in enumerate(choices)
    ][:_MOST]


def _kind_of(source: Source) -> str | None:
    """Return the name of the schema of a file."""
    name = (source.path or "").rpartition("/")[2]
    if name == NAME:
        return "config"
    return "taxonomy" if name.endswith((".yaml", ".yml")) and _TAXONOMY.search(source.text) else None


def _path(source: Source, line: int, indent: int) -> list[str]:
    """Return the keys around a line that is so far indented, outermost first."""
    keys: list[str] = []
    for above in reversed(source.lines[max(0, line - _MOST_LINES) : line]):
        match = _KEY.match(above)
        if match is not None and len(match["indent"]) < indent:
            keys.append(match["key"])
            indent = len(match["indent"])
        if not indent:
            break
    return keys[::-1]


def _keys(kind: str, path: Sequence[str]) -> Iterator[_Choice]:
    part = _at(kind, path)
    for key, value in part.get("properties", {}).items():
        yield key, str(value.get("description", ""))
    if kind == "config" and list(path) == ["rules"]:
        yield from _rules()


def _values(kind: str, path: Sequence[str], source: Source) -> Iterator[_Choice]:
    """Yield the values of a key, or of the items of a list below it."""
    part = _at(kind, path)
    for schema_part in (part, part.get("items", {}), part.get("then", {})):
        yield from ((str(value), "") for value in schema_part.get("enum", ()))
    name = path[-1] if path else ""
    if kind == "config" and name in ("select", "ignore") and len(path) == 1:
        families = sorted({rule.family for rule in load_rules().values()})
        yield from ((family, "all rules of this family") for family in families)
        yield from _rules()
    elif list(path) in (["taxonomy"], ["extends"]) and (kind, name) != ("config", "extends"):
        yield from ((bundled, "a bundled taxonomy") for bundled in bundled_names())
    elif kind == "taxonomy" and name in ("broader", "related"):
        yield from _concepts(source)
    elif kind == "taxonomy" and name == "links" and len(path) > 1:
        yield from ((role.id, role.label) for role in load(None).vocabulary.roles.values())


def _at(kind: str, path: Sequence[str]) -> Mapping[str, Any]:
    """Return the part of a schema for the value at some keys, without what it refers to."""
    whole = _schema(kind)
    part: Mapping[str, Any] = whole
    for key in path:
        inner = part.get("properties", {}).get(key, part.get("additionalProperties"))
        part = inner if isinstance(inner, Mapping) else {}
        reference = part.get("$ref", "")
        if reference.startswith("#/$defs/"):
            part = {**whole["$defs"][reference.removeprefix("#/$defs/")], **part}
    return part


def _rules() -> Iterator[_Choice]:
    yield from ((id, rule.summary) for id, rule in load_rules().items())


def _concepts(source: Source) -> Iterator[_Choice]:
    """Yield the concepts of a taxonomy as it is saved, and of those that it extends."""
    try:
        taxonomy = load(source.path)
    except UserError:
        return
    yield from ((id, concept.label) for id, concept in taxonomy.concepts.items())
