"""Recognizes redirects that hide a missing page: to a home page, a login, a 'not found' page, a parking service."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from shelfread.core.patterns import lazy
from shelfread.links.exchange import link_words
from shelfread.taxonomy.hosts import SHORT, host_of, registrable, same_owner

_EXTENSION = r"(?:\.(?:html?|php[35]?|aspx?|jspx?|jsf|do|action|cgi|cfm|shtml))?"
LANGUAGE = r"(?:ar|da|de|en|es|fi|fr|he|hu|ja|ko|nl|no|pl|pt|ru|sv|tr|uk|vi|zh)(?:[-_][a-z]{2,4})?"
_ROOT = lazy(
    rf"/?(?:{LANGUAGE}/?)?"
    rf"(?:(?:index|default|home|main|welcome){_EXTENSION}/?)?"
)
# Whole segments: `/404-error-handling-guide` and `/how-login-works` are ordinary pages.
_MISSING = lazy(
    r"(?:(?:http|page|error|status|err)[-_]?)?404(?:[-_]?(?:error|page|not[-_]?found))?"
    r"|(?:page|file|content|document|item|error|resource)?[-_]?not[-_]?found(?:[-_]?(?:page|error|404))?"
)
_LOGIN = lazy(
    r"(?:wp|user|account|admin|service|members?|customer)?[-_]?(?:log|sign)[-_]?(?:in|on)(?:[-_]?(?:page|form|user))?"
    r"|authwall"
)
_LOGIN_QUERY = lazy(r"(?:^|[&;])(?:redirect_uri|response_type|samlrequest)=")
_CONSENT = lazy(
    r"(?:cookies?|gdpr|privacy|collect)?[-_]?consent|(?:cookies?|gdpr|privacy)[-_]?(?:wall|gate)"
    r"|cookie[-_]?absent|cookies?[-_]?not[-_]?supported|(?:validate)?[-_]?captcha"
)
_FORWARDS = SHORT | link_words("forwards")
_LOGIN_HOSTS = link_words("login_hosts")
_PARKING = link_words("parking")
_PARKED = lazy(r"ww\d{1,2}")  # the label that a name gets on its way to a parking service: `ww25.`


class _PageKind(NamedTuple):
    root: bool
    missing: bool
    login: bool
    consent: bool


def _page_kind(url: str) -> _PageKind:
    try:
        parts = urlsplit(url)
        label = (parts.hostname or "").partition(".")[0]
    except ValueError:
        return _PageKind(False, False, False, False)
    path = unquote(parts.path).lower()
    query = parts.query.lower()
    names = path.strip("/").split("/")
    # The first and the last segment without extension; those in the middle are topics.
    ends = {name.partition(".")[0] if name.count(".") == 1 else name for name in (names[0], names[-1])}
    return _PageKind(
        root=not parts.query and _ROOT.fullmatch(path) is not None,
        missing=any(map(_MISSING.fullmatch, ends)) or "aspxerrorpath=" in query,
        login=label in _LOGIN_HOSTS
        or any(map(_LOGIN.fullmatch, ends))
        or _LOGIN_QUERY.search(query) is not None,
        consent=any(map(_CONSENT.fullmatch, ends)) or label == "consent",
    )


def suspicion(written: str, end: str) -> str | None:
    """Return why the end of a redirect is perhaps not the page; None if nothing suggests that.

    A written URL that is itself a home page or a login is not suspicious.
    """
    if end == written:
        return None
    expected, actual = _page_kind(written), _page_kind(end)
    if _is_parked(end) and not _is_parked(written):
        return "leads to a parking service"
    if actual.missing and not expected.missing:
        return "leads to a 'not found' page"
    if actual.login and not expected.login:
        return "leads to a login"
    if actual.consent and not expected.consent:
        return "leads to a consent page"
    host = host_of(written).removeprefix("www.")
    if host in _FORWARDS or host.partition(".")[2] in _FORWARDS:
        return None
    if actual.root and not expected.root:
        return "leads to a home page"
    if actual.root and not same_owner(written, end):
        return "leads to another site's home page"
    return None


def _is_parked(url: str) -> bool:
    host = host_of(url)
    if _PARKED.fullmatch(host.partition(".")[0]):
        return True
    return host in _PARKING or registrable(host) in _PARKING
