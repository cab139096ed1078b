"""URLs that give something away or are not safe to follow: secrets, scripts, `http:` where HTTPS is served."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import unquote

from shelfread.checks.common import WORDS
from shelfread.core.diagnostics import Edit, RawDiagnostic, RawDiagnostics, Severity, Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document
from shelfread.document.passages import addresses, odd_addresses
from shelfread.index.context import RuleContext
from shelfread.taxonomy.hosts import serves_https

_USER = lazy(r"(?i)[a-z][a-z0-9+.-]*://([^/?#@:]*):([^/?#@]+)@([^/?#]*)")


# Tokens with a documented format: the name, a text that every one contains, and a pattern for the format. None is
# recognized by its length alone.
_TOKENS = tuple(
    (name, marker, lazy(rf"(?<![A-Za-z0-9]){pattern}"))
    for name, marker, pattern in (
        *(("GitHub token", f"gh{kind}_", rf"gh{kind}_[A-Za-z0-9]{{36}}") for kind in "pousr"),
        ("GitHub token", "github_pat_", r"github_pat_[A-Za-z0-9_]{22}"),
        ("GitLab token", "glpat-", r"glpat-[\w-]{20}"),
        ("AWS access key", "AKIA", r"AKIA[A-Z2-7]{16}(?![A-Za-z0-9])"),
        ("AWS access key", "ASIA", r"ASIA[A-Z2-7]{16}(?![A-Za-z0-9])"),
        ("Slack token", "xox", r"xox[abeoprs]-[A-Za-z0-9-]{10}"),
        ("Slack webhook", "hooks.slack.com", r"hooks\.slack\.com/services/T\w{6,}/B\w{6,}/\w{16}"),
        ("Discord webhook", "/api/webhooks/", r"discord(?:app)?\.com/api/webhooks/\d{15,}/[\w-]{40}"),
        ("Telegram token", "/bot", r"api\.telegram\.org/bot\d{6,}:[\w-]{30}"),
        ("Google API key", "AIza", r"AIza[\w-]{35}"),
        ("Stripe key", "k_live_", r"[rs]k_live_[A-Za-z0-9]{20}"),
        ("OpenAI key", "sk-", r"sk-(?:proj-[\w-]{40}|[A-Za-z0-9]{48})"),
        ("Anthropic key", "sk-ant-", r"sk-ant-[\w-]{40}"),
        ("Hugging Face token", "hf_", r"hf_[A-Za-z]{34}(?![A-Za-z])"),
        ("npm token", "npm_", r"npm_[A-Za-z0-9]{36}"),
        ("PyPI token", "pypi-AgE", r"pypi-AgE[\w-]{40}"),
        ("SendGrid key", "SG.", r"SG\.[\w-]{22}\.[\w-]{43}"),
        ("JSON Web Token", "eyJ", r"eyJ[\w-]{8,200}\.eyJ[\w-]{8,4000}\.[\w-]{8}"),
    )
)
_PARAMETER = lazy(
    r"(?i)[?&#;]((?:access|auth|private|refresh|api)[_-]token|client[_-]secret|api[_-]?key|secret|passw(?:or)?d)"
    r"=([^&#;]+)"
)
# The URL of a file in a private repository, which everybody can open for some minutes.
_PRIVATE_FILE = lazy(r"https?://raw\.githubusercontent\.com/[^?#]*\?(?:[^#]*&)?token=[A-Z0-9]{24}")
# A key's name in the query of a signed URL is public.
_SIGNED = lazy(r"(?i)[?&](?:X-Amz-Credential|AWSAccessKeyId)=$")
_PARAMETERS = ("token=", "secret=", "key=", "passw")
_LEAST_SECRET = 16
_LEAST_URL = 30  # shorter URLs have no room for a secret
# Placeholders for a secret, and secrets that are public.
_PLACEHOLDER = lazy(
    r"(?i)your|my[_-]|example|sample|demo|dummy|test|token|secret|key|passw|placeholder|insert|changeme|redacted"
    r"|public|abcdef|123456|(.)\1{4}|[<>{}$*…\[\]]|\.\.\."
)
_PLACEHOLDER_HOST = lazy(
    r"(?i)(?:[^@]*\.)?(?:example(?:\.\w+)?|test|invalid|localhost|host(?:name)?|server|domain(?:\.\w+)?)(?::\w*)?"
    r"|127\.[\d.]+(?::\d*)?|"
)
_HTTP = lazy(r"(?i)http://([^/?#:@\\]+)(?=[/?#]|$)")
# Browsers ignore control characters and line ends within a scheme.
_SCHEME = lazy(
    r"(?i)[\x00-\x20]*((?:j[\s\x00-\x1f]*a[\s\x00-\x1f]*v[\s\x00-\x1f]*a|v[\s\x00-\x1f]*b)[a-z\s\x00-\x1f]*|file|data):"
)
_CONTROL = lazy(r"[\s\x00-\x1f]+")
_MESSAGES = {"javascript": "script", "vbscript": "script", "file": "file", "data": "data"}


def credentials(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield URLs that contain a password or a secret in a known format; the values never contain the secret."""
    # Most lists have no marker of a token: all URLs are searched at once.
    urls = [address.url for address in addresses(document) if len(address.url) >= _LEAST_URL]
    joined = "\n".join(urls)
    lower = joined.lower()
    tokens = [token for token in _TOKENS if token[1] in joined]
    has_parameters = any(name in lower for name in _PARAMETERS)
    for address in addresses(document):
        may_have = "@" in address.url or has_parameters or tokens
        if may_have and (found := _secret(address.url, tokens, has_parameters)):
            message, values = found
            severity = Severity.WARNING if message == "signed" else Severity.ERROR
            yield RawDiagnostic(address.span, values, severity=severity, message=message)


def _secret(
    url: str, tokens: Sequence[tuple[str, str, re.Pattern[str]]], has_parameters: bool
) -> tuple[str, dict[str, object]] | None:
    """Return the name of the message for the secret in a URL, with its values; None if it has no secret."""
    if "@" in url and (match := _USER.match(url)) and _is_password(*match.groups()):
        return "password", {}
    for name, marker, pattern in tokens:
        if marker in url and (found := pattern.search(url)) and not _PLACEHOLDER.search(found[0]):
            if _SIGNED.search(url[: found.start()]):
                return "signed", {}
            return "token", {"kind": name, "prefix": found[0][:4]}
    if not has_parameters or "=" not in url:
        return None
    if _PRIVATE_FILE.match(url):
        return "private-file", {}
    for name, value in _PARAMETER.findall(url):
        if _is_secret(unquote(value)):
            return "parameter", {"parameter": name}
    return None


def _is_password(user: str, password: str, host: str) -> bool:
    user, password = unquote(user), unquote(password)
    return not (
        password.lower() in WORDS["public_passwords"]
        or password.lower() == user.lower()
        or user.lower() in WORDS["public_users"]
        or _PLACEHOLDER.search(password)
        or _PLACEHOLDER_HOST.fullmatch(host)
    )


def _is_secret(value: str) -> bool:
    """Return whether a value is no placeholder; keys that begin with `pk` are public."""
    return (
        len(value) >= _LEAST_SECRET
        and len(set(value)) >= _LEAST_SECRET // 2
        and any(map(str.isdigit, value))
        and any(map(str.isalpha, value))
        and value[:2].lower() != "pk"
        and not _PLACEHOLDER.search(value)
    )


def insecure(document: Document, context: RuleContext, *, hosts: tuple[str, ...] = ()) -> RawDiagnostics:
    """Yield `http:` URLs of hosts that are known to serve HTTPS; `hosts` adds more of them."""
    text = document.source.text
    for address in addresses(document):
        if address.url[:5].lower() != "http:":
            continue
        match = _HTTP.match(address.url)
        start = address.span.start
        if match is None or text[start : start + 5].lower() != "http:":
            continue
        host = match[1].lower()
        if serves_https(host) or host in hosts:
            edit = Edit.relink(Span(start, start + 4), address.url, "https" + address.url[4:], "https")
            yield RawDiagnostic(address.span, {"host": host}, (edit,))


def script(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield URLs with the schemes `javascript:`, `vbscript:`, `file:` and, unless for a picture, `data:`."""
    for address in odd_addresses(document):
        match = _SCHEME.match(address.url)
        if match is None:
            continue
        scheme = _CONTROL.sub("", match[1]).lower()
        after = address.url[match.end() :]
        if scheme not in _MESSAGES or (scheme == "data" and after[:6].lower() == "image/"):
            continue
        if address.form == "autolink" and not after.startswith("//") and scheme in ("file", "data"):
            continue  # `<file:name>` explains a format
        yield RawDiagnostic(address.span, {"scheme": scheme}, message=_MESSAGES[scheme])
