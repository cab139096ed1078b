"""The options that commands share, and what is read and refused of what they are given."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import click

from shelfread.core.patterns import lazy
from shelfread.rulebook.metadata import NETWORK_PRESETS, PRESETS, SEVERITIES

_TIME = lazy(r"(?i)(?=\d)(?:(\d{1,4})h)?(?:(\d{1,5})m)?(?:(\d{1,7})s?)?")

# The formats of a report; `cli/report.py` knows the modules that write them.
FORMATS = ("text", "full", "concise", "json", "github", "markdown", "sarif")
PEOPLE = ("text", "full", "concise", "statistics")  # formats for people: fitted to the terminal

Function = TypeVar("Function", bound=Callable[..., Any])
Options = TypeVar("Options", bound=tuple[Any, ...])


def pick(kind: type[Options], given: Mapping[str, Any], **more: Any) -> Options:
    """Return the options of one kind, a NamedTuple, by name from what click gives and from `more`."""
    fields: tuple[str, ...] = kind._fields  # type: ignore[attr-defined]
    return kind(**{name: given[name] for name in fields if name in given} | more)


def names(ctx: click.Context, option: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of `a,b c` and of repeated options in one sequence."""
    return tuple(name for value in values for name in value.replace(",", " ").split())


def all_of(*options: Callable[[Function], Function]) -> Callable[[Function], Function]:
    """Return several options as one, in this order in the help."""

    def add(function: Function) -> Function:
        for option in reversed(options):
            function = option(function)
        return function

    return add


def output_format(
    formats: Sequence[str], default: str | None = None, help: str | None = None
) -> Callable[[Function], Function]:
    """Return the option for the format of what a command prints, other than a report of findings."""
    return click.option(
        "--output-format", "--format", "form", type=click.Choice(formats), default=default,
        show_default=default is not None, help=help,
    )  # fmt: skip


text_or_json = output_format(("text", "json"), "text")


def deadline(help: str, default: str | None = None) -> Callable[[Function], Function]:
    """Return the option for the longest time of a run, in seconds."""
    return click.option("--deadline", metavar="TIME", default=default, callback=_seconds, help=help)


def _seconds(ctx: click.Context, option: click.Parameter, value: str | None) -> float | None:
    """Return the seconds of `90s`, `10m` or `1h30m`."""
    if value is None:
        return None
    match = _TIME.fullmatch(value.strip())
    numbers = match.groups("0") if match else ()
    seconds = sum(int(number) * unit for number, unit in zip(numbers, (3600, 60, 1), strict=False))
    if not seconds:
        raise click.BadParameter(f"expected a time such as 90s, 10m or 1h30m, not '{value}'")
    return float(seconds)


paths = click.argument("paths", nargs=-1, metavar="[PATH]...")
config = click.option(
    "--config", metavar="FILE", help="Use this configuration file instead of the nearest .shelfread.yaml."
)
config_from = click.option(
    "--config-from", metavar="REV",
    help="Read configuration files from this commit, so that a change cannot relax them; 'auto' is where "
    "the branch began.",
)  # fmt: skip
isolated = click.option("--isolated", is_flag=True, help="Ignore all configuration files.")
taxonomy = click.option(
    "--taxonomy", metavar="NAME|FILE", help="Use this taxonomy of subjects instead of the configured one."
)
stdin_filename = click.option("--stdin-filename", metavar="NAME", help="The file name of standard input.")
diff = click.option("--diff", is_flag=True, help="Show the fixes as a diff, without changing any file.")
output_file = click.option(
    "--output-file", metavar="FILE", help="Write the report to this file, and show it as text."
)
show_info = click.option("--show-info", is_flag=True, help="Show findings of severity info too.")
exit_zero = click.option("--exit-zero", is_flag=True, help="Exit with status 0 even if there are findings.")
fail_on = click.option(
    "--fail-on", type=click.Choice(list(SEVERITIES)),
    help="Exit with status 1 for findings of at least this severity.  [default: warning]",
)  # fmt: skip
report_format = click.option(
    "--output-format", "--format", "output_format", type=click.Choice(FORMATS), metavar="FORMAT",
    help=f"One of {', '.join(FORMATS)}.  [default: text; in GitHub Actions also annotations and a summary]",
)  # fmt: skip

# The options of check and fix.
shared = all_of(
    click.option("--unsafe-fixes", is_flag=True, help="Include fixes that need a review."),
    diff,
    click.option(
        "--select", multiple=True, callback=names, metavar="ID,...",
        help="Use these rules or families (link/malformed, paper) instead of those of the presets.",
    ),
    click.option(
        "--ignore", multiple=True, callback=names, metavar="ID,...", help="Skip these rules or families."
    ),
    click.option(
        "--preset", "presets", multiple=True, callback=names, metavar="NAME,...",
        help="Use these presets instead of the detected ones: "
        f"{', '.join(name for name in PRESETS if name not in NETWORK_PRESETS)}.",
    ),
    config,
    config_from,
    isolated,
    taxonomy,
    report_format,
    output_file,
    click.option(
        "--since", metavar="REV",
        help="Report only findings that the changes since this commit introduced; 'auto' is where the branch "
        "began.",
    ),
    click.option("--baseline", metavar="FILE", help="Skip the findings in this baseline file."),
    click.option(
        "--write-baseline", metavar="FILE", help="Write all findings to a baseline file, for --baseline."
    ),
    stdin_filename,
    click.option("--statistics", is_flag=True, help="Show the number of findings of each rule."),
    exit_zero,
    fail_on,
    show_info,
    click.option(
        "-j", "--jobs", type=click.IntRange(min=1), metavar="N",
        help="The number of processes.  [default: chosen automatically]",
    ),
    click.option("--no-cache", is_flag=True, help="Neither use nor keep results of earlier runs."),
)  # fmt: skip


def cache(file_help: str, none_help: str) -> Callable[[Function], Function]:
    """Return the options that name the cache of a command, or leave it out."""
    return all_of(
        click.option(
            "--cache-file", metavar="FILE", help=f"{file_help}  [default: in the user's cache folder]"
        ),
        click.option("--no-cache", is_flag=True, help=none_help),
    )


def selection(example: str) -> Callable[[Function], Function]:
    """Return the options that choose among the few rules of a command."""
    return all_of(
        click.option(
            "--select", multiple=True, callback=names, metavar="ID,...",
            help=f"Use only these rules, such as {example}.",
        ),
        click.option("--ignore", multiple=True, callback=names, metavar="ID,...", help="Skip these rules."),
    )  # fmt: skip


# Which taxonomy and configuration a command uses.
settings = all_of(taxonomy, config, isolated)


def settings_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the options of `settings` say, by name."""
    return {name: given[name] for name in ("taxonomy", "config", "isolated")}


def read_stdin(paths: Sequence[str], filename: str | None) -> dict[str, bytes]:
    """Return standard input by its name, if PATH has a '-'."""
    from shelfread.core.source import MAX_BYTES, too_large
    from shelfread.project.files import STDIN, relative_path

    if "-" not in paths:
        return {}
    name = relative_path(filename) if filename else STDIN
    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise too_large(name)
    return {name: data}


def no_entries(paths: Sequence[str]) -> str:
    """Return what to tell whoever expects entries of some paths that have none."""
    if len(paths) == 1:
        where = f"in {paths[0]}"
    else:
        where = f"in {len(paths)} files and folders" if paths else "in the current folder"
    return f"no entries found {where}: 'shelfread export --annotate' shows how lists are read"


def refuse_two_configurations(given: Mapping[str, Any]) -> None:
    """Raise UsageError if options name different configurations."""
    config, isolated = given["config"], given["isolated"]
    if given.get("config_from") and (config or isolated):
        raise click.UsageError("--config-from cannot be combined with --config or --isolated")
    if config and isolated:
        raise click.UsageError("--config names a configuration, --isolated forbids any")


def refuse_to_ask(diff: bool, yes: bool) -> None:
    """Raise UsageError if a change is to be written after a question, and there is nobody to answer."""
    if not (diff or yes or sys.stdin.isatty()):
        raise click.UsageError("there is no terminal to ask on: use --diff to look, and then --yes to write")
