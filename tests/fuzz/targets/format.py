"""`format`, and each `--entry-style`: the page stays, and a second run changes nothing."""

from __future__ import annotations

from collections.abc import Iterator

from fuzz import commands
from fuzz.faults import Fault
from fuzz.generators.documents import make_document as generate
from fuzz.properties.kept import letters_changed, lost, page_changed
from fuzz.properties.printed import fit_to_print
from shelfread.core.errors import InputError
from shelfread.core.source import Source
from shelfread.format.result import ENTRY_STYLES

__all__ = ["faults", "generate", "grow"]


def faults(data: bytes) -> Iterator[Fault]:
    """Format a list in each style, and what comes of it again."""
    try:
        before = Source.from_bytes(data).text
    except InputError:
        yield from commands.for_people("format", "--isolated", "--check", "-", input=data)
        return
    for style in (None, *ENTRY_STYLES):
        name = f"format {style}" if style else "format"
        words = ("format", "--isolated", *(("--entry-style", style) if style else ()), "-")
        done = commands.run(*words, input=data)
        yield from commands.badly_ended(name, done)
        yield from fit_to_print(name, done.stderr_bytes.decode("utf-8", "surrogateescape"))
        if done.exit_code:
            yield Fault(f"{name}: exit status", f"{done.exit_code}: {done.stderr}")
            continue
        after = Source.from_bytes(done.stdout_bytes).text
        if after != before:
            yield from lost(name, before, after)
            if style is None:
                yield from letters_changed(name, before, after)
                yield from page_changed(name, before, after)
            if commands.run(*words, input=done.stdout_bytes).stdout_bytes != done.stdout_bytes:
                yield Fault(f"{name}: a second run changes more")


def grow(text: str) -> object:
    """Format a long list."""
    return commands.run("format", "--isolated", "-", input=text.encode("utf-8", "replace"))
