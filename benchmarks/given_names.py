"""The given names of authors that the lists of at least two owners name, for `document/recognizers/given_names.txt`.

    python benchmarks/given_names.py FOLDER

FOLDER has a folder `owner__name` for each list. Names that are words of titles more often than names are left out. A list
whose authors are known by these names names them too: what is read anew only grows.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from pathlib import Path
from textwrap import fill

from shelfread.core.source import Source
from shelfread.document.read import read
from shelfread.taxonomy.load import load

_WORD = re.compile(r"[A-Z][a-z]+")
_MIN_OWNERS = 2


def main(folder: Path) -> None:
    """Print the names, in lines."""
    vocabulary = load().vocabulary
    owners: defaultdict[str, set[str]] = defaultdict(set)
    names: Counter[str] = Counter()
    words: Counter[str] = Counter()
    for path in sorted(folder.rglob("*.md")):
        owner = path.relative_to(folder).parts[0].partition("__")[0]
        for entry in read(Source(path.read_text("utf-8", "replace"), str(path)), vocabulary).entries:
            words.update(_WORD.findall(entry.title.value))
            for author in entry.authors:
                given, *others = author.value.split()
                if (
                    0 < len(others) < 4
                    and given.isalpha()
                    and len(given) > 1
                    and given[0].isupper()
                    and not given.isupper()
                ):
                    owners[given].add(owner)
                    names[given] += 1
    kept = sorted(
        name for name, by in owners.items() if len(by) >= _MIN_OWNERS and words[name] <= names[name]
    )
    print(fill(" ".join(kept), 110))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
