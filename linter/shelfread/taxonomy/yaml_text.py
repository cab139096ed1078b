"""Writes taxonomies as YAML, as a person would."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from shelfread.core.patterns import lazy
from shelfread.taxonomy.concept import LABELS, MATCHES, TEXTS, Concept
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
    lines = [f"# {_in_one_line(line)}".rstrip() for line in header]
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
    return taxonomy_text(["Written by `shelfread taxonomy export`."], facts, terms_of(taxonomy))


def terms_of(taxonomy: Taxonomy) -> dict[str, dict[str, dict[str, Any]]]:
    """Return all terms of a taxonomy, those that it extends included; IRIs where the id does not say them."""
    return {
        kind: {id: _term_of(concept, taxonomy) for id, concept in concepts.items()}
        for kind, concepts in (("concepts", taxonomy.concepts), ("forms", taxonomy.forms))
    }


def _term_of(concept: Concept, taxonomy: Taxonomy) -> dict[str, Any]:
    term: dict[str, Any] = {}
    iri = taxonomy.iri_of(concept.id)
    if iri != taxonomy.iri + concept.id:
        term["iri"] = iri
    for label in concept.labels:
        if label.kind == "prefLabel":
            term.setdefault("prefLabel", {})[label.language] = label.text
        else:
            term.setdefault(label.kind, {}).setdefault(label.language, []).append(label.text)
    for key, text, language in concept.texts:
        term.setdefault(key, {})[language] = text
    for key, ids in (("broader", concept.broader), ("related", concept.related)):
        if ids:
            term[key] = ids[0] if len(ids) == 1 else list(ids)
    for key, match in concept.matches:
        term.setdefault(key, []).append(match)
    if concept.retired is not None:
        term["retired"] = f"use {concept.retired}" if concept.retired else True
    if concept.roles is not None:
        term["links"] = list(concept.roles)
    if concept.entry is not None:
        term["entry"] = concept.entry
    return term


def _term(term: Mapping[str, Any], language: str) -> Iterator[str]:
    for key in _KEYS:
        if key in term:
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


def _in_one_line(text: str) -> str:
    return "".join(each if each.isprintable() else f"<U+{ord(each):04X}>" for each in " ".join(text.split()))
