"""Replies of web servers and registries, mutated: a status, headers, a body."""

from __future__ import annotations

from random import Random

from fuzz.generators.fragments import CONTROLS, MARKS
from fuzz.generators.urls import STATUSES, make_url
from fuzz.material import Material

BORDER = b"\n--- 8< ---\n"
"""Between two replies."""

_CHARSETS = (
    "utf-8 UTF-16 undefined idna punycode unicode_escape raw_unicode_escape hex zip rot13 utf-7 latin-1 gb18030 "
    "utf-32 mbcs oem x-user-defined shift_jis iso-2022-jp cp037 none big5hkscs base64"
).split()
_TYPES = ("text/html", "application/xhtml+xml", "application/json", "application/atom+xml", "TEXT/HTML ", "")
_BODIES = (
    "<html><title>404</title><a id=part name=\"x\">&#x0;&#xD800;&#99999999;</a><h1 id='other'>",
    "<title>Not found \x1b[31m</title>",
    '{"responseCode": 1, "handle": "10.1145/3302424.3303953"}',
    '{"responseCode": 100}',
    '{"data": {"r0": {"nameWithOwner": "a/c", "isArchived": true, "isPrivate": false}}, "errors": []}',
    '{"data": {"r0": null}, "errors": [{"type": "NOT_FOUND", "path": ["r0"]}]}',
    '{"data": [1, null, NaN, 1e999, {"a": "\\ud800"}]}',
    "[" * 5000,
    '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:o="http://a9.com/-/spec/opensearch/1.1/"><o:totalResults>1'
    "</o:totalResults><entry><id>http://arxiv.org/abs/2001.01234v1</id></entry></feed>",
    '<!DOCTYPE x [<!ENTITY a "b">]><feed>&a;</feed>',
    '{"title": "x", "error": "404"}',
    "",
)


def make_replies(random: Random, material: Material) -> bytes:
    """Return some replies, parted by BORDER."""
    return BORDER.join(_reply(random, material) for _ in range(random.randint(1, 4)))


def _reply(random: Random, material: Material) -> bytes:
    status = random.choice(STATUSES) if random.random() < 0.6 else "200"
    lines = [status]
    if random.random() < 0.8:
        charset = f"; charset={random.choice(_CHARSETS)}" if random.random() < 0.6 else ""
        lines.append(f"content-type: {random.choice(_TYPES)}{charset}")
    if status[0] == "3" or random.random() < 0.1:
        lines.append(f"location: {_location(random, material)}")
    for name in ("retry-after", "cf-mitigated", "x-amzn-waf-action"):
        if random.random() < 0.1:
            lines.append(f"{name}: {_value(random)}")
    body = random.choice(_BODIES).encode("utf-8", "surrogatepass")
    for _ in range(random.randint(0, 3)):
        at = random.randint(0, len(body))
        noise = random.choice((random.randbytes(2), b"\0", b"\n", b"<", b"&", b'"', body[:at]))
        body = body[:at] + noise + body[at + random.randint(0, 3) :]
    return "\n".join(lines).encode("utf-8", "surrogatepass") + b"\n\n" + body


def _location(random: Random, material: Material) -> str:
    if random.random() < 0.3:
        return random.choice(
            ("/", "/page", "?a", "#b", "//", "///x", "http:", "https:///x", ".", "\\\\x", "/login?next=1")
        )
    return make_url(random, material)


def _value(random: Random) -> str:
    return random.choice((
        "0", "1", "99999999999999999999", "-1", "1e9", "x", "", "Wed, 21 Oct 2015 07:28:00 GMT", "Wed, 99 Foo 99999 99:99:99 +9999",
        "challenge", 'W/"e"', "::error::x", *CONTROLS[:8], *MARKS[:4],
    )).replace("\n", " ")  # fmt: skip
