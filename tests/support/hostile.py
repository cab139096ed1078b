"""Texts that would do something where they are shown: data for every place of a list, and for the names of its files."""

from __future__ import annotations

from urllib.parse import quote

TEXTS = (
    # A runner of a CI, and a terminal.
    "::error file=evil.md::evil",
    "##[add-mask]evil",
    "\x1b]0;evil\x07\x1b[2Jevil\x9b31m",
    "evil\u202elive\u2066\u2069\u2028evil",
    # A browser.
    "<script>evil()</script>",
    "<img src=x onerror=evil()>",
    "<iframe srcdoc='<script>evil()</script>'></iframe>",
    "\"'><svg onload=evil()>",
    "</script><script>evil()</script><!--",
    "]]><evil/>&evil;",
    # GitHub, which renders comments.
    "@evil #1 GH-1 evil/evil#2 :evil:",
    "![evil](https://evil.example.org/x.png) [evil](javascript:evil())",
    "<!-- evil --> <!-- evil",
    "`evil` ``evil` | evil | --- | evil",
    "https://evil.example.org www.evil.example.org evil@example.org",
    # TeX and readers of citations.
    "\\write18{evil} \\input{/etc/evil} \\catcode`\\@=0 ^^5cevil $evil$ %evil",
    "}, note = {evil}} @misc{evil, title={evil}}",
    "ER  - TY  - EVIL",
    # Spreadsheets.
    "=cmd|'/C evil'!A0",
    "+evil()",
    "-evil()",
    "@evil()",
    '",=evil(),"',
    # Unicode that cannot be written, or is no text.
    "\ud800evil\udfff",
    "\ufffe\uffffevil\x00\x01",
    "evil\u0301\u0301\u0301\U000e0041\ufeff",
)
URLS = (
    "javascript:evil()",
    "JaVaScRiPt:evil()",
    "javascript://example.org/%0Aevil()",
    "data:text/html,<script>evil()</script>",
    "vbscript:evil",
    "file:///etc/evil",
    'https://example.org/"onmouseover="evil()',
    "https://example.org/<script>evil()</script>",
    "https://example.org/##[error]evil",
    "https://example.org/)](javascript:evil())",
    "https://example.org/\\write18{evil}%0Aevil",
    "https://example.org/`evil`|evil",
    "https://evil:evil@example.org/@evil",
)
NAMES = (
    "::error::evil.md",
    "new\nline, evil.md",
    "<img src=x onerror=evil()>.md",
    "=evil().md",
    "-evil.md",
    "`evil` | @evil.md",
    "\x1b[31mevil\u202e.md",
    "\udcffevil.md",
    "{evil}\\write18.md",
    "%0A::error::evil.md",
)


def hostile_list() -> str:
    """A list of papers and tools with each text in each place."""
    lines = ["# A hostile list", "", "[No file](evil.md), [no heading](#evil)", "", "* An item", "", ""]
    for number, text in enumerate(map(_writable, TEXTS)):
        url = f"https://site{number}.example.org/{quote(text)}"
        lines += [
            f"## Part {number} {text}", "",
            f"- [Tool {number} {text}]({url}) - Does teh {text}.",
            f"- **Name {text}: A Study of {text}** (OSDI 20{number % 20 + 4:02}). Ada {text}, Lin Wu. {text}"
            f" [[Paper {text}](http://arxiv.org/abs/20{number % 20 + 4:02}.0{number:04}?utm_source=x)] [[Code](https://github.com/evil/evil{number})]",
            f"- A title {text}", "",
        ]  # fmt: skip
    lines += ["## Addresses", ""]
    lines += [
        f"- [Address {n}](<{url.replace('<', '&lt;').replace('>', '&gt;')}>) - Does it."
        for n, url in enumerate(URLS)
    ]
    return "\n".join([*lines, ""])


def bibliography() -> str:
    """BibTeX with each text in each field; braces are balanced, or else the rest would be no entry."""
    entries = []
    for number, text in enumerate(map(_writable, TEXTS)):
        text = text.replace("{", "").replace("}", "")
        fields = dict.fromkeys(
            ("title", "author", "booktitle", "note", "keywords", "abstract"), f"{text} and {text}"
        )
        fields |= {
            "year": "2020",
            "url": URLS[number % len(URLS)].replace("{", "").replace("}", ""),
            "doi": f"10.1145/{number}",
        }
        entries.append(
            f"@inproceedings{{k{number},\n"
            + ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items())
            + "\n}\n"
        )
    return "\n".join(entries)


def _writable(text: str) -> str:
    """A text as a file may hold it: without the half of a character, and without NUL, which makes it no text."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()
