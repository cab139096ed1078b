"""markdown-it-py's inline parser, extended to record where each inline token stands.

The rules are upstream's. Two things differ from its parser, and neither changes the result: every inline token
gets its offsets in `token.map` (which upstream leaves empty), and a rule is tried only at the characters that can
begin it. One changes it: `*`, `_` and `~` within a bare URL are a part of it, as on GitHub.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Literal

from markdown_it import MarkdownIt
from markdown_it.helpers import parseLinkDestination, parseLinkLabel, parseLinkTitle
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from shelfread.core.patterns import lazy
from shelfread.markdown.blocks import BlockParser, LeanToken
from shelfread.markdown.gfm import url_end

RuleFunction = Callable[[StateInline, bool], bool]

# The characters that can begin each inline rule of the CommonMark preset and strikethrough.
_BEGINS = {
    "newline": "\n",
    "escape": "\\",
    "backticks": "`",
    "strikethrough": "~",
    "emphasis": "*_",
    "link": "[",
    "image": "!",
    "autolink": "<",
    "html_inline": "<",
    "entity": "&",
}
# No rule begins with `]`, but upstream's search for the end of a label stops at it.
_SPECIAL = lazy(r"[\n\\`~*_\[\]!<&]")
# Every character here is literal.
_PLAIN_DESTINATION = lazy(r"[^\s()<>\\&\x00-\x1f\x7f]+(?=[ \n)])")


class _Helpers(SimpleNamespace):
    """Upstream's helpers, which also record the range that they read last (half open, in the inline content).

    The names with `noqa: N8..` are upstream's.
    """

    destination: tuple[int, int] = (0, 0)
    title: tuple[int, int] = (0, 0)

    parseLinkLabel = staticmethod(parseLinkLabel)  # noqa: N815

    def parseLinkDestination(self, string: str, pos: int, maximum: int) -> Any:  # noqa: N802
        if plain := _PLAIN_DESTINATION.match(string, pos, maximum):
            self.destination = plain.span()
            return SimpleNamespace(ok=True, pos=plain.end(), str=plain.group())
        result = parseLinkDestination(string, pos, maximum)
        self.destination = (pos, result.pos) if result.ok else (pos, pos)
        return result

    def parseLinkTitle(self, string: str, start: int, maximum: int, previous: Any = None) -> Any:  # noqa: N802
        result = parseLinkTitle(string, start, maximum, previous)
        self.title = (start, result.pos)
        return result


class _State(StateInline):
    """Records where each token begins. `text_start` is the start of the pending text, -1 if there is none."""

    text_start = -1
    has_delimiters = False  # that may turn out to be emphasis

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        token = super().push(ttype, tag, nesting)
        self.text_start = -1
        start = self.pos
        if ttype == "text":
            self.has_delimiters = True
            # The delimiters of a run are pushed one by one while `pos` stays at its start. An autolink's text
            # is pushed while `pos` is at the `<`.
            previous = self.tokens[-2] if len(self.tokens) > 1 else None
            if previous is not None and previous.type == "text" and previous.map and previous.map[0] >= start:
                start = previous.map[0] + len(previous.content)
            elif self.src.startswith("<", start):
                start += 1
        elif ttype in ("link_open", "image"):
            helpers = self.md.helpers
            token.meta = {"destination": helpers.destination, "title": helpers.title}
            if ttype == "link_open":
                token.meta["text"] = start, self.posMax
        token.map = [start, self.pos]
        return token

    def pushPending(self) -> Token:  # noqa: N802
        token = LeanToken("text", "", 0, self.pendingLevel, self.pending, [self.text_start, self.pos])
        self.tokens.append(token)
        self.pending = ""
        self.text_start = -1
        return token


class _Parser(ParserInline):
    """Upstream's loops, which try only the rules that the current character can begin."""

    def __init__(self) -> None:
        super().__init__()
        self.rules_by_character: dict[str, list[RuleFunction]] = {}

    def index_rules(self) -> None:
        """Index the active rules by the characters that begin them, in upstream's order."""
        functions = dict(zip(self.ruler.get_active_rules(), self.ruler.getRules(""), strict=True))
        for name in ("emphasis", "strikethrough"):
            functions[name] = _outside_of_urls(functions[name])
            self.ruler.at(name, functions[name])
        self.rules_by_character = {"]": []}
        for name, characters in _BEGINS.items():
            for character in characters:
                self.rules_by_character.setdefault(character, []).append(functions[name])

    def tokenize(self, state: StateInline) -> None:
        assert isinstance(state, _State)
        src, end, tokens = state.src, state.posMax, state.tokens
        rules_by_character, nested = self.rules_by_character, state.level >= state.md.options["maxNesting"]
        while state.pos < end:
            pos = state.pos
            if state.text_start < 0:
                state.text_start = pos
            rules = rules_by_character.get(src[pos])
            if rules is None:
                match = _SPECIAL.search(src, pos, end)
                state.pos = match.start() if match else end
                state.append_pending(src[pos : state.pos])
                continue
            if not nested:
                count = len(tokens)
                for rule in rules:
                    if rule(state, False):
                        break
                else:
                    rules = None
                if rules is not None:
                    if len(tokens) > count:
                        tokens[-1].map = [(tokens[-1].map or [pos])[0], state.pos]
                    continue
            state.append_pending(src[pos])
            state.pos += 1
        if state.pending:
            state.pushPending()

    def parse(self, src: str, md: MarkdownIt, env: Any, tokens: list[Token]) -> list[Token]:
        if src and _SPECIAL.search(src) is None:
            tokens.append(LeanToken("text", "", 0, 0, src, [0, len(src)]))
            return tokens
        helpers: Any = md.helpers
        # An image's text is parsed while the image is being parsed.
        saved = helpers.destination, helpers.title
        state = _State(src, md, env, tokens)
        self.tokenize(state)
        if state.has_delimiters:
            for rule in self.ruler2.getRules(""):
                rule(state)
            if "~~~" in src:
                _map_moved_tildes(tokens)
        helpers.destination, helpers.title = saved
        return tokens


def _map_moved_tildes(tokens: list[Token]) -> None:
    """Correct the offsets of odd runs of closing tildes, whose first tilde upstream moves behind the others."""
    for i, token in enumerate(tokens):
        if token.type != "text" or token.content != "~" or not token.map:
            continue
        offset = token.map[0]
        first = i
        while first and tokens[first - 1].type == "s_close" and (tokens[first - 1].map or [0])[0] > offset:
            first -= 1
        for moved in tokens[first : i + 1] if first < i else ():
            size = len(moved.markup or moved.content)
            moved.map = [offset, offset + size]
            offset += size


def _outside_of_urls(rule: RuleFunction) -> RuleFunction:
    def delimiter(state: StateInline, silent: bool) -> bool:
        if state.src[state.pos] not in "*_~":  # a skipped token is tried with all rules
            return False
        end = url_end(state.src, state.pos, state.posMax) if not state.linkLevel else 0
        if end <= state.pos:
            return rule(state, silent)
        if not silent:
            state.pending += state.src[state.pos : end]
        state.pos = end
        return True

    return delimiter


def make_parser() -> MarkdownIt:
    """Return a parser of CommonMark with tables and strikethrough, whose tokens know their offsets."""
    md = MarkdownIt("commonmark")
    md.block, md.inline = BlockParser(), _Parser()
    md.configure("commonmark").enable(["table", "strikethrough"])
    md.disable(["text_join", "fragments_join"])
    md.options["store_labels"] = True
    # Destinations stay as written: nothing is rendered, and rules must see `javascript:` links.
    md.normalizeLink = lambda url: url  # type: ignore[method-assign]
    md.normalizeLinkText = lambda link: link  # type: ignore[method-assign]
    md.validateLink = lambda url: True  # type: ignore[method-assign]
    md.helpers = _Helpers()  # type: ignore[assignment]
    md.block.index_rules()
    md.inline.index_rules()
    return md
