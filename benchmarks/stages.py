#!/usr/bin/env python3
"""Where the time of a check is spent: stages.py FILE... prints a share for each room and each rule.

Every file is read as a project of its own. Reading does the parse again on its own, so that the two can be
told apart; the shares are of what a check does, start-up left out.
"""

from __future__ import annotations

import gc
import sys
from collections import Counter
from collections.abc import Callable
from time import process_time
from typing import TypeVar

from shelfread.core.errors import UserError
from shelfread.core.source import Source, read_bytes
from shelfread.document.read import read
from shelfread.engine.lint import lint
from shelfread.index.context import build_context
from shelfread.index.facts import facts
from shelfread.index.pages import find_presets
from shelfread.markdown.parse import parse
from shelfread.project.config import EMPTY
from shelfread.rulebook.selection import bind_rules, presets_of, select
from shelfread.taxonomy.load import load

T = TypeVar("T")


def main() -> None:
    gc.disable()
    spent: Counter[str] = Counter()
    rules: Counter[str] = Counter()

    def time(clock: Counter[str], name: str, deed: Callable[[], T]) -> T:
        start = process_time()
        result = deed()
        clock[name] += process_time() - start  # type: ignore[assignment]
        return result

    taxonomy = load(None)
    selection = select(EMPTY)
    for path in sys.argv[1:]:
        try:
            source = time(spent, "source", lambda path=path: Source.from_bytes(read_bytes(path), path))
        except UserError as error:
            print(error, file=sys.stderr)
            continue
        time(spent, "markdown", lambda source=source: parse(source))
        document = time(spent, "document", lambda source=source: read(source, taxonomy.vocabulary))
        known = time(spent, "facts", lambda document=document: facts(document))
        context = time(spent, "index", lambda path=path, known=known: build_context({path: known}, taxonomy))
        bound = bind_rules(selection, presets_of(selection, find_presets(context).get(path, ())))
        time(spent, "rules", lambda *args, d=document, w=context, b=bound: lint(d, w, b, selection.rules))
        for rule in bound:
            if rule.check is not None:
                time(rules, rule.id, lambda c=rule.check, d=document, w=context: list(c(d, w)))
    spent["document"] -= spent["markdown"]
    whole_time = spent.total()
    print("| room | share |\n|---|---:|")
    for room in ("source", "markdown", "document", "facts", "index", "rules"):
        print(f"| {room} | {spent[room] / whole_time:.1%} |")
    for rule, seconds in rules.most_common(12):
        print(f"| {rule} | {seconds / whole_time:.1%} |")


if __name__ == "__main__":
    main()
