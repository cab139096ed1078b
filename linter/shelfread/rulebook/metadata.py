"""Rules: what the front matter of their pages says, their checks, and the options that these take."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from inspect import Parameter, signature
from pathlib import Path
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, Union, cast, get_args, get_origin

from shelfread.core.diagnostics import RawDiagnostic, Severity
from shelfread.core.errors import RuleError, UserError, reason_of
from shelfread.core.folders import PACKAGE, RULES
from shelfread.core.patterns import Pattern, PatternError, compile_untrusted, lazy
from shelfread.core.wording import did_you_mean
from shelfread.core.yaml_files import YamlFile, load_cached

if TYPE_CHECKING:
    from shelfread.document.model import Document
    from shelfread.index.context import RuleContext

    Check: TypeAlias = Callable[[Document, RuleContext], Iterator[RawDiagnostic]]


PRESETS = ("core", "papers", "awesome", "strict", "taxonomy", "online", "complete")
# The presets of rules that need the network, and the command that runs them.
NETWORK_PRESETS = {"online": "links", "complete": "complete"}
SEVERITIES = {severity.label: severity for severity in reversed(Severity)}

_MAX_BYTES = 1 << 20
_ID = lazy(r"[a-z0-9]+(?:-[a-z0-9]+)*/[a-z0-9]+(?:-[a-z0-9]+)*")


class RuleMetadata(NamedTuple):
    """What a page's front matter says about its rule; see schema/rule.schema.json."""

    id: str
    summary: str
    severity: Severity  # the highest that its check may give; a check may lower it for a diagnostic
    presets: tuple[str, ...]  # empty: the rule runs only if it is selected
    # `link.insecure` is the function `insecure` of a module in checks/link/; None: the engine's own.
    check: str | None
    options: Mapping[str, object]
    # the texts of its diagnostics by name; a rule with one text has it under the empty name.
    messages: Mapping[str, str]
    fix: str | None  # safe, unsafe, mixed (the check decides) or None
    # of several diagnostics at the same place the one with the highest precedence is reported.
    precedence: int
    # the topic of the convention that the rule learns; the modules of index/ that observe have the topics.
    convention: str | None
    # what its findings depend on: `entry` (the entry or lines they are in), `structure` (also headings,
    # anchors, definitions and other files) or `list` (anything in the project).
    scope: str
    page: Path
    custom: bool  # from a list's own .shelfread/rules: its options are checked when it is bound

    @property
    def family(self) -> str:
        return self.id.partition("/")[0]

    @property
    def subject(self) -> str:
        """What the rule checks for, in the plural: `HTTP links to hosts that serve HTTPS`."""
        what = self.summary.removesuffix(".")
        return what.removeprefix("Checks for ") if what.startswith("Checks for ") else f"findings: {what}"


def load_rules(folder: Path = RULES, custom: bool = False) -> dict[str, RuleMetadata]:
    """Return the metadata of the pages `<family>/<name>.md` in a folder, by id in order; raises RuleError for a custom one."""
    pages = {id: folder / f"{id}.md" for id in sorted(_find_ids(folder))}
    if custom:
        return {id: read_metadata(page, id, custom) for id, page in pages.items()}
    data = load_cached(folder, pages.values(), lambda page: _read_front_matter(page)[0].data)
    return {id: _metadata(id, data[f"{id}.md"], page, custom) for id, page in pages.items()}


def read_metadata(page: Path, id: str, custom: bool = False) -> RuleMetadata:
    """Return the metadata of one page; raises RuleError with file and line if the page is wrong."""
    from shelfread.core.json_schema import validate

    file, front, body = _read_front_matter(page)
    if not _ID.fullmatch(id):
        raise RuleError(
            f"'{id}' is not a rule id: use lower-case letters, digits and single hyphens", file.path
        )
    if not body.lstrip().startswith(f"# {id}\n"):
        line = front.count("\n") + 4 + body[: len(body) - len(body.lstrip())].count("\n")
        raise RuleError(f"the page's heading must be '# {id}', like its path", file.path, line)
    validate(file, "rule")
    return _metadata(id, file.data, page, custom)


def _read_front_matter(page: Path) -> tuple[YamlFile, str, str]:
    front, body = split_page(page)
    return YamlFile(front, page.as_posix(), RuleError, line=2), front, body


def _metadata(id: str, data: Mapping[str, Any], page: Path, custom: bool) -> RuleMetadata:
    """Return the metadata in a front matter that fits its schema."""
    return RuleMetadata(
        id=id,
        summary=data["summary"],
        severity=SEVERITIES[data["severity"]],
        presets=tuple(data.get("presets", ())),
        check=data.get("check"),
        options=data.get("options", {}),
        messages=message if isinstance(message := data["message"], dict) else {"": message},
        fix=data.get("fix"),
        precedence=data.get("precedence", 0),
        convention=data.get("convention"),
        scope=data.get("scope", "entry"),
        page=page,
        custom=custom,
    )


def page_error(rule: RuleMetadata, message: str, keys: Sequence[str]) -> UserError:
    """Return the error about the value at `keys` of a rule's page."""
    return _read_front_matter(rule.page)[0].fail(message, keys)


def split_page(page: Path) -> tuple[str, str]:
    """Return front matter and body of a page; raises RuleError if it has no front matter."""
    try:
        with page.open(encoding="utf-8-sig") as stream:
            text = stream.read(_MAX_BYTES)
    except OSError as error:
        raise RuleError(f"cannot be read: {reason_of(error)}", page.as_posix()) from None
    except UnicodeDecodeError:
        raise RuleError("not UTF-8: save the page as UTF-8", page.as_posix()) from None
    front, end, body = text.partition("\n---\n")
    if not end or not front.startswith("---\n"):
        raise RuleError("a rule page begins with front matter between two lines '---'", page.as_posix(), 1)
    return front[4:], body


def read_prose(page: Path) -> str:
    """Return a page without its front matter; raises RuleError if it cannot be read."""
    return split_page(page)[1].strip() + "\n"


def _find_ids(folder: Path) -> Iterator[str]:
    """Yield the ids of a folder's pages; links are not followed, since the folder may be untrusted."""
    if not folder.is_dir():
        return
    for family in os.scandir(folder):
        if family.is_dir(follow_symlinks=False):
            for page in os.scandir(family):
                if page.name.endswith(".md") and page.is_file(follow_symlinks=False):
                    yield f"{family.name}/{page.name[:-3]}"


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
    """Return a rule with a user's options and severity, or its page's; raises RuleError and OptionError if they do not fit."""
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
    """Return the function that a `check` names by family and name (a module between is ignored); raises RuleError if there is none."""
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
    import msgspec  # only pages and configurations of a user get here

    try:
        msgspec.convert(value, str if kind is Pattern else kind)
    except msgspec.ValidationError:
        return False
    return True


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
