"""`shelfread audit`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shelfread.cli import options, output
from shelfread.core.patterns import lazy
from shelfread.core.wording import counted

if TYPE_CHECKING:
    from shelfread.audit.audit_run import AuditResult

_SIZE = lazy(r"(?i)(\d{1,6})([MG])(?:i?B)?")
_LEAST = 64 << 20  # with less memory not even an empty list can be read


def _bytes(ctx: click.Context, option: click.Parameter, value: str) -> int:
    """Return the bytes of `512M` or `2G`."""
    match = _SIZE.fullmatch(value.strip())
    if match is None:
        raise click.BadParameter(f"expected a size such as 512M or 2G, not '{value}'")
    size = int(match[1]) << (20 if match[2] in "mM" else 30)
    if size < _LEAST:
        raise click.BadParameter(f"at least {_LEAST >> 20}M is needed, not '{value}'")
    return size


@click.command
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option(
    "--output", required=True, metavar="FOLDER", help="Write the tables and the page to this folder."
)
@click.option(
    "--output-format", "--format", "form", type=click.Choice(("parquet", "csv", "jsonl")),
    help="The format of the tables; parquet needs the extra 'audit'.  [default: parquet with that extra, else csv]",
)  # fmt: skip
@options.deadline("Give up a list after this time.  [default: 5m]", "5m")
@click.option(
    "--memory", metavar="SIZE", default="2G", callback=_bytes,
    help="Give up a list that needs more memory (Linux only).  [default: 2G]",
)  # fmt: skip
@click.option(
    "-j", "--jobs", type=click.IntRange(min=1), metavar="N",
    help="The number of processes of this machine.  [default: one for each core]",
)  # fmt: skip
@click.option(
    "--executor", type=click.Choice(("local", "dask")), default="local",
    help="What reads the lists: processes of this machine, or a Dask cluster (the extra 'dask').  [default: local]",
)  # fmt: skip
@click.option("--scheduler", metavar="ADDRESS", help="The scheduler of the Dask cluster: tcp://host:8786.")
@click.option(
    "--cache-file", metavar="FILE",
    help="The cache of 'links', from which the state of links is taken.  [default: none]",
)  # fmt: skip
@options.taxonomy
@options.config
@options.isolated
@click.pass_context
def audit_command(ctx: click.Context, /, executor: str, **given: Any) -> None:
    """Read many lists at once, and write their entries, findings and links as tables, with a page of the whole.

    SOURCE is a folder of repositories, a repository, or a file that names folders, one on each line.

    A list that cannot be read, or takes too long or too much memory, gets a row with its error. A run that was
    stopped goes on where it was when it is started again; a later run reads only the lists that have changed.
    """
    from shelfread.audit.audit_run import audit
    from shelfread.audit.list_task import AuditOptions
    from shelfread.cli.network import list_progress
    from shelfread.core.errors import InputError

    if (executor == "dask") != (given["scheduler"] is not None):
        raise click.UsageError("--executor dask and --scheduler ADDRESS belong together")
    if given["scheduler"] and given["jobs"]:
        raise click.UsageError("--jobs is for processes of this machine: a Dask cluster has its own")
    options.refuse_two_configurations(given)
    if given["cache_file"] and not Path(given["cache_file"]).is_file():
        raise InputError("no such file: 'shelfread links --cache-file' writes it", given["cache_file"])
    with list_progress() as progress:
        result = audit(options.pick(AuditOptions, given), progress, output.print_error)
    output.print_error(_last_line(result))


def _last_line(result: AuditResult) -> str:
    summary = result.summary
    findings = summary.total("errors") + summary.total("warnings")
    parts = [
        counted(len(summary.lists), "list"),
        f"{result.unchanged:,} unchanged" if result.unchanged else "",
        f"{summary.failed:,} with an error" if summary.failed else "",
        counted(summary.total("entries"), "entry", "entries"),
        counted(findings, "finding"),
    ]
    return f"{', '.join(filter(None, parts))}: {result.page.as_posix()}"
