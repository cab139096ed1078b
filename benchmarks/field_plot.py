"""The plot of `field.py`: bars on a logarithmic scale, a group for each state, as an SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

_COLOURS = ("#0b6e99", "#d9730d", "#6940a5", "#448361", "#9f6b53", "#c14c8a")
_LEFT, _WIDTH, _BAR, _GAP = 170, 560, 11, 14


class Bar(NamedTuple):
    """One measured ratio."""

    group: str
    tool: str
    ratio: float


def draw(bars: Sequence[Bar]) -> str:
    """Return an SVG of bars, grouped in their order."""
    tools = list(dict.fromkeys(bar.tool for bar in bars))
    least = 10 ** math.floor(math.log10(min(bar.ratio for bar in bars)))
    most = 10 ** math.ceil(math.log10(max(bar.ratio for bar in bars)))
    scale = _WIDTH / math.log10(most / least)
    parts: list[str] = []
    height, group = 40.0, ""
    for bar in bars:
        if bar.group != group:
            group = bar.group
            height += _GAP
            middle = height + _BAR * len(tools) / 2 + 4
            parts.append(f'<text x="{_LEFT - 8}" y="{middle:.0f}" text-anchor="end">{escape(group)}</text>')
        width = max(math.log10(bar.ratio / least) * scale, 1)
        colour = _COLOURS[tools.index(bar.tool) % len(_COLOURS)]
        title = f"<title>{escape(bar.tool)}: {bar.ratio:.2f}</title>"
        parts.append(
            f'<rect x="{_LEFT}" y="{height:.0f}" width="{width:.1f}" height="{_BAR - 1}" fill="{colour}">{title}</rect>'
        )
        parts.append(
            f'<text x="{_LEFT + width + 4:.0f}" y="{height + 9:.0f}" class="value">{bar.ratio:.2g}</text>'
        )
        height += _BAR
    exponent = round(math.log10(least))
    while 10**exponent <= most:
        x = _LEFT + (exponent - math.log10(least)) * scale
        parts.insert(0, f'<line x1="{x:.0f}" x2="{x:.0f}" y1="44" y2="{height:.0f}" stroke="#ddd"/>')
        parts.append(
            f'<text x="{x:.0f}" y="{height + 16:.0f}" text-anchor="middle">{10.0**exponent:g}</text>'
        )
        exponent += 1
    for index, tool in enumerate(tools):
        x = 20 + index * 128
        parts.append(
            f'<rect x="{x}" y="10" width="10" height="10" fill="{_COLOURS[index % len(_COLOURS)]}"/>'
        )
        parts.append(f'<text x="{x + 14}" y="19">{escape(tool)}</text>')
    caption = "CPU time of a check, in parses of the same file with markdown-it-py (logarithmic)"
    parts.append(f'<text x="{_LEFT}" y="{height + 34:.0f}">{caption}</text>')
    size = f"0 0 {_LEFT + _WIDTH + 60} {height + 44:.0f}"
    style = "text{font:11px sans-serif;fill:#333}.value{font-size:9px}"
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}" role="img" aria-label="{caption}">\n'
        f'<style>{style}</style>\n<rect width="100%" height="100%" fill="#fff"/>\n{body}\n</svg>\n'
    )
