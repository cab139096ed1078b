"""Questions that conventions are about; each observed case answers one with a form."""

from __future__ import annotations

from functools import lru_cache
from typing import NewType, TypeAlias

from shelfread.core.support.named_tuple import NamedTuple

Topic = NewType("Topic", str)
"""What several questions have in common, such as the spelling of labels; a rule page names it as `convention`."""


class Question(NamedTuple):
    """One question: how is the label `github` spelt?"""

    topic: Topic
    subject: str = ""
    """Which case of the topic; empty for a topic with one question."""


question = lru_cache(maxsize=1024)(Question)
"""Returns a question; every entry answers the same few."""

Observation: TypeAlias = tuple[Question, str]
"""One case: a question, and the form in which an entry or a file answers it."""
