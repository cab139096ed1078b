"""Addresses that do harm: that run scripts, give secrets away, or hide where they lead."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from urllib.parse import unquote

from shelfread.core.diagnostics import RawDiagnostic, Severity, Span
from shelfread.core.hosts import SHORTENERS
from shelfread.core.support.regex import lazy
from shelfread.document.addresses import Address, addresses, odd_addresses
from shelfread.document.model import Document
from shelfread.index.context import RuleContext

# ------------------------------------------------------------------------------------------- script

# Browsers skip control characters and line ends within a scheme.
_SCRIPT = lazy(
    r"[\x00-\x20]*((?:j[\s\x00-\x1f]*a[\s\x00-\x1f]*v[\s\x00-\x1f]*a|v[\s\x00-\x1f]*b)[a-z\s\x00-\x1f]*|file|data):",
    re.IGNORECASE,
)
_CONTROL = lazy(r"[\s\x00-\x1f]+")
_HARMS = {
    "javascript": "runs a script",
    "vbscript": "runs a script",
    "file": "leads to a file on the reader's own disk",
    "data": "is a page of its own",
}


def script(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Addresses that lead to no page: scripts, files of one's own disk, data but for pictures."""
    for address in context.table(odd_addresses, document):
        match = _SCRIPT.match(address.url)
        if match is None:
            continue
        scheme = _CONTROL.sub("", match[1]).lower()
        rest = address.url[match.end() :]
        if scheme not in _HARMS or (scheme == "data" and rest[:6].lower() == "image/"):
            continue
        if address.form == "autolink" and not rest.startswith("//") and scheme in ("file", "data"):
            continue  # `<file:name>` explains a format
        yield RawDiagnostic(address.span, {"scheme": scheme, "harm": _HARMS[scheme]})


# -------------------------------------------------------------------------------------- credentials

_USER = lazy(r"[a-z][a-z0-9+.-]*://([^/?#@:]*):([^/?#@]+)@([^/?#]*)", re.IGNORECASE)
# What their makers gave a form of its own. None is known by length alone.
_TOKENS = tuple(
    (name, mark, lazy(rf"(?<![A-Za-z0-9]){pattern}"))
    for name, mark, pattern in (
        *(("a token of GitHub's", f"gh{kind}_", rf"gh{kind}_[A-Za-z0-9]{{36}}") for kind in "pousr"),
        ("a token of GitHub's", "github_pat_", r"github_pat_[A-Za-z0-9_]{22}"),
        ("a token of GitLab's", "glpat-", r"glpat-[\w-]{20}"),
        ("an access key of AWS", "AKIA", r"AKIA[A-Z2-7]{16}(?![A-Za-z0-9])"),
        ("an access key of AWS", "ASIA", r"ASIA[A-Z2-7]{16}(?![A-Za-z0-9])"),
        ("a token of Slack's", "xox", r"xox[abeoprs]-[A-Za-z0-9-]{10}"),
        ("a webhook of Slack's", "hooks.slack.com", r"hooks\.slack\.com/services/T\w{6,}/B\w{6,}/\w{16}"),
        ("a webhook of Discord's", "/api/webhooks/", r"discord(?:app)?\.com/api/webhooks/\d{15,}/[\w-]{40}"),
        ("a token of Telegram's", "/bot", r"api\.telegram\.org/bot\d{6,}:[\w-]{30}"),
        ("a key of Google's", "AIza", r"AIza[\w-]{35}"),
        ("a key of Stripe's", "k_live_", r"[rs]k_live_[A-Za-z0-9]{20}"),
        ("a key of OpenAI's", "sk-", r"sk-(?:proj-[\w-]{40}|[A-Za-z0-9]{48})"),
        ("a key of Anthropic's", "sk-ant-", r"sk-ant-[\w-]{40}"),
        ("a token of Hugging Face's", "hf_", r"hf_[A-Za-z]{34}(?![A-Za-z])"),
        ("a token of npm's", "npm_", r"npm_[A-Za-z0-9]{36}"),
        ("a token of PyPI's", "pypi-AgE", r"pypi-AgE[\w-]{40}"),
        ("a key of SendGrid's", "SG.", r"SG\.[\w-]{22}\.[\w-]{43}"),
        ("a signed token", "eyJ", r"eyJ[\w-]{8,200}\.eyJ[\w-]{8,4000}\.[\w-]{8}"),
    )
)
_PARAMETER = lazy(
    r"[?&#;]((?:access|auth|private|refresh|api)[_-]token|client[_-]secret|api[_-]?key|secret|passw(?:or)?d)"
    r"=([^&#;]+)",
    re.IGNORECASE,
)
# The address of a private repository's file is good for some minutes, and for who has it.
_RAW = lazy(r"https?://raw\.githubusercontent\.com/[^?#]*\?(?:[^#]*&)?token=[A-Z0-9]{24}")
_PARAMETERS = ("token=", "secret=", "key=", "passw", "TOKEN=", "SECRET=", "KEY=", "PASSW")
_LEAST_SECRET = 16
_LEAST_TELLING = 30
"""Shorter addresses have no room for a secret beside their host."""
# What stands where a secret is to be put, or belongs to everybody.
_PLACEHOLDER = lazy(
    r"your|my[_-]|example|sample|demo|dummy|test|token|secret|key|passw|placeholder|insert|changeme|redacted"
    r"|public|abcdef|123456|(.)\1{4}|[<>{}$*…\[\]]|\.\.\.",
    re.IGNORECASE,
)
_EVERYBODY = frozenset("anonymous anon ftp guest public user username name login foo admin root me".split())
_NO_PASSWORD = frozenset("password pass passwd pwd pw secret guest anonymous foo bar admin root".split())
_NO_HOST = lazy(
    r"(?:[^@]*\.)?(?:example(?:\.\w+)?|test|invalid|localhost|host(?:name)?|server|domain(?:\.\w+)?)(?::\w*)?"
    r"|127\.[\d.]+(?::\d*)?|",
    re.IGNORECASE,
)


def credentials(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Addresses with a password or a secret of a known form in them; what is secret is not told."""
    # Nearly all lists hold none of the marks: they are sought in all addresses at once.
    joined = "\n".join(
        [address.url for address in context.table(addresses, document) if len(address.url) >= _LEAST_TELLING]
    )
    tokens = [token for token in _TOKENS if token[1] in joined]
    parameters = any(name in joined for name in _PARAMETERS)
    for address in context.table(addresses, document):
        if not ("@" in address.url or parameters or tokens):
            continue
        what = _secret(address, tokens, parameters)
        if what is not None:
            yield RawDiagnostic(address.span, {"what": what})


def _secret(address: Address, tokens: list[tuple[str, str, re.Pattern[str]]], parameters: bool) -> str | None:
    """What an address gives away, by its kind."""
    url = address.url
    if "@" in url and (match := _USER.match(url)) and _is_password(*match.groups()):
        return "a password"
    for name, mark, pattern in tokens:
        if mark in url and (found := pattern.search(url)) and not _PLACEHOLDER.search(found[0]):
            return f"{name} ({found[0][:4]}...)"
    if not parameters or "=" not in url:
        return None
    if _RAW.match(url):
        return "the token of a private file"
    for name, value in _PARAMETER.findall(url):
        if _is_secret(unquote(value)):
            return f"a secret ('{name}=')"
    return None


def _is_password(user: str, password: str, host: str) -> bool:
    user, password = unquote(user), unquote(password)
    return not (
        password.lower() in _NO_PASSWORD
        or password.lower() == user.lower()
        or user.lower() in _EVERYBODY
        or _PLACEHOLDER.search(password)
        or _NO_HOST.fullmatch(host)
    )


def _is_secret(value: str) -> bool:
    """Whether a value is one that nobody makes up to show a format; keys that begin with `pk` are public."""
    return (
        len(value) >= _LEAST_SECRET
        and len(set(value)) >= _LEAST_SECRET // 2
        and any(one.isdigit() for one in value)
        and any(one.isalpha() for one in value)
        and value[:2].lower() != "pk"
        and not _PLACEHOLDER.search(value)
    )


# ---------------------------------------------------------------------------------------- shortener

# A service's own pages, in a list of such services.
_PAGES = frozenset(
    "about api app apps blog contact dashboard developers docs faq features help home index.html index.php login "
    "plans pricing privacy product pages register signup stats support terms tools".split()
)
_LONGEST_SHORT = 60
_MANY = 10
"""So many short addresses, half of them again and again, are a list's own way of writing."""


def shortener(
    document: Document, context: RuleContext, *, allow: tuple[str, ...] = ()
) -> Iterator[RawDiagnostic]:
    """Links whose address is another one's short name; `allow` names hosts that may be."""
    found = [
        (url, span, host)
        for url, span in _followed(document)
        if (host := _short_host(url)) is not None and host not in allow
    ]
    times = Counter(url for url, _, _ in found)
    by_design = len(found) >= _MANY and len(times) * 2 <= len(found)
    for url, span, host in found:
        if by_design and not times.pop(url, 0):
            continue  # each is told once
        severity = Severity.INFO if by_design else Severity.ERROR
        yield RawDiagnostic(span, {"host": host}, severity=severity)


def _followed(document: Document) -> Iterator[tuple[str, Span]]:
    """The addresses that readers go to, and where they stand: those of pictures are nobody's way."""
    pictures = set()
    for link in document.links:
        if link.image:
            pictures.add(link.label)
        elif link.destination is not None and len(link.url) < _LONGEST_SHORT:
            yield link.url, link.destination
    for one in document.tree.definitions:
        if one.label not in pictures:
            yield one.url, one.destination


def _short_host(url: str) -> str | None:
    """The service whose short address this is: nothing but one word stands behind its host."""
    parts = url.split("/", 4)
    if len(parts) < 4 or parts[1]:
        return None
    host = parts[2]
    if host not in SHORTENERS:
        host = host.lower().removeprefix("www.")
        if host not in SHORTENERS:
            return None
    if len(parts) > 4 and parts[4][:1] not in ("", "?", "#"):
        return None
    word = parts[3].partition("#")[0].partition("?")[0].lower()
    return host if word and word not in _PAGES else None
