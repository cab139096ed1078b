"""markdown-it-py's block parser, told to remember at which column the content of each block begins.

The rules are upstream's own, but for those of tables and paragraphs, which say the same faster. They are tried only on lines whose first character can begin them, and at
the depth where upstream drops the rest of the text, the rest is read as paragraphs.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from markdown_it.common.utils import MD_TRIM_CHARS
from markdown_it.parser_block import ParserBlock
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from shelfread.core.support.regex import lazy
from shelfread.markdown.lean_token import LeanToken
from shelfread.markdown.table import table_rule

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

BlockRule = Callable[[StateBlock, int, int, bool], bool]
# By a line's first character: how a rule begins, and the rule.
RulesAt = dict[str, list[tuple[re.Pattern[str], BlockRule]]]

MAX_BLOCK_DEPTH = 100
"""How many lists, items and quotes may hold each other; consumers may recurse into them."""

# How each block rule begins, and with which characters, in upstream's order; a table, indented code and
# prose can begin anywhere.
_BEGINS = {
    "fence": ("~`", r"```|~~~"),
    "blockquote": (">", r">"),
    "hr": ("*-_", r"([*_-])[ \t]*\1[ \t]*\1"),
    "list": ("*-+0123456789", r"(?:[*+-]|[0-9]{1,9}[.)])(?=[ \t\n]|\Z)"),
    # A label ends with the first bracket that has no backslash, and a colon follows.
    "reference": ("[", r"\[(?![^\[\]\\\n]*(?:\[|\](?!:)))"),
    "html_block": ("<", r"<[A-Za-z/!?]"),
    "heading": ("#", r"#{1,6}(?=[ \t\n]|\Z)"),
}
# The chains of rules that upstream asks whether a line ends what stands before it.
_CHAINS = ("paragraph", "reference", "blockquote", "list")
# What may be a setext heading's underline, in whatever containers.
_UNDERLINE = lazy(r"^[ \t>]*(?:-+|=+)[ \t]*$", re.MULTILINE)
_PARAGRAPH_END = LeanToken("paragraph_close", "p", -1)
_LINED = frozenset({"paragraph_open", "heading_open", "html_block"})


class BlockState(StateBlock):
    """Knows the column of a line's content in the midst of its containers.

    A block's opening token gets `meta`: `column`, where it begins on its first line; `last`, the line
    after its last one that is not blank; of prose and HTML `columns`, where each line's content begins.
    """

    def __init__(self, src: str, md: MarkdownIt, env: Any, tokens: list[Token]) -> None:
        super().__init__(src, md, env, tokens)
        self.begins = self.bMarks.copy()  # quotes move bMarks
        self.items: list[Token] = []
        self.underlines = [bisect_left(self.begins, found.start()) for found in _UNDERLINE.finditer(src)]
        self.blanks = [i for i in range(self.lineMax) if self.isEmpty(i)] if self.underlines else []

    def may_be_setext(self, line: int) -> bool:
        """Whether what looks like an underline comes below a line before a blank line does."""
        i = bisect_left(self.underlines, line + 1)
        if i == len(self.underlines):
            return False
        blank = bisect_left(self.blanks, line)
        return blank == len(self.blanks) or self.blanks[blank] > self.underlines[i]

    def column(self, line: int) -> int:
        """Where the content of a line begins, its containers' marks taken off."""
        return self.bMarks[line] + self.tShift[line] - self.begins[line]

    def last(self, first: int, last: int) -> int:
        """The end of some lines without the blank ones at their end."""
        while last > first + 1 and self.isEmpty(last - 1):
            last -= 1
        return last

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        """Upstream's, with a lean token, and a note where items begin and end."""
        if nesting < 0:
            self.level -= 1
        token = LeanToken(ttype, tag, nesting, self.level, block=True)
        if nesting > 0:
            self.level += 1
        self.tokens.append(token)
        if ttype == "list_item_open":
            self.items.append(token)
            token.meta = {"column": self.column(self.line)}
        elif ttype == "list_item_close":
            item = self.items.pop()
            item.meta["last"] = self.last((item.map or [0])[0], self.line)
        return token


class BlockParser(ParserBlock):
    """Upstream's loop, with a look at a line's first character before a rule is tried."""

    def index_rules(self) -> None:
        """Sort the active rules by the characters that begin them."""
        rules: dict[str, BlockRule] = dict(
            zip(self.ruler.get_active_rules(), self.ruler.getRules(""), strict=True)
        )
        self.code, self.setext = rules["code"], rules["lheading"]
        chains = {chain: self.ruler.getRules(chain) for chain in _CHAINS}
        self.rules_at = _sort(rules, list(rules.values()))
        for name, rule in rules.items():
            self.ruler.at(name, rule)
        for chain, members in chains.items():
            ends = _ends_block(_sort(rules, members), rules["table"] in members)
            self.ruler.push(f"{chain}_end", ends, {"alt": [chain]})

    def tokenize(self, state: StateBlock, start: int, end: int) -> None:
        assert isinstance(state, BlockState)
        line, blank_before = start, False
        while line < end:
            state.line = line = state.skipEmptyLines(line)
            if line >= end or state.sCount[line] < state.blkIndent:
                break
            column, count = state.column(line), len(state.tokens)
            self._read_block(state, line, end)
            _annotate(state, line, column, count)
            state.tight = not blank_before
            line = state.line
            if line - 1 < end and state.isEmpty(line - 1):
                blank_before = True
            if line < end and state.isEmpty(line):
                blank_before = True
                state.line = line = line + 1

    def _read_block(self, state: BlockState, line: int, end: int) -> None:
        if state.level >= MAX_BLOCK_DEPTH:
            _paragraph(state, line)
            return
        if state.is_code_block(line):
            self.code(state, line, end, False)
            return
        if line + 1 < end and _may_underline(state, line + 1) and table_rule(state, line, end, False):
            return
        at = state.bMarks[line] + state.tShift[line]
        for begins, rule in self.rules_at.get(state.src[at], ()):
            if begins.match(state.src, at) and rule(state, line, end, False):
                return
        if not state.may_be_setext(line) or not self.setext(state, line, end, False):
            _paragraph(state, line)

    def parse(self, src: str, md: MarkdownIt, env: Any, tokens: list[Token]) -> list[Token] | None:
        if not src:
            return None
        state = BlockState(src, md, env, tokens)
        self.tokenize(state, state.line, state.lineMax)
        return state.tokens


def _paragraph(state: BlockState, start: int) -> None:
    """Upstream's rule, without the detour over indentation where a paragraph is one line."""
    (ends_block,) = state.md.block.ruler.getRules("paragraph")
    parent, state.parentType = state.parentType, "paragraph"
    line, end = start + 1, state.lineMax
    while line < end and not state.isEmpty(line):
        # What is indented by more, or belongs to a quote that has ended, goes on with the paragraph.
        indent = state.sCount[line]
        if 0 <= indent <= state.blkIndent + 3 and ends_block(state, line, end, True):
            break
        line += 1
    if line == start + 1:
        content = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
    else:
        content = state.getLines(start, line, state.blkIndent, False)
    state.line = line
    opening = LeanToken("paragraph_open", "p", 1, state.level, map=[start, line], block=True)
    inline = LeanToken("inline", "", 0, state.level + 1, content.strip(MD_TRIM_CHARS))
    state.tokens += opening, inline, _PARAGRAPH_END
    state.parentType = parent


def _sort(rules: dict[str, BlockRule], members: list[BlockRule]) -> RulesAt:
    rules_at: RulesAt = {}
    for name, (characters, pattern) in _BEGINS.items():
        if rules[name] in members:
            for character in characters:
                rules_at.setdefault(character, []).append((lazy(pattern), rules[name]))
    return rules_at


def _may_underline(state: StateBlock, line: int) -> bool:
    """Whether a line can be the one below a table's head."""
    at = state.bMarks[line] + state.tShift[line]
    return state.src[at : at + 1] in "|-:"


def _ends_block(rules_at: RulesAt, by_table: bool) -> BlockRule:
    """All rules of a chain as one."""

    def ends_block(state: StateBlock, line: int, end: int, silent: bool) -> bool:
        at = state.bMarks[line] + state.tShift[line]
        for begins, rule in rules_at.get(state.src[at : at + 1], ()):
            if begins.match(state.src, at) and rule(state, line, end, silent):
                return True
        if not by_table or line + 1 >= end or not _may_underline(state, line + 1):
            return False
        return table_rule(state, line, end, silent)

    return ends_block


def _annotate(state: BlockState, line: int, column: int, count: int) -> None:
    """Write what is known of the block just read into its opening token, the one at `count`."""
    if len(state.tokens) == count:  # a definition
        columns = [state.column(i) for i in range(line, state.line)]
        state.env.setdefault("definitions", []).append((line, columns))
        return
    token = state.tokens[count]
    last = state.last(line, (token.map or [line, line])[1])
    token.meta = {"column": column, "last": last}
    if token.type in _LINED:
        token.meta["columns"] = [column] if last == line + 1 else [state.column(i) for i in range(line, last)]
    elif token.type == "table_open":
        for row in state.tokens[count:]:
            if row.type == "row":
                number = (row.map or [line])[0]
                row.meta |= {"column": state.column(number), "last": number + 1}
