"""`shelfread rule`."""

from __future__ import annotations

import click

from shelfread.cli import options


@click.command
@click.argument("id", required=False)
@options.text_or_json
@options.config
@click.option("--isolated", is_flag=True, help="Show only the bundled rules.")
def command(id: str | None, form: str, config: str | None, isolated: bool) -> None:
    """Explain a rule, with examples; without ID, list all rules.

    Rules of the project, in .shelfread/rules next to its configuration file, are included.
    """
    from shelfread.cli import output
    from shelfread.project.files import find_config
    from shelfread.report import rule_pages
    from shelfread.rulebook.selection import expand_names, load_catalogue

    rules = load_catalogue(find_config(config, isolated))
    chosen = [rules[name] for name in (rules if id is None else sorted(expand_names([id], rules)))]
    if form == "json":
        output.write_lines(rule_pages.as_json(chosen))
    elif len(chosen) == 1:
        output.print_lines(rule_pages.page(chosen[0], output.terminal_style()))
    else:
        output.print_lines(rule_pages.table(chosen, output.terminal_style()))
