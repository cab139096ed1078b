"""markdown-it-py's block parser, extended to record the column at which the content of each block begins.

The rules are upstream's, except those for tables and paragraphs, which are faster. A rule is tried only on lines
whose first character can begin it. At the nesting depth where upstream drops the rest of the text, the rest is read
as paragraphs. Where GitHub reads a text otherwise than upstream, it is read as GitHub does: lines that are indented
by four columns continue a paragraph of a list or quote that has ended, lone tags do not, a footnote begins a
paragraph, and the header of a table begins no other block.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from markdown_it.common.html_re import HTML_OPEN_CLOSE_TAG_STR
from markdown_it.common.utils import MD_TRIM_CHARS
from markdown_it.parser_block import ParserBlock
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from shelfread.core.patterns import lazy
from shelfread.markdown.gfm import table_rule

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

BlockRule = Callable[[StateBlock, int, int, bool], bool]
# By a line's first character: the pattern that a rule begins with, and the rule.
RulesByCharacter = dict[str, list[tuple[re.Pattern[str], BlockRule]]]

MAX_BLOCK_DEPTH = 100  # the maximum nesting of lists, items and quotes, so that callers may recurse

# The first characters of each block rule and the pattern it begins with, in upstream's order. Tables,
# indented code and paragraphs can begin with any character.
_BEGINS = {
    "fence": ("~`", r"```|~~~"),
    "blockquote": (">", r">"),
    "hr": ("*-_", r"([*_-])[ \t]*\1[ \t]*\1"),
    "list": ("*-+0123456789", r"(?:[*+-]|[0-9]{1,9}[.)])(?=[ \t\n]|\Z)"),
    "footnote": ("[", r"\[\^[^\]\s]+\]:"),
    # A label ends at the first bracket that is not escaped, and a colon follows.
    "reference": ("[", r"\[(?![^\[\]\\\n]*(?:\[|\](?!:)))"),
    "html_block": ("<", r"<[A-Za-z/!?]"),
    "heading": ("#", r"#{1,6}(?=[ \t\n]|\Z)"),
}
# The chains of rules that upstream runs to find out whether a line ends the block before it.
_CHAINS = ("paragraph", "reference", "blockquote", "list")
_LONE_TAG = lazy(rf"{HTML_OPEN_CLOSE_TAG_STR.removeprefix('^')}[ \t\f]*$")
_CODE_INDENT = 4
# A possible setext heading underline, in any container. A newline to begin with is found much faster than `^`.
_SETEXT_UNDERLINE = lazy(r"\n[ \t>]*(?:-+|=+)[ \t]*(?=\n|\Z)")
_TYPES_WITH_COLUMNS = frozenset({"paragraph_open", "heading_open", "html_block"})


class LeanToken(Token):
    """A Token with literal defaults: a line of links has some forty, and no factories and conversions save time."""

    __slots__ = ()

    def __init__(
        self, type: str, tag: str, nesting: Literal[-1, 0, 1], level: int = 0, content: str = "",
        map: list[int] | None = None, block: bool = False,
    ) -> None:  # fmt: skip
        self.type = type
        self.tag = tag
        self.nesting = nesting
        self.attrs = {}
        self.map = map
        self.level = level
        self.children = None
        self.content = content
        self.markup = ""
        self.info = ""
        self.meta = {}
        self.block = block
        self.hidden = False


_PARAGRAPH_END = LeanToken("paragraph_close", "p", -1)


class BlockState(StateBlock):
    """A block state that knows the column of a line's content after the prefixes of its containers.

    The `meta` of a block's opening token gets `column` (where the block begins on its first line), `last`
    (the line after its last non-blank line) and, for paragraphs, headings and HTML, `columns` (where the
    content of each line begins).
    """

    def __init__(self, src: str, md: MarkdownIt, env: Any, tokens: list[Token]) -> None:
        super().__init__(src, md, env, tokens)
        self.line_starts = self.bMarks.copy()  # block quotes move bMarks
        self.items: list[Token] = []
        # the columns of the containers of the open items, in the innermost block quote.
        self.item_indents: list[int] = [0]
        self.outer_indents: list[list[int]] = []
        # the line of a table's header that ended a paragraph, in which fewer blocks can begin.
        self.table_in_paragraph = -1
        underlines = _SETEXT_UNDERLINE.finditer(src)
        self.underlines = [bisect_left(self.line_starts, match.start() + 1) for match in underlines]
        self.blanks = [i for i in range(self.lineMax) if self.isEmpty(i)] if self.underlines else []

    def may_be_setext(self, line: int) -> bool:
        """Return whether a possible setext underline follows the line before the next blank line."""
        i = bisect_left(self.underlines, line + 1)
        if i == len(self.underlines):
            return False
        blank = bisect_left(self.blanks, line)
        return blank == len(self.blanks) or self.blanks[blank] > self.underlines[i]

    def column(self, line: int) -> int:
        """Return the column, from 0, at which a line's content begins after its containers' prefixes."""
        return self.bMarks[line] + self.tShift[line] - self.line_starts[line]

    def is_lazy_code(self, indent: int) -> bool:
        """Return whether a line behind an open item is indented as code would be in the item around that."""
        return indent - max(outer for outer in self.item_indents if outer <= indent) >= _CODE_INDENT

    def without_blank_end(self, first: int, last: int) -> int:
        """Return the end of the lines `first` to `last` (half open) without the blank lines at their end."""
        while last > first + 1 and self.isEmpty(last - 1):
            last -= 1
        return last

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        """Push a LeanToken, and record where list items begin and end."""
        if nesting < 0:
            self.level -= 1
        token = LeanToken(ttype, tag, nesting, self.level, block=True)
        if nesting > 0:
            self.level += 1
        self.tokens.append(token)
        if ttype == "list_item_open":
            self.items.append(token)
            self.item_indents.append(self.blkIndent)
            token.meta = {"column": self.column(self.line)}
        elif ttype == "blockquote_open":
            self.outer_indents.append(self.item_indents)
            self.item_indents = [0]
        elif ttype == "blockquote_close":
            self.item_indents = self.outer_indents.pop()
        elif ttype == "list_item_close":
            item = self.items.pop()
            self.item_indents.pop()
            item.meta["last"] = self.without_blank_end((item.map or [0])[0], self.line)
        return token


class BlockParser(ParserBlock):
    """Upstream's loop, which tries only the rules that a line's first character can begin."""

    def index_rules(self) -> None:
        """Index the active rules by the characters that begin them."""
        rules: dict[str, BlockRule] = dict(
            zip(self.ruler.get_active_rules(), self.ruler.getRules(""), strict=True)
        )
        self.code, self.setext, self.reference = rules["code"], rules["lheading"], rules["reference"]
        chains = {chain: [*self.ruler.getRules(chain), _footnote] for chain in _CHAINS}
        for name, rule in rules.items():
            self.ruler.at(name, rule)
        rules["footnote"] = _footnote
        self.rules_by_character = _by_character(rules, list(rules.values()))
        for chain, members in chains.items():
            ends_block = _merge_rules(
                _by_character(rules, members), rules["table"] in members, chain == "blockquote"
            )
            self.ruler.push(f"{chain}_end", ends_block, {"alt": [chain]})

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
            if len(state.tokens) == count and state.line < end and state.sCount[state.line] < 0:
                # A lazy line below a definition is the rest of its paragraph.
                line, column = state.line, state.column(state.line)
                _paragraph(state, line)
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
        start = state.bMarks[line] + state.tShift[line]
        if (
            line + 1 < end
            and _may_be_delimiter_row(state, line + 1)
            and (line == state.table_in_paragraph or not self._begins_other_block(state, line, end))
            and table_rule(state, line, end, False)
        ):
            return
        for pattern, rule in self.rules_by_character.get(state.src[start], ()):
            if pattern.match(state.src, start) and rule(state, line, end, False):
                return
        if not state.may_be_setext(line) or not self.setext(state, line, end, False):
            _paragraph(state, line)

    def _begins_other_block(self, state: BlockState, line: int, end: int) -> bool:
        """Return whether a line that may be a table's header is a heading, an item or the like."""
        start = state.bMarks[line] + state.tShift[line]
        return any(
            rule is not self.reference and pattern.match(state.src, start) and rule(state, line, end, True)
            for pattern, rule in self.rules_by_character.get(state.src[start], ())
        )

    def parse(self, src: str, md: MarkdownIt, env: Any, tokens: list[Token]) -> list[Token] | None:
        if not src:
            return None
        state = BlockState(src, md, env, tokens)
        self.tokenize(state, state.line, state.lineMax)
        return state.tokens


def _paragraph(state: BlockState, start: int) -> None:
    """Upstream's paragraph rule, with a shortcut for paragraphs of one line."""
    (ends_block,) = state.md.block.ruler.getRules("paragraph")
    parent, state.parentType = state.parentType, "paragraph"
    line, end = start + 1, state.lineMax
    while line < end and not state.isEmpty(line):
        # Lines that are indented further, or belong to a block quote that has ended, continue the paragraph.
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


def _by_character(rules: dict[str, BlockRule], members: list[BlockRule]) -> RulesByCharacter:
    rules_by_character: RulesByCharacter = {}
    for name, (characters, pattern) in _BEGINS.items():
        if rules[name] in members:
            for character in characters:
                rules_by_character.setdefault(character, []).append((lazy(pattern), rules[name]))
    return rules_by_character


def _may_be_delimiter_row(state: StateBlock, line: int) -> bool:
    start = state.bMarks[line] + state.tShift[line]
    return state.src[start : start + 1] in "|-:"


def _footnote(state: StateBlock, line: int, end: int, silent: bool) -> bool:
    """Read a footnote, which is a link reference definition to CommonMark, as a paragraph."""
    assert isinstance(state, BlockState)
    if state.is_code_block(line):
        return False
    if not silent:
        _paragraph(state, line)
    return True


def _merge_rules(rules_by_character: RulesByCharacter, with_table: bool, ends_quote: bool) -> BlockRule:
    """Return one rule that tries all rules of a chain; `ends_quote` if it is asked of lines behind a quote."""

    def ends_block(state: StateBlock, line: int, end: int, silent: bool) -> bool:
        assert isinstance(state, BlockState)
        start = state.bMarks[line] + state.tShift[line]
        character, indent = state.src[start : start + 1], state.sCount[line]
        is_outside = indent < state.blkIndent
        if is_outside and (indent < 0 or (indent >= _CODE_INDENT and state.is_lazy_code(indent))):
            return False  # it continues a paragraph
        if (
            character == "<"
            and (is_outside or ends_quote)
            and _LONE_TAG.match(state.src, start, state.eMarks[line])
        ):
            return not state.is_code_block(line)
        for pattern, rule in rules_by_character.get(character, ()):
            if pattern.match(state.src, start) and rule(state, line, end, silent):
                return True
        if not with_table or line + 1 >= end or not _may_be_delimiter_row(state, line + 1):
            return False
        begins_table = table_rule(state, line, end, silent)
        state.table_in_paragraph = line if begins_table else -1
        return begins_table

    return ends_block


def _annotate(state: BlockState, line: int, column: int, count: int) -> None:
    """Record in the `meta` of the token at index `count` where the block that it opens stands."""
    if len(state.tokens) == count:  # a link reference definition
        columns = [state.column(i) for i in range(line, state.line)]
        state.env.setdefault("definitions", []).append((line, columns))
        return
    token = state.tokens[count]
    last = state.without_blank_end(line, (token.map or [line, line])[1])
    token.meta = {"column": column, "last": last}
    if token.type in _TYPES_WITH_COLUMNS:
        token.meta["columns"] = [column] if last == line + 1 else [state.column(i) for i in range(line, last)]
    elif token.type == "table_open":
        for row in state.tokens[count:]:
            if row.type == "row":
                number = (row.map or [line])[0]
                row.meta |= {"column": state.column(number), "last": number + 1}
