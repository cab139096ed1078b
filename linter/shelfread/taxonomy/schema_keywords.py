"""What is wrong with the schemas of entries: keywords that do not exist, say nothing of a value, or may not be used.

Schemas are untrusted, so none may run without bounds: `$ref` may lead to the schema's own `$defs` only, the size of the
expanded schema is bounded, and a `pattern` must be one that google-re2 can run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from shelfread.core.errors import UserError
from shelfread.core.json_schema import Mismatch, described, schema
from shelfread.core.patterns import PatternError, compile_untrusted
from shelfread.core.wording import did_you_mean
from shelfread.core.yaml_files import YamlFile, load_table

MAX_SUBSCHEMAS = 5_000  # the maximum number of subschemas once every $ref is expanded
_Path = list["str | int"]
_TABLE = load_table(Path(__file__).with_name("schema_keywords.yaml"))
_KINDS = {kind: words.split() for kind, words in _TABLE["kinds"].items()}
_KIND_OF = {
    keyword: frozenset(kind for kind, words in _KINDS.items() if keyword in words)
    for keyword in chain(*_KINDS.values())
}
_REFUSED, _OWN, _TYPES = (_TABLE[key].split() for key in ("refused", "own", "types"))
_KNOWN = (*_KIND_OF, *_TABLE["any"].split())
_NEEDS, _OTHER_TYPES, _NOUNS = (_TABLE[key] for key in ("needs", "other_types", "nouns"))
_TEXT: Mapping[str, Any] = {"type": "string"}
_ANYTHING: Mapping[str, Any] = {}


def schema_errors(file: YamlFile) -> Iterator[UserError]:
    """Yield an error for each mistake in the schemas of entries of a file."""
    yield from _errors(file, ["entry"], file.data.get("entry"))
    for kind in ("concepts", "forms"):
        for id, term in (file.data.get(kind) or {}).items():
            if term:
                yield from _errors(file, [kind, id, "entry"], term.get("entry"))


def _errors(file: YamlFile, path: _Path, given: Any) -> Iterator[UserError]:
    if given is None:
        return
    for error in Draft202012Validator(Draft202012Validator.META_SCHEMA).iter_errors(given):
        yield from _no_schema(file, path, error)
    for message, keys, is_key in _keywords(given, path, schema("entry"), "an entry", is_top=True):
        yield file.fail(message, keys, is_key)
    definitions = given.get("$defs", {}) if isinstance(given, dict) else {}
    if _count(given, definitions, {}) > MAX_SUBSCHEMAS:
        yield file.fail(f"more than {MAX_SUBSCHEMAS} parts with '$ref's expanded, or a circular '$ref'", path)


def _no_schema(file: YamlFile, path: _Path, error: Any) -> Iterator[UserError]:
    keys = [*path, *error.absolute_path]
    if error.validator == "anyOf" and keys[-1] == "type":
        given = error.instance if isinstance(error.instance, list) else [error.instance]
        for name in map(str, given):
            if name not in _TYPES:
                other = _OTHER_TYPES.get(name.lower())
                hint = f"write '{other}'" if other else f"types are {', '.join(_TYPES)}"
                yield file.fail(f"'{name}' is no type: {hint}", keys)
        return
    for mismatch in described(error):
        yield file.fail(mismatch.message, [*path, *mismatch.keys], mismatch.key)


def _keywords(
    given: Any, path: _Path, value: Mapping[str, Any], noun: str, *, is_top: bool = False
) -> Iterator[Mismatch]:
    """Yield the wrong keywords of a schema and its parts, for values of a known schema that are called `noun`."""
    if not isinstance(given, dict):
        return
    possible = _kinds(value)
    stated = _kinds(given) & possible
    if "type" in given and not stated and _kinds(given) <= _NOUNS.keys():
        yield Mismatch(f"{noun} is {_nouns(possible)}, so no value has this type", [*path, "type"], False)
    kinds = stated or possible
    for key, inner in given.items():
        here = [*path, key]
        if key in _OWN and is_top:
            continue
        if key in _OWN:
            yield Mismatch(f"'{key}' stands at the top of an 'entry' only", here, True)
        elif key in _REFUSED:
            yield Mismatch(f"'{key}' is not for entry schemas", here, True)
        elif key not in _KNOWN:
            yield Mismatch(f"unknown keyword '{key}'{did_you_mean(key, (*_KNOWN, *_OWN))}", here, True)
        elif key in _KIND_OF and kinds.isdisjoint(_KIND_OF[key]):
            only = " or ".join(sorted(_NOUNS[kind] for kind in _KIND_OF[key]))
            yield Mismatch(f"'{key}' is for {only}, but {noun} is {_nouns(kinds)}", here, True)
        elif _NEEDS.get(key, key) not in given:
            yield Mismatch(f"'{key}' says nothing without '{_NEEDS[key]}'", here, True)
        elif key == "$ref" and not str(inner).startswith("#/$defs/"):
            yield Mismatch("a '$ref' leads to '#/$defs/...' and nowhere else", here, False)
        elif key == "pattern":
            try:
                compile_untrusted(str(inner))
            except PatternError as error:
                yield Mismatch(f"no pattern that google-re2 can run: {error}", here, False)
        for keys, part, of, name in _parts(key, inner, value, noun, is_top):
            yield from _keywords(part, [*path, key, *keys], of, name)


def _parts(
    key: str, given: Any, value: Mapping[str, Any], noun: str, is_top: bool
) -> Iterator[tuple[_Path, Any, Mapping[str, Any], str]]:
    """Yield the schemas in a keyword, each with its path, the schema of the values it is for, and their name."""
    item = value.get("items", _TEXT if "string" in _kinds(value) else _ANYTHING)
    if key in ("properties", "$defs", "dependentSchemas") and isinstance(given, dict):
        known = value.get("properties", _ANYTHING)
        # What is no field is a link role, a tag or a column.
        others = _TEXT if is_top else value.get("additionalProperties") or _ANYTHING
        for name, part in given.items():
            if key == "properties":
                yield [name], part, known.get(name, others), f"'{name}'"
            else:
                yield [name], part, _ANYTHING if key == "$defs" else value, noun
    elif key in ("allOf", "anyOf", "oneOf", "prefixItems") and isinstance(given, list):
        for index, part in enumerate(given):
            yield [index], part, item if key == "prefixItems" else value, noun
    elif key in ("not", "if", "then", "else"):
        yield [], given, value, noun
    elif key in ("items", "contains"):
        yield [], given, item, f"an item of {noun}"
    elif key == "propertyNames":
        yield [], given, _TEXT, "a name"
    elif key in ("additionalProperties", "unevaluatedProperties", "unevaluatedItems"):
        yield [], given, _ANYTHING, "a value"


def _kinds(part: Mapping[str, Any]) -> frozenset[str]:
    """Return the kinds of value that a schema states by its `type`: all if it states none."""
    given = part.get("type", list(_NOUNS))
    names = given if isinstance(given, list) else [given]
    return frozenset("number" if name == "integer" else str(name) for name in names)


def _nouns(kinds: frozenset[str]) -> str:
    return " or ".join(sorted(_NOUNS.get(kind, kind) for kind in kinds - {"null"})) or "empty"


def _count(part: Any, definitions: Mapping[str, Any], counts: dict[str, int]) -> int:
    """Return the number of subschemas once every $ref is expanded; more than the maximum for a circular $ref."""
    if isinstance(part, list):
        return sum(_count(each, definitions, counts) for each in part)
    if not isinstance(part, dict):
        return 0
    total = 1 + sum(_count(value, definitions, counts) for key, value in part.items() if key != "$defs")
    name = str(part["$ref"]).removeprefix("#/$defs/") if "$ref" in part else None
    if name is not None:
        if name not in counts:
            counts[name] = MAX_SUBSCHEMAS + 1  # for a circular $ref
            counts[name] = _count(definitions.get(name), definitions, counts)
        total += counts[name]
    return min(total, MAX_SUBSCHEMAS + 1)
