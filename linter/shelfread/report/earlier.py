"""Recognises reports of earlier runs, which are all that a new report may replace.

What programs read is recognised by its structure, so that a file that some other tool has indented or sorted is
still known. What people read is recognised by its first lines.
"""

from __future__ import annotations

import json
from typing import Any

from shelfread.core.support.regex import lazy

_COUNT = r"\d[\d,]* "
_SUMMARY = (
    rf"No problems found|{_COUNT}(?:errors?|warnings?|infos?)(?:, {_COUNT}\w+)* in {_COUNT}entr|{_COUNT}infos? hidden "
    rf"|{_COUNT}findings? (?:fixed\.|from before |of the baseline )|{_COUNT}can be fixed with 'shelfread "
    rf"|{_COUNT}links? of {_COUNT}hosts?: |No (?:new )?web links\.|Local links of {_COUNT}files? checked"
)
_CHANGES = (
    rf"(?:No entry changed|{_COUNT}(?:\w+ )?(?:added|removed|moved|changed|renamed|in another order))\b"
)
_RULE = r"[a-z][\w-]*/[\w-]+"
_TEXT = lazy(
    rf"(?:.+:\d+:\d+: )?(?:error|warning|info)\[{_RULE}\] | *{_COUNT}+ *{_RULE}(?: |$)| *new  known$"
    rf"|{_SUMMARY}|{_CHANGES}.* since "
)
_FIRST_LINES = {
    "text": _TEXT,
    "full": _TEXT,
    "concise": _TEXT,
    "statistics": _TEXT,
    "github": lazy(r"::(?:error|warning|notice) .*title=shelfread"),
    "junit": lazy(r"<\?xml [^>]*>\s*<testsuites name=\"shelfread\""),
    "markdown": lazy(
        rf"## shelfread\n\n(?:- \*\*not checked:|- ⚠️|{_SUMMARY}|\Z)"
        rf"|# Links\n\n(?:Local links only; |{_COUNT}links?, checked on )"
        rf"|\*\*{_CHANGES}.*\*\* since "
        rf"|# `.*\n\n(?:```text\n|- {_COUNT}entr)|# {_COUNT}files\n\n- {_COUNT}entr"
    ),
    "list": lazy(r"<!-- Exported by shelfread\. -->\n"),
    "bibtex": lazy(r"% Exported by shelfread\.\n"),
    "ris": lazy(r"TY  - .*\n(?:(?!TY|ER)[A-Z][A-Z\d]  - .*\n)*DB  - (?:shelfread|.+:\d+)\nER  - "),
    "csv": lazy(r"title,name,description,venue,venue_text,year,authors,affiliations,doi,arxiv,github,"),
    "html": lazy(
        r"<!doctype html>\n<html lang=\"en\">\n<head>\n(?:<meta .*>\n)*<meta name=\"generator\" content=\"shelfread page\">\n"
    ),
    "atom feed": lazy(r"<\?xml [^>]*>\n<feed [^>]*>\n  <generator>shelfread</generator>\n"),
    "markdown feed": lazy(r"<!-- Written by shelfread feed\. -->\n"),
    "turtle": lazy(r"(?:@prefix \w+: <[^>\n]*> \.\n)+\n<.*>\s+a skos:ConceptScheme\b"),
}
_SOURCE = lazy(r"shelfread|.+:\d+")
"""Where an exported reference comes from."""


def is_report(form: str, text: str) -> bool:
    """Return whether a text is a report, or an export, in one of the formats."""
    if form in _FIRST_LINES:
        return _FIRST_LINES[form].match(text.replace("\r\n", "\n").lstrip("\n")) is not None
    try:
        data = json.loads(text.partition("\n")[0] if form == "jsonl" else text)
    except (ValueError, RecursionError):
        return False
    return _is_data(form, data)


def _is_data(form: str, data: Any) -> bool:
    if form == "json":
        return _has(data, "version", "diagnostics", "summary") or _has(
            data, "version", "base", "head", "changed"
        )
    if form == "rdjson":
        return _has(data, "source", "diagnostics") and _name(data["source"]) == "shelfread"
    if form == "sarif":
        runs = data.get("runs") if isinstance(data, dict) else None
        tools = [run.get("tool") for run in runs if isinstance(run, dict)] if isinstance(runs, list) else []
        return bool(tools) and all(
            isinstance(tool, dict) and _name(tool.get("driver")) == "shelfread" for tool in tools
        )
    if form == "gitlab":
        return _all_have(data, "check_name", "fingerprint", "severity", "location")
    if form == "json feed":
        return _has(data, "version", "title", "_shelfread", "items")
    if form == "csl-json":
        return _all_have(data, "id", "type", "title") and all(
            _SOURCE.fullmatch(str(item.get("source"))) for item in data
        )
    if form == "json-ld":
        return _has(data, "@context", "@graph") and _has(data["@context"], "skos")
    return _all_have([data] if form == "jsonl" else data, "title", "links", "dialect", "path")


def _name(data: Any) -> Any:
    return data.get("name") if isinstance(data, dict) else None


def _has(data: Any, *keys: str) -> bool:
    return isinstance(data, dict) and data.keys() >= set(keys)


def _all_have(data: Any, *keys: str) -> bool:
    return isinstance(data, list) and all(_has(item, *keys) for item in data)
