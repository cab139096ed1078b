"""Check options against the keyword-only parameters of a check."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from inspect import Parameter, signature
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from shelfread.core.support.regex import Pattern, PatternError, safe
from shelfread.core.support.suggest import guess

_NAMES = {bool: "true or false", int: "a whole number", float: "a number", str: "text", NoneType: "empty"}


def option_problems(check: Callable[..., Any], options: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Yield the names of options that do not fit a check, each with the problem in words."""
    types = option_types(check)
    for name, value in options.items():
        if name not in types:
            yield name, f"unknown option '{name}'{guess(name, types)}"
        elif not _fits(value, types[name]):
            yield name, f"'{name}' must be {_type_name(types[name])}"
        elif types[name] is Pattern and (error := _pattern_error(value)):
            yield name, f"'{name}' is not a pattern that google-re2 can run: {error}"
    for name, parameter in signature(check).parameters.items():
        if name in types and name not in options and parameter.default is Parameter.empty:
            yield name, f"'{name}' is missing"


def option_types(check: Callable[..., Any]) -> dict[str, Any]:
    """Return the options of a check and their types."""
    # Only the text of our own modules is evaluated; get_type_hints would also need Document and Survey there.
    return {
        name: eval(parameter.annotation, check.__globals__)
        if isinstance(parameter.annotation, str)
        else parameter.annotation
        for name, parameter in signature(check).parameters.items()
        if parameter.kind is Parameter.KEYWORD_ONLY
    }


def _pattern_error(pattern: object) -> str:
    try:
        safe(str(pattern))
    except PatternError as error:
        return str(error)
    return ""


def _fits(value: object, kind: Any) -> bool:
    kind = str if kind is Pattern else kind
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Literal:
        return any(type(value) is type(choice) and value == choice for choice in inner)
    if origin in (Union, UnionType):
        return any(_fits(value, member) for member in inner)
    if origin is not None and issubclass(origin, Mapping):
        return isinstance(value, Mapping) and all(_fits(item, inner[1]) for item in value.values())
    if origin is not None:
        return isinstance(value, (list, tuple)) and all(_fits(item, inner[0]) for item in value)
    if kind is float:
        return type(value) in (int, float)
    return type(value) is (NoneType if kind is None else kind)


def _type_name(kind: Any) -> str:
    if kind is Pattern:
        return "a pattern"
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Literal:
        return "one of " + ", ".join(map(str, inner))
    if origin in (Union, UnionType):
        return " or ".join(_type_name(member) for member in inner)
    if origin is not None and issubclass(origin, Mapping):
        return f"a mapping, each value {_type_name(inner[1])}"
    if origin is not None:
        return f"a list, each item {_type_name(inner[0])}"
    return _NAMES[NoneType if kind is None else kind]
