"""Bind rules to their checks, and options to the keyword-only parameters of a check."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from importlib import import_module
from inspect import Parameter, signature
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, Union, cast, get_args, get_origin

from shelfread.core.diagnostics import RawDiagnostic, Severity
from shelfread.core.errors import RuleError
from shelfread.core.folders import PACKAGE
from shelfread.core.patterns import Pattern, PatternError, compile_untrusted, lazy
from shelfread.core.wording import did_you_mean
from shelfread.core.yaml_files import load_cached
from shelfread.rulebook.metadata import RuleMetadata, page_error

if TYPE_CHECKING:
    from shelfread.document.model import Document
    from shelfread.index.context import RuleContext

    Check: TypeAlias = Callable[[Document, RuleContext], Iterator[RawDiagnostic]]
_CHECKS = PACKAGE / "checks"
_CHECK = lazy(r"(?m)^def ([a-z]\w*)\(\s*document\b[^,]*,\s*context\b")
_NAMES = {bool: "true or false", int: "a whole number", float: "a number", str: "text", NoneType: "empty"}


class BoundRule(NamedTuple):
    """A rule ready to run."""

    id: str
    severity: Severity
    messages: Mapping[str, str]  # by name; a rule with one message has it under the empty name
    fix: str | None
    precedence: int
    check: Check | None


class OptionError(RuleError):
    """A user's option that does not fit its check; `option` is its name."""

    def __init__(self, message: str, option: str = "") -> None:
        super().__init__(message)
        self.option = option


def bind(
    rule: RuleMetadata, options: Mapping[str, object] | None = None, severity: Severity | None = None
) -> BoundRule:
    """Return a rule with a user's options and severity, or else those of its page.

    Raises RuleError if the check does not exist and OptionError if an option does not fit it; the options of
    bundled pages are checked by the tests.
    """
    given = {**rule.options, **(options or {})}
    check = None
    if rule.check is not None:
        function = resolve_check(rule)
        if rule.custom or options:
            for option, problem in option_problems(function, given):
                message = f"options of {rule.id}: {problem}"
                if rule.custom and option not in (options or {}):
                    raise page_error(rule, message, ["options", option])
                raise OptionError(message, option)
        frozen = {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
        check = partial(function, **frozen)
    elif given:
        raise OptionError(f"{rule.id} takes no options", next(iter(given)))
    severity = rule.severity if severity is None else severity
    return BoundRule(rule.id, severity, rule.messages, rule.fix, rule.precedence, check)


def resolve_check(rule: RuleMetadata) -> Callable[..., Iterator[RawDiagnostic]]:
    """Return the function that a rule's `check` names; raises RuleError if there is none.

    A check is named by its family and its function, so that own pages stay valid when it moves to another module.
    Pages of earlier versions have the module between the two; it is passed over.
    """
    assert rule.check is not None
    family, name, known = rule.check.partition(".")[0], rule.check.rpartition(".")[2], find_checks()
    if module := known.get(f"{family}.{name}"):
        return cast("Callable[..., Iterator[RawDiagnostic]]", getattr(import_module(module), name))
    raise page_error(rule, f"there is no check '{rule.check}'{did_you_mean(rule.check, known)}", ["check"])


@cache
def find_checks() -> dict[str, str]:
    """Return the module of each check, by `family.function`: the public functions of a document and a context."""
    files = sorted([*_CHECKS.glob("*.py"), *_CHECKS.glob("*/*.py")])
    functions = load_cached(_CHECKS, files, lambda file: _CHECK.findall(file.read_text("utf-8")))
    modules = {path: path.removesuffix(".py").replace("/", ".") for path in functions}
    return {
        f"{module.partition('.')[0]}.{name}": f"shelfread.checks.{module}"
        for path, module in modules.items()
        for name in functions[path]
    }


def option_problems(check: Callable[..., Any], options: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Yield the names of options that do not fit a check, each with the problem in words."""
    types = option_types(check)
    for name, value in options.items():
        if name not in types:
            yield name, f"unknown option '{name}'{did_you_mean(name, types)}"
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
        compile_untrusted(str(pattern))
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
