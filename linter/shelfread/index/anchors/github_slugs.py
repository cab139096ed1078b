"""GitHub's rule for slugs by github-slugger, where Python's compiler cannot read it too.

That of 3.13 fails on a lone surrogate in a docstring, of which the library has one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import cast

Rule = Callable[[str], str]


@cache
def slug_rule() -> Rule:
    """What makes GitHub's slug of a text, without regard to other slugs."""
    try:
        from github_slugger.slug import slug
    except UnicodeEncodeError:
        return load_without_docstrings()
    return cast(Rule, slug)


def load_without_docstrings() -> Rule:
    """The rule from the library's files, compiled as `python -OO` does."""
    from importlib.util import find_spec

    package = find_spec("github_slugger")
    assert package is not None and package.submodule_search_locations
    (folder,) = package.submodule_search_locations
    names: dict[str, object] = {}
    for file in ("regex", "replace", "slug"):
        path = f"{folder}/{file}.py"
        with open(path, encoding="utf-8") as stream:
            lines = [line for line in stream if not line.startswith("from .")]
        exec(compile("".join(lines), path, "exec", dont_inherit=True, optimize=2), names)
    return cast(Rule, names["slug"])
