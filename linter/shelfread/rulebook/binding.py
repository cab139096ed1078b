"""A card and its options made into a rule: the one line that joins page and check."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from shelfread.core.diagnostics import RawDiagnostic, Severity
from shelfread.core.errors import RuleError
from shelfread.rulebook.metadata import RuleMetadata, fault

if TYPE_CHECKING:
    from shelfread.document.model import Document
    from shelfread.index.index import Survey

    Check: TypeAlias = Callable[[Document, Survey], Iterator[RawDiagnostic]]

_CHECKS = "shelfread.checks"


class BoundRule(NamedTuple):
    """A rule ready to run."""

    id: str
    severity: Severity
    message: str
    fix: str | None
    precedence: int
    check: Check | None


class OptionError(RuleError):
    """A user's option that does not fit its check; `option` names it."""

    def __init__(self, message: str, option: str = "") -> None:
        super().__init__(message)
        self.option = option


def bind(
    card: RuleMetadata, options: Mapping[str, object] | None = None, severity: Severity | None = None
) -> BoundRule:
    """The rule of a card, a user's options and severity before the page's own.

    Raises RuleError where the check does not exist and OptionError where an option does not fit it;
    the bundled pages' own options are checked by the tests.
    """
    given = {**card.options, **(options or {})}
    check = None
    if card.check is not None:
        function = resolve(card)
        if card.own or options:
            from shelfread.rulebook.options import problems

            for option, problem in problems(function, given):
                message = f"options of {card.id}: {problem}"
                if card.own and option not in (options or {}):
                    raise fault(card, message, ["options", option])
                raise OptionError(message, option)
        check = partial(function, **{name: _frozen(value) for name, value in given.items()})
    elif given:
        raise OptionError(f"{card.id} takes no options", next(iter(given)))
    severity = card.severity if severity is None else severity
    return BoundRule(card.id, severity, card.message, card.fix, card.precedence, check)


def resolve(card: RuleMetadata) -> Callable[..., Iterator[RawDiagnostic]]:
    """The function that a card's `check` names; raises RuleError when there is none."""
    assert card.check is not None
    module, _, name = card.check.rpartition(".")
    try:
        checks = _checks(module) if all(map(str.isidentifier, module.split("."))) else {}
    except ModuleNotFoundError as error:
        if not f"{_CHECKS}.{module}.".startswith(f"{error.name}."):
            raise
        checks = {}
    if name in checks:
        return checks[name]
    from shelfread.core.support.suggest import did_you_mean

    known = [f"{module}.{check}" for check in checks] or _every_check()
    raise fault(card, f"there is no check '{card.check}'{did_you_mean(card.check, known)}", ["check"])


def _checks(module: str) -> dict[str, Callable[..., Iterator[RawDiagnostic]]]:
    """The checks of a module: its own public functions that take a document and a survey."""
    name = f"{_CHECKS}.{module}"
    return {
        key: value
        for key, value in vars(import_module(name)).items()
        if not key.startswith("_")
        and getattr(value, "__module__", None) == name
        and hasattr(value, "__code__")
        and value.__code__.co_varnames[: value.__code__.co_argcount] == ("document", "survey")
    }


def _every_check() -> list[str]:
    from pkgutil import walk_packages

    found = walk_packages(import_module(_CHECKS).__path__, f"{_CHECKS}.")
    modules = [module.name.removeprefix(f"{_CHECKS}.") for module in found if not module.ispkg]
    return [f"{module}.{name}" for module in modules for name in _checks(module)]


def _frozen(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value
