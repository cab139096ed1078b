"""`shelfread taxonomy`: the commands about taxonomies."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import click

from shelfread.cli import LazyGroup, options, output
from shelfread.cli.options import refuse_to_ask
from shelfread.core.errors import UserError, need
from shelfread.report.rendering import dumps
from shelfread.taxonomy.skos import SYNTAXES


@click.group(
    cls=LazyGroup,
    summaries={
        "show": "Show the tree of concepts, with the sections and entries of lists.",
        "map": "Show which concept each heading of lists names.",
        "place": "Show in which sections of a list a text belongs.",
        "adopt": "Add the headings that a taxonomy lacks to it.",
        "check": "Report everything that is wrong with a taxonomy.",
        "diff": "Show what differs between two taxonomies.",
        "import": "Write a SKOS vocabulary as a taxonomy in YAML.",
        "export": "Write a taxonomy as SKOS (Turtle, JSON-LD) or YAML.",
    },
)
def taxonomy_command() -> None:
    """Work with taxonomies: the subjects of lists, in the terms of SKOS."""


def _print(form: str, json_text: Callable[[], str], text: Iterable[str]) -> None:
    """Print one of two forms; neither is made unless it is printed."""
    if form == "json":
        output.write_lines([json_text()])
    else:
        output.print_lines(text)


# One word speaks for a section clearly if that has so great a share, or if the text has fewer words.
_CLEAR, _MANY = 0.5, 3

_base = click.option(
    "--base", metavar="IRI", help="What relative IRIs in a file of RDF, such as '#12', are relative to."
)


@taxonomy_command.command("show")
@options.paths
@click.option("--all", "whole", is_flag=True, help="Show the concepts without sections too.")
@options.text_or_json
@options.settings
@click.pass_context
def show(ctx: click.Context, /, paths: tuple[str, ...], whole: bool, form: str, **settings: Any) -> None:
    """Show the tree of concepts, with the number of sections and entries that lists have of each.

    Concepts without sections are left out, unless a narrower one has some. Headings that the taxonomy does not know
    are listed at the end. If no taxonomy is configured, the bundled one that knows the most headings is used.
    """
    from shelfread.mapping.mapped_headings import build_tree
    from shelfread.mapping.project_lists import read_lists
    from shelfread.report.taxonomy_tree import tree_json, tree_text

    errors: list[UserError] = []
    lists = read_lists(paths, errors=errors, **settings)
    tree = build_tree(lists.documents, lists.context, lists.comparison, with_unused=whole)
    _print(form, lambda: dumps(tree_json(tree)), tree_text(tree, output.terminal_style(), whole=whole))
    ctx.exit(output.report_errors(errors))


@taxonomy_command.command("map")
@options.paths
@options.text_or_json
@options.settings
@click.pass_context
def map_lists(ctx: click.Context, /, paths: tuple[str, ...], form: str, **settings: Any) -> None:
    """Show which concepts each heading of lists names, and how sure that is.

    \b
    label   the heading is a label of the concept
    words   the heading is read by its words: 'Quantization of LLMs'
    guess   its words may mean a concept, but too little speaks for it
    near    it names no concept: the nearest ones are shown
    none    it names no concept, and none is near

    Headings that name no subject, such as years, venues and contents, are only counted; --format json has them. If no
    taxonomy is configured, the bundled one that knows the most headings is used.
    """
    from shelfread.mapping.mapped_headings import map_headings
    from shelfread.mapping.project_lists import read_lists
    from shelfread.report.taxonomy_tree import headings_json, headings_text

    errors: list[UserError] = []
    lists = read_lists(paths, errors=errors, **settings)
    mapped = map_headings(lists.documents, lists.context, lists.comparison)
    _print(form, lambda: dumps(headings_json(mapped)), headings_text(mapped, output.terminal_style()))
    ctx.exit(output.report_errors(errors))


@taxonomy_command.command("place")
@click.argument("file", metavar="LIST")
@click.argument("text")
@options.text_or_json
@options.settings
def place(file: str, text: str, form: str, **settings: Any) -> None:
    """Show in which sections of LIST an entry belongs: the three best. TEXT is a title and a description, or the entry's Markdown.

    It learns from the entries that the list has; no taxonomy is needed. Each section comes with the share of such
    entries that belong there, and with the words of the text that speak for it.

    \b
    shelfread taxonomy place README.md "Structured pruning of small networks"
    """
    from shelfread.engine.load_save import read_document
    from shelfread.index.placement.section_model import learn, read_text
    from shelfread.mapping.project_lists import configured_taxonomy

    vocabulary = configured_taxonomy(**settings).vocabulary
    document = read_document(file, vocabulary)
    found: list[dict[str, Any]] = []
    for each in learn(document).places(read_text(text, vocabulary)):
        section = document.sections[each.section]
        path, words = list(section.path), list(each.words)
        found.append({"path": path, "line": section.line, "share": round(each.share, 2), "words": words})
    if form == "json":
        output.write_lines([dumps({"sections": found})])
    elif not found:
        output.print_lines(["The list has no sections with entries."])
    else:
        most = max(len(each["words"]) for each in found)
        says_more = most == 1 and len(text.split()) >= _MANY and found[0]["share"] < _CLEAR
        if most == 0 or says_more:
            spoken = "only one word" if most else "no word"
            output.print_error(f"{spoken} of the text speaks for a section, so the shares say little")
        # The title of the list, which all its sections are below, says nothing.
        titles = {each.path[0] for each in document.sections}
        first = 1 if len(titles) == 1 and all(len(each["path"]) > 1 for each in found) else 0
        output.print_lines(
            f"{100 * each['share']:3.0f} %  {' > '.join(each['path'][first:])} (line {each['line']})"
            + (f": {', '.join(each['words'])}" if each["words"] else "")
            for each in found
        )


@taxonomy_command.command("adopt")
@options.paths
@click.option("--diff", is_flag=True, help="Show what would be added as a diff, without changing any file.")
@click.option("--yes", is_flag=True, help="Write without asking.")
@options.settings
@click.pass_context
def adopt_headings(
    ctx: click.Context, /, paths: tuple[str, ...], diff: bool, yes: bool, **settings: Any
) -> None:
    """Add the headings that a taxonomy lacks to it, after a look.

    A heading that names no concept becomes one, below that of the section above it. A heading that is read by its
    words becomes an altLabel of its concept, or one of the narrower subjects that it includes. Nothing else of the
    file changes. Headings that are nearly a label are left alone.

    A list that has no taxonomy, or a bundled one, gets a file taxonomy.yaml that extends the bundled one.
    """
    from shelfread.mapping.adopt import adopt, write
    from shelfread.mapping.project_lists import read_lists
    from shelfread.report.taxonomy_changes import adoption_text

    refuse_to_ask(diff, yes)
    errors: list[UserError] = []
    lists = read_lists(paths, errors=errors, **settings)
    adoption = adopt(lists, settings["taxonomy"])
    if diff or not yes:
        from shelfread.core.source import Source

        for change in adoption.changes:
            output.show_change(change.path, change.before or Source("", change.path), change.after)
    written = bool(adoption.changes) and not diff and (yes or click.confirm("Write this?", err=True))
    if written:
        write(adoption)
    output.print_lines(adoption_text(adoption, is_written=written), err=diff)
    ctx.exit(output.report_errors(errors))


@taxonomy_command.command("check")
@click.argument("taxonomy", required=False, metavar="[NAME|FILE]")
@_base
@options.text_or_json
@options.show_info
@options.fail_on
@options.exit_zero
@options.config
@options.isolated
@click.pass_context
def check(ctx: click.Context, /, taxonomy: str | None, base: str | None, form: str, **given: Any) -> None:
    """Report everything that is wrong with a taxonomy, the configured one by default.

    Errors are contradictions: a list cannot be checked with such a taxonomy. Warnings and infos are those of qSKOS, and
    are reported for the files of your own only.

    \b
    Exit status: 0 no findings, 1 findings of at least the severity of --fail-on,
    2 errors, or a file that cannot be read.
    """
    from shelfread.core.diagnostics import Severity
    from shelfread.mapping.project_lists import issues_of, taxonomy_name
    from shelfread.report.taxonomy_tree import issues_json, issues_text
    from shelfread.rulebook.metadata import SEVERITIES

    name = taxonomy_name(taxonomy, given["config"], given["isolated"])
    issues = issues_of(name, base)
    least = SEVERITIES[given["fail_on"] or "warning"]
    shown = Severity.INFO if given["show_info"] else min(least, Severity.WARNING)
    _print(form, lambda: issues_json(issues), issues_text(issues, name, shown, output.terminal_style()))
    worst = max((issue.severity for issue in issues), default=Severity.INFO)
    failed = 2 if worst == Severity.ERROR else int(worst >= least and bool(issues))
    ctx.exit(0 if given["exit_zero"] else failed)


@taxonomy_command.command("diff")
@click.argument("base")
@click.argument("head")
@options.text_or_json
def diff(base: str, head: str, form: str) -> None:
    """Show what differs between two taxonomies: concepts, labels, relations and definitions.

    BASE and HEAD are bundled names, files, or files of a commit: main:taxonomy.yaml. Concepts are the same if their ids
    are.

    \b
    shelfread taxonomy diff HEAD:taxonomy.yaml taxonomy.yaml
    """
    from shelfread.mapping.project_lists import load_named
    from shelfread.report.taxonomy_changes import changes_json, changes_text
    from shelfread.taxonomy.taxonomy_difference import compare

    difference = compare(load_named(base), load_named(head))
    _print(
        form, lambda: changes_json(difference, base, head), changes_text(difference, output.terminal_style())
    )


@taxonomy_command.command("import")
@click.argument("file")
@click.option(
    "--from", "syntax", type=click.Choice(list(dict.fromkeys(SYNTAXES.values()))),
    help="The syntax: Turtle, JSON-LD, RDF/XML or N-Triples.  [default: by the end of the file's name]",
)  # fmt: skip
@_base
@click.option(
    "--root",
    metavar="CONCEPT",
    help="Take this concept and the narrower ones only: its IRI, the end of that, or its name.",
)
@click.option("--output-file", metavar="FILE", help="Write the taxonomy to this file, which must not exist.")
def import_vocabulary(
    file: str, syntax: str | None, base: str | None, root: str | None, output_file: str | None
) -> None:
    """Write a SKOS vocabulary as a taxonomy in YAML.

    Nothing is fetched. What a taxonomy has no place for is said in comments at its beginning.
    """
    need("skos", "RDF")
    from shelfread.taxonomy.skos.importing import import_rdf

    output.refuse_output_file(output_file, replace=False)
    output.write_lines([import_rdf(file, syntax, base, root).rstrip()], output_file)


@taxonomy_command.command("export")
@click.argument("taxonomy", required=False, metavar="[NAME|FILE]")
@options.output_format(
    ("turtle", "json-ld", "yaml"), help="[default: by the end of the output file's name, else turtle]"
)
@click.option("--output-file", metavar="FILE", help="Write the taxonomy to this file.")
@options.config
@options.isolated
def export(
    taxonomy: str | None, form: str | None, output_file: str | None, config: str | None, isolated: bool
) -> None:
    """Write a taxonomy as SKOS, in Turtle or JSON-LD, or as YAML; the configured one by default.

    What it extends is included, so that the file stands on its own.
    """
    from shelfread.mapping.project_lists import export_taxonomy

    form = form or _by_suffix(output_file or "")
    output.refuse_output_file(output_file)
    subjects = export_taxonomy(taxonomy, config, isolated)
    if form == "yaml":
        from shelfread.taxonomy.yaml_text import exported_text

        text = exported_text(subjects)
    else:
        need("skos", f"--format {form}")
        from shelfread.taxonomy.skos.graph import json_ld, taxonomy_graph, turtle

        graph = taxonomy_graph(subjects)
        text = turtle(graph) if form == "turtle" else dumps(json_ld(graph))
    output.write_lines([text.rstrip()], output_file)


def _by_suffix(file: str) -> str:
    if file.endswith((".yaml", ".yml")):
        return "yaml"
    return "json-ld" if file.endswith((".jsonld", ".json")) else "turtle"
