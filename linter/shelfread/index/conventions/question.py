"""What a convention is about: a question that each case of it answers with a form."""

from __future__ import annotations

from typing import NamedTuple, NewType

Topic = NewType("Topic", str)
"""What several questions have in common, as how labels are spelt; a rule page names it as its `convention`."""


class Question(NamedTuple):
    """One question: how is the label `github` spelt?"""

    topic: Topic
    subject: str = ""
    """Which case of the topic; empty for a topic with one question."""


class Observation(NamedTuple):
    """One case: the form in which an entry, or a file, answers a question."""

    question: Question
    form: str
