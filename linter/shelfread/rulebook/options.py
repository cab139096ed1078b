"""The options of a check: its keyword-only parameters, held against what a user gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from inspect import Parameter, signature
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from shelfread.core.support.regex import Pattern, PatternError, compile_untrusted
from shelfread.core.support.suggest import did_you_mean

_WORDS = {bool: "true or false", int: "a whole number", float: "a number", str: "text", NoneType: "nothing"}


def problems(check: Callable[..., Any], options: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """What is wrong with the options given to a check: an option's name and a sentence."""
    types = option_types(check)
    for name, value in options.items():
        if name not in types:
            yield name, f"unknown option '{name}'{did_you_mean(name, types)}"
        elif not _fits(value, types[name]):
            yield name, f"'{name}' is to be {_words(types[name])}"
        elif types[name] is Pattern and (fault := _fault(value)):
            yield name, f"'{name}' is no pattern that google-re2 can run: {fault}"
    for name, parameter in signature(check).parameters.items():
        if name in types and name not in options and parameter.default is Parameter.empty:
            yield name, f"'{name}' is missing"


def option_types(check: Callable[..., Any]) -> dict[str, Any]:
    """The options of a check and their types."""
    # What is evaluated is our own module's text; get_type_hints would want Document and Survey there too.
    return {
        name: eval(one.annotation, check.__globals__) if isinstance(one.annotation, str) else one.annotation
        for name, one in signature(check).parameters.items()
        if one.kind is Parameter.KEYWORD_ONLY
    }


def _fault(pattern: object) -> str:
    try:
        compile_untrusted(str(pattern))
    except PatternError as wrong:
        return str(wrong)
    return ""


def _fits(value: object, kind: Any) -> bool:
    kind = str if kind is Pattern else kind
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Literal:
        return any(type(value) is type(one) and value == one for one in inner)
    if origin in (Union, UnionType):
        return any(_fits(value, one) for one in inner)
    if origin is not None and issubclass(origin, Mapping):
        return isinstance(value, Mapping) and all(_fits(item, inner[1]) for item in value.values())
    if origin is not None:
        return isinstance(value, (list, tuple)) and all(_fits(item, inner[0]) for item in value)
    if kind is float:
        return type(value) in (int, float)
    return type(value) is (NoneType if kind is None else kind)


def _words(kind: Any) -> str:
    if kind is Pattern:
        return "a pattern"
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Literal:
        return "one of " + ", ".join(map(str, inner))
    if origin in (Union, UnionType):
        return " or ".join(_words(one) for one in inner)
    if origin is not None and issubclass(origin, Mapping):
        return f"keys and values, each {_words(inner[1])}"
    if origin is not None:
        return f"a list, each {_words(inner[0])}"
    return _WORDS[NoneType if kind is None else kind]
