"""GitHub's rule for slugs, from github-slugger.

Python 3.13 cannot compile the library: it has a lone surrogate in a docstring.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import cast

Rule = Callable[[str], str]


@cache
def slug_rule() -> Rule:
    """Return the function that makes GitHub's slug of a text, without regard to other slugs."""
    try:
        from github_slugger.slug import slug
    except UnicodeEncodeError:
        return load_without_docstrings()
    return cast(Rule, slug)


def load_without_docstrings() -> Rule:
    """Return the rule from the library's files, compiled without docstrings as by `python -OO`."""
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
