"""Bind rules to their checks and options."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib import import_module
from types import CodeType
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from shelfread.core.diagnostics import RawDiagnostic, Severity
from shelfread.core.errors import RuleError
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.rulebook.metadata import RuleMetadata, page_error

if TYPE_CHECKING:
    from shelfread.document.model import Document
    from shelfread.index.context import RuleContext

    Check: TypeAlias = Callable[[Document, RuleContext], Iterator[RawDiagnostic]]

_CHECKS = "shelfread.checks"


class BoundRule(NamedTuple):
    """A rule ready to run."""

    id: str
    severity: Severity
    messages: Mapping[str, str]
    """By name; a rule with one message has it under the empty name."""
    fix: str | None
    precedence: int
    check: Check | None
    by_section: bool = False
    """Whether the check can read a file section by section."""


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
            from shelfread.rulebook.options import option_problems

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
    by_section = check is not None and getattr(check.func, "by_section", False)
    return BoundRule(rule.id, severity, rule.messages, rule.fix, rule.precedence, check, by_section)


def resolve_check(rule: RuleMetadata) -> Callable[..., Iterator[RawDiagnostic]]:
    """Return the function that a rule's `check` names; raises RuleError if there is none."""
    assert rule.check is not None
    module, _, name = rule.check.rpartition(".")
    found: Mapping[str, Any] = {}
    if all(map(str.isidentifier, module.split("."))):
        try:
            found = vars(import_module(f"{_CHECKS}.{module}"))
        except ModuleNotFoundError as error:
            if not f"{_CHECKS}.{module}.".startswith(f"{error.name}."):
                raise
    if _is_check(module, name, check := found.get(name)):
        return cast("Callable[..., Iterator[RawDiagnostic]]", check)
    from shelfread.core.support.suggest import did_you_mean

    checks = [f"{module}.{name}" for name, value in found.items() if _is_check(module, name, value)]
    known = checks or _list_checks()
    raise page_error(rule, f"there is no check '{rule.check}'{did_you_mean(rule.check, known)}", ["check"])


def _is_check(module: str, name: str, value: object) -> bool:
    """Return whether a name of a module is that of a check: its own public function of a document and a context."""
    code = getattr(value, "__code__", None)
    return (
        not name.startswith("_")
        and isinstance(code, CodeType)
        and getattr(value, "__module__", None) == f"{_CHECKS}.{module}"
        and code.co_varnames[: code.co_argcount] == ("document", "context")
    )


def _list_checks() -> list[str]:
    from pkgutil import walk_packages

    found = walk_packages(import_module(_CHECKS).__path__, f"{_CHECKS}.")
    modules = [module.name.removeprefix(f"{_CHECKS}.") for module in found if not module.ispkg]
    return [
        f"{module}.{name}"
        for module in modules
        for name, value in vars(import_module(f"{_CHECKS}.{module}")).items()
        if _is_check(module, name, value)
    ]
