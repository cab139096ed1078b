"""`fix`, safe and unsafe: nothing is lost that is not declared, and a second run changes nothing."""

from __future__ import annotations

from collections.abc import Iterator

from fuzz import commands
from fuzz.faults import Fault
from fuzz.generators.documents import make_document as generate
from fuzz.properties.kept import undeclared
from fuzz.properties.patches import patched
from fuzz.properties.printed import fit_to_print, forged_commands
from fuzz.targets.check import run_check
from shelfread.core.diagnostics import Change, Diagnostic, Effect

__all__ = ["faults", "generate", "grow"]


def faults(data: bytes) -> Iterator[Fault]:
    """Fix a list twice, with all rules; look at the diff as people see it."""
    for unsafe in (False, True):
        name = "unsafe fix" if unsafe else "fix"
        for result in run_check(data, diff=True, unsafe_fixes=unsafe).files:
            if result.fixed is None:
                continue
            before, after = result.source.text, result.fixed.text
            effects = [effect for found in result.fixed.applied for effect in _declared(found)]
            if not result.fixed.applied and before != after:
                yield Fault(f"{name}: changes a list without a finding")
            yield from undeclared(name, before, after, effects)
            for again in run_check(result.source.to_bytes(after), diff=True, unsafe_fixes=unsafe).files:
                if again.fixed is not None and again.fixed.text != after:
                    rules = sorted({found.rule for found in again.fixed.applied})
                    yield Fault(f"{name}: a second run changes more", ", ".join(rules))
    yield from _printed(data)


def grow(text: str) -> object:
    """Fix a long list."""
    return run_check(text.encode("utf-8", "replace"), diff=True, unsafe_fixes=True)


def _declared(found: Diagnostic) -> Iterator[Effect]:
    """Yield the effects of a fix; several edits of one URL each declare the whole change."""
    effects = [edit.effect for edit in found.fix.edits] if found.fix else []
    for at, effect in enumerate(effects):
        if effect.change is not Change.DESTINATION or effect not in effects[:at]:
            yield effect


def _printed(data: bytes) -> Iterator[Fault]:
    """Look at the diff in colours and as a patch, and whether the patch makes what the fix makes."""
    words = ("fix", "--isolated", "--unsafe-fixes", "-")
    done = commands.run(*words, "--diff", input=data, env={"FORCE_COLOR": "1"})
    yield from commands.badly_ended("fix --diff", done)
    shown = (done.stdout_bytes + done.stderr_bytes).decode("utf-8", "surrogateescape")
    yield from fit_to_print("fix --diff", shown, colours=True)
    logged = commands.run(*words, "--diff", input=data, env=commands.WORKFLOW)
    outputs = [part.decode("utf-8", "surrogateescape") for part in (logged.stdout_bytes, logged.stderr_bytes)]
    yield from forged_commands("fix --diff in a workflow", *outputs, patch=True)
    fixed = commands.run(*words, input=data)
    patch = commands.run(*words, "--diff", input=data)
    if fixed.exit_code != 2 and patched(data, patch.stdout_bytes) != fixed.stdout_bytes:
        yield Fault(
            "fix --diff: a patch that does not make what the fix makes", repr(patch.stdout_bytes)[:300]
        )
