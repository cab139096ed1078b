"""URLs, well formed and not, with the statuses that a web might answer."""

from __future__ import annotations

from random import Random

from fuzz.generators.fragments import CONTROLS, HOSTS, MARKS, SCHEMES
from fuzz.material import Material

STATUSES = "200 200 204 206 301 301 302 303 307 308 304 400 401 403 404 404 405 410 418 429 451 500 503 520 999".split()
_PARTS = (
    *"/ // /.. /./ /a /A /login /404 /index.html ?a=b &a=b&b ?utm_source=x &ref=y #x #:~:text=a %20 %2f %e4 %zz \\ @ : :80 :443 :99999".split(),
    *"user:pass@ [::1] [fe80::1%25eth0] 127.1 0x7f.1 2130706433 localhost xn--nxasmq6b ä ß İ ｅ ． 。 ..  . -a a- _ ~ * {x} ^ ` | ; = + $ !".split(),
    *" \t \r \n \r\nX:y a. www.www. example.com. .com".split(" "),
)  # fmt: skip


def make_url(random: Random, material: Material) -> str:
    """Return a URL in one line."""
    base = (
        random.choice(material.urls)
        if random.random() < 0.5
        else random.choice(SCHEMES) + random.choice(HOSTS)
    )
    for _ in range(random.randint(0, 4)):
        at = random.randint(0, len(base))
        kind = random.random()
        if kind < 0.5:
            base = base[:at] + random.choice(_PARTS) + base[at:]
        elif kind < 0.65:
            base = base[:at] + base[at + random.randint(1, 6) :]
        elif kind < 0.8:
            base = base[:at] + random.choice(MARKS + list(CONTROLS)) + base[at:]
        elif kind < 0.9:
            base += random.choice(_PARTS)
        else:
            base = base[:at] + base[at : at + 8].swapcase() + base[at + 8 :]
    return base.replace("\n", "%0a")


def make_visits(random: Random, material: Material) -> bytes:
    """Return lines `STATUS URL`: the requests of one visit, each hop on its line."""
    lines = []
    for _ in range(random.randint(1, 5)):
        trouble = random.choice(("timeout", "lost", "no-host", "certificate", "loop", "refused"))
        status = trouble if random.random() < 0.1 else random.choice(STATUSES)
        lines.append(f"{status} {make_url(random, material)}")
    return "\n".join(lines).encode("utf-8", "surrogatepass")
