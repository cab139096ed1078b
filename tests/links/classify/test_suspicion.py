"""Redirects that hide a missing page."""

from __future__ import annotations

import pytest

from shelfread.links.verdicts import suspicion

FINE = """
https://a.example/x             https://a.example/y
http://a.example                https://a.example/
http://a.example/               https://www.a.example/
https://a.example               https://a.example/en/
https://a.example/index.html    https://a.example/
https://a.co.uk/                https://www.a.co.uk/
http://x.a.example/             https://a.example/
https://a.example/x             https://a.example/404-error-handling-guide
https://a.example/x             https://a.example/posts/how-login-works
https://a.example/x             https://a.example/docs/login/setup
https://a.example/x             https://a.example/blog/1404
https://a.example/login         https://www.a.example/users/sign_in
https://login.a.example/x       https://login.a.example/y
https://a.example/404           https://a.example/404.html
https://a.example/consent       https://b.example/cookie-consent
https://a.example/x             https://a.example/checkpoint
https://a.example/x             https://a.example/2019/sessions
https://a.example/x             https://a.example/entry
https://a.example/x             https://b.example/x
https://a.example/x             https://a.example/?p=12
https://bit.ly/x                https://a.example/
https://me.github.io/x/         https://x.example/
https://me.github.io            https://www.me.example/
https://a.example/x             https://[bad/
https://[bad                    https://a.example/x
https://ww2.a.example/x         https://ww2.a.example/y
https://sedo.com/x              https://sedo.com/y
https://a.example/x             https://www2.a.example/x
"""


DOUBTFUL = """
https://a.example/x             https://a.example/              leads to a home page
https://a.example/x             https://a.example               leads to a home page
https://a.example/?p=12         https://a.example/              leads to a home page
https://a.example/x             https://a.example/index.php     leads to a home page
https://a.example/x             https://a.example/en-us/        leads to a home page
https://a.example/x             https://b.example/              leads to a home page
https://a.example/x             https://a.example/home          leads to a home page
https://a.example/              https://b.example/              leads to another site's home page
https://a.co.uk                 https://b.co.uk                 leads to another site's home page
https://a.netlify.app           https://b.netlify.app           leads to another site's home page
https://bit.ly/x                https://a.example/login         leads to a login
https://a.example/x             https://a.example/404           leads to a 'not found' page
https://a.example/x             https://a.example/404.htm       leads to a 'not found' page
https://a.example/x             https://a.example/404/          leads to a 'not found' page
https://a.example/x             https://a.example/en/notfound   leads to a 'not found' page
https://a.example/x             https://a.example/Page-Not-Found.aspx   leads to a 'not found' page
https://a.example/x             https://a.example/error?aspxerrorpath=/x    leads to a 'not found' page
https://a.example/              https://a.example/404           leads to a 'not found' page
https://a.example/x             https://a.example/login?next=/x leads to a login
https://a.example/x             https://a.example/login/oauth   leads to a login
https://a.example/x             https://a.example/users/sign_in leads to a login
https://a.example/x             https://a.example/wp-login.php  leads to a login
https://a.example/x             https://accounts.b.example/v3/x leads to a login
https://a.example/x             https://b.example/ServiceLogin  leads to a login
https://a.example/x             https://b.example/x?a=1&redirect_uri=y  leads to a login
https://a.example/x             https://www.b.example/authwall  leads to a login
https://a.example/x             https://consent.b.example/m?x   leads to a consent page
https://a.example/x             https://a.example/cookieAbsent  leads to a consent page
https://a.example/login         https://a.example/              leads to a home page
http://a.example/x              http://ww25.a.example/x?s=1     leads to a parking service
http://a.example/               http://ww1.a.example/           leads to a parking service
https://a.example/              https://www.hugedomains.com/domain_profile.cfm?d=a.example  leads to a parking service
https://a.example/x             https://forsale.godaddy.com/forsale/a.example   leads to a parking service
"""


def rows(table: str) -> list[list[str]]:
    return [line.split(None, 2) for line in table.strip().splitlines()]


@pytest.mark.parametrize(("written", "end"), rows(FINE))
def test_redirects_that_are_not_suspicious(written: str, end: str) -> None:
    assert suspicion(written, end) is None


@pytest.mark.parametrize(("written", "end", "why"), rows(DOUBTFUL))
def test_suspicious_redirects(written: str, end: str, why: str) -> None:
    assert suspicion(written, end) == why
