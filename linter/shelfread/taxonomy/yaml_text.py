"""Writes taxonomies as YAML, as a person would."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from shelfread.core.patterns import lazy
from shelfread.core.wording import one_line
from shelfread.taxonomy.concept import LABELS, MATCHES, TEXTS
from shelfread.taxonomy.taxonomy import Taxonomy

_WIDTH = 110
_MOST_REMARKS = 50
_PLAIN = lazy(r"[^\W\d_](?:[\w /().+'&-]*[\w).+])?")
_WORDS = frozenset("true false null yes no on off y n".split())
_KEYS = ("iri", *LABELS, *TEXTS, "broader", "related", *MATCHES, "retired", "links", "entry")


def taxonomy_text(
    header: Iterable[str], facts: Mapping[str, Any], kinds: Mapping[str, Mapping[str, Mapping[str, Any]]]
) -> str:
    """Return the text of a taxonomy: comments, facts such as its title, and terms by kind; its own language is left out."""
    lines = [f"# {one_line(line)}".rstrip() for line in header]
    lines += [f"{key}: {_flow(value)}" for key, value in facts.items() if value is not None]
    for kind, terms in kinds.items():
        if terms:
            lines.append(f"{kind}:")
            for id, term in terms.items():
                lines.append(f"  {_scalar(id)}:")
                lines += _term(term, facts.get("language", "en"))
    return "\n".join(lines) + "\n"


def remarks_as_comments(remarks: Sequence[str]) -> list[str]:
    """Return the comments on what could not be taken over."""
    if not remarks:
        return []
    shown = [f"- {remark}" for remark in remarks[:_MOST_REMARKS]]
    more = [f"- and {len(remarks) - _MOST_REMARKS:,} more"] if len(remarks) > _MOST_REMARKS else []
    return ["Not taken over:", *shown, *more]


def exported_text(taxonomy: Taxonomy) -> str:
    """Return a taxonomy that stands on its own, with what it extends."""
    facts = {
        "title": taxonomy.title,
        "language": taxonomy.language,
        "iri": taxonomy.iri,
        "entry": taxonomy.entry,
    }
    kinds = {
        kind: {id: _with_iri(id, term, taxonomy) for id, term in concepts.terms.items()}
        for kind, concepts in (("concepts", taxonomy.concepts), ("forms", taxonomy.forms))
    }
    return taxonomy_text(["Written by `shelfread taxonomy export`."], facts, kinds)


def _with_iri(id: str, term: Mapping[str, Any], taxonomy: Taxonomy) -> dict[str, Any]:
    """Return a term with its IRI if its id does not say it."""
    own = {key: value for key, value in term.items() if key != "iri"}
    iri = taxonomy.iri_of(id)
    return own if iri == taxonomy.iri + id else {"iri": iri, **own}


def _term(term: Mapping[str, Any], language: str) -> Iterator[str]:
    for key in _KEYS:
        if key in term and term[key] != {}:
            value = term[key]
            if key in (*LABELS, *TEXTS) and list(value) == [language]:
                value = value[language]
            if isinstance(value, dict) and key not in ("entry", "prefLabel"):
                yield f"    {key}:"
                for tag, each in value.items():
                    yield from _wrapped(f"      {_scalar(tag)}: ", each)
            else:
                yield from _wrapped(f"    {key}: ", value)


def _wrapped(start: str, value: Any) -> Iterator[str]:
    """Yield a key and its value; a long list or mapping goes on in the next line."""
    text = _flow(value)
    if len(start) + len(text) <= _WIDTH or not value or not isinstance(value, list | dict):
        yield start + text
        return
    items = (
        [f"{_scalar(key)}: {_flow(each)}" for key, each in value.items()]
        if isinstance(value, dict)
        else list(map(_flow, value))
    )
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    indent = " " * (len(start) - len(start.lstrip()) + 2)
    line = start + opening + items[0]
    for item in items[1:]:
        if len(line) + len(item) + 3 > _WIDTH:
            yield f"{line},"
            line = indent + item
        else:
            line += f", {item}"
    yield line + closing


def _flow(value: Any) -> str:
    if isinstance(value, str):
        return _scalar(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_scalar(str(key))}: {_flow(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_flow, value))}]"
    return "null" if value is None else str(value)


def _scalar(text: str) -> str:
    """Return a text as a YAML scalar: in quotes unless it is plain words."""
    if _PLAIN.fullmatch(text) and text.lower() not in _WORDS:
        return text
    return f'"{"".join(map(_character, text))}"'


def _character(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    if character == "\n":
        return "\\n"
    if character.isprintable():
        return character
    return f"\\u{ord(character):04X}" if ord(character) < 0x10000 else f"\\U{ord(character):08X}"
