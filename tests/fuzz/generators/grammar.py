"""A grammar of curated lists: what they are made of, with an oddity here and there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from fuzz.generators import fragments as piece


def make_list(random: Random) -> str:
    """Return a list: title, contents, sections, entries of one habit and some of another."""
    return _List(random).text()


class _List:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.oddity = random.choice((0.0, 0.02, 0.1, 0.3))
        self.habit = random.choice((self.classic, self.paper, self.labelled, self.bold))
        self.bullet = random.choice(("- ", "- ", "* ", "+ ", "1. ", "-   ", "*\t"))
        self.uniform = random.random() < 0.4
        """Whether the list is long and of one habit, but for a few entries: conventions are learned from such."""
        self.separator = self.pick(piece.SEPARATORS[:5])
        self.end = self.pick((".", ".", "", "。"))
        self.venue = self.pick(("(OSDI {})", "[NeurIPS {}]", "ICML, {}", "_SOSP'{}_", "{}"))
        self.people = self.pick(("Ann Lee, Bob Roe", "*Ann Lee, Bob Roe*", "A. Lee and B. Roe", ""))
        self.headings = [self.pick(piece.HEADINGS) for _ in range(random.randint(0, 4))]

    def text(self) -> str:
        blocks = [self.pick(piece.FRONT_MATTER)] if self.chance(0.05) else []
        if self.chance(0.7):
            blocks.append(f"# {self.pick(('Awesome X', 'Papers', 'List', '列表'))} {self.odd()}\n")
        if self.headings and self.chance(0.4):
            blocks.append(self.contents())
        for heading in self.headings or [""]:
            blocks.append(self.heading(heading))
            blocks += [self.block() for _ in range(self.random.randint(1, 3))]
        gap = self.random.choice(("\n", "\n", "\n", "", "\n\n"))
        text = gap.join(blocks)
        return text if self.chance(0.8) else text.rstrip("\n")

    def pick(self, values: Sequence[str]) -> str:
        return values[self.random.randrange(len(values))]

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def odd(self) -> str:
        """An oddity, seldom more than nothing."""
        if not self.chance(self.oddity):
            return ""
        return self.pick(self.random.choice((
            piece.MARKS, piece.MARKS, piece.EMOJI, piece.BADGES, piece.COMMENTS, piece.HTML, piece.CONTROLS, piece.STARTS,
        )))  # fmt: skip

    def words(self, most: int = 6) -> str:
        words = [
            self.pick(piece.WORDS if self.chance(self.oddity) else piece.PLAIN) + self.odd()
            for _ in range(self.random.randint(1, most))
        ]
        return " ".join(words).strip().capitalize()

    def url(self) -> str:
        return self.pick(piece.SCHEMES if self.chance(0.2) else ("https://",)) + self.pick(piece.HOSTS)

    def link(self, text: str) -> str:
        if not self.chance(self.oddity) or self.chance(0.5):
            return f"[{text}{self.odd()}]({self.odd()}{self.url()}{self.odd()})"
        return self.pick(
            (
                f"[{text}]({self.url()} \"{self.words(2)}\")", f"[{text}][x]", f"<{self.url()}>", self.url(), f"[{text}]()",
                f"[{text}](#{self.pick(piece.HEADINGS).lower()})", f"[{text}](./{self.words(1)}.md)", f"[{text}] ({self.url()})",
                f'<a href="{self.url()}">{text}</a>', f"[{text}]({self.url()}", f"![{text}]({self.url()})", f"[[{text}]]({self.url()})",
            )
        )  # fmt: skip

    def usual(self, usual: str, others: Sequence[str]) -> str:
        """Return what the list does, or an oddity's alternative."""
        return self.pick(others) if self.chance(self.oddity) else usual

    def when(self) -> str:
        """Return a venue with its year, as the list writes it."""
        return self.usual(self.venue.format(self.random.randint(2012, 2024)), piece.VENUES)

    def links(self, form: str) -> str:
        number = self.usual("2001.0", ("2001.0", "1909.", "", "abs/1.")) + str(
            self.random.randint(1000, 9999)
        )
        urls = [f"https://arxiv.org/abs/{number}", f"https://github.com/a/{number}"]
        labels = [self.usual(label, piece.LABELS) for label in ("Paper", "Code")]
        made = [
            form.format(label, url if not self.chance(self.oddity) else self.url())
            for label, url in zip(labels, urls, strict=True)
        ]
        return " ".join(made[: self.random.randint(1, 2)])

    def classic(self) -> str:
        name = (
            f"{self.pick(piece.NAMES)} {self.random.randint(1, 999)}"
            if self.uniform
            else self.pick(piece.NAMES)
        )
        separator = self.usual(self.separator, piece.SEPARATORS)
        return f"{self.link(name)}{separator}{self.words(8)}{self.usual(self.end, ('.', '', '。', '!', '..', ','))}"

    def paper(self) -> str:
        return f"{self.words(9)} {self.when()} {self.odd()}{self.links('[[{}]({})]')}"

    def labelled(self) -> str:
        people = self.usual(self.people, piece.PEOPLE)
        return f"{self.words(9)}, {people}. {self.when()} {self.links(chr(92) + '[[{}]({})' + chr(92) + ']')}"

    def bold(self) -> str:
        people = self.usual(self.people, piece.PEOPLE)
        return f"**{self.words(6)}** {self.odd()}{self.link(self.words(5))}{self.end} {people}. {self.when()}"

    def entry(self) -> str:
        made = self.habit
        if self.chance(self.oddity):
            made = self.random.choice((self.classic, self.paper, self.labelled, self.bold, self.words))
        return made() + self.odd()

    def heading(self, title: str) -> str:
        if self.chance(0.08):
            return f"{title or self.words(3)}\n{self.pick(('---', '===', '-'))}\n"
        return f"{'#' * self.random.choice((2, 2, 2, 3, 4))} {title or self.words(3)}{self.odd()}\n"

    def contents(self) -> str:
        items = [
            f"- [{heading}](#{heading.lower().replace(' ', '-')}{self.odd()})\n" for heading in self.headings
        ]
        return f"## Contents\n\n{''.join(items)}"

    def block(self) -> str:
        return self._block_kinds()[self.random.randrange(18)]()

    def _block_kinds(self) -> Sequence[Callable[[], str]]:
        return (*(self.items,) * 9, self.nested, self.nested, self.table, self.table, self.quote, self.code, self.notes, self.prose, self.html)  # fmt: skip

    def items(self) -> str:
        lines = []
        oddity = self.oddity
        for _ in range(self.random.randint(10, 30) if self.uniform else self.random.randint(1, 12)):
            self.oddity = oddity if not self.uniform else 0.3 if self.chance(0.1) else 0.0
            mark = self.bullet if not self.chance(self.oddity) else self.pick(piece.STARTS)
            lines.append(f"{mark}{self.entry()}\n")
            if self.chance(self.oddity):
                lines.append(self.pick(("\n", "  more text\n", "lazy text\n", "    - Authors\n", "\n  Second.\n", "  > quoted\n")))  # fmt: skip
        self.oddity = oddity
        return "".join(lines)

    def nested(self) -> str:
        depth, lines = 0, []
        for _ in range(self.random.randint(2, 9)):
            depth = max(0, min(depth + self.random.choice((-1, 0, 1, 1)), 6))
            indent = self.pick(("  ", "    ", "\t", " ", "   ")) if self.chance(self.oddity) else "  "
            mark = self.bullet if not self.chance(self.oddity) else self.pick(("- ", "* ", "1. ", "> ", "+ "))
            lines.append(
                f"{indent * depth}{mark}{self.entry() if self.chance(0.6) else self.pick(piece.PEOPLE)}\n"
            )
        return "".join(lines)

    def table(self) -> str:
        columns = self.random.randint(1, 5)
        head = [self.pick(piece.CELLS) for _ in range(columns)]
        rows = [head, [self.pick(("---", ":-:", "-", "--:")) for _ in head]]
        for _ in range(self.random.randint(1, 5)):
            wide = columns + (self.random.choice((-1, 1)) if self.chance(self.oddity) else 0)
            rows.append([self.cell() for _ in range(max(1, wide))])
        edge = "" if self.chance(0.1) else "|"
        return "".join(f"{edge} {' | '.join(row)} {edge}\n" for row in rows)

    def cell(self) -> str:
        return self.random.choice(
            (lambda: self.words(5), lambda: self.link(self.words(4)), lambda: self.pick(piece.VENUES), lambda: self.pick(piece.PEOPLE), self.odd)
        )()  # fmt: skip

    def quote(self) -> str:
        return f"> {self.words(5)}\n{self.pick(('> ', '', '>', '  '))}{self.entry()}\n"

    def code(self) -> str:
        fence = self.pick(("```", "~~~", "````"))
        return f"{fence}{self.pick(('', 'py', ' x'))}\n{self.entry()}\n{fence if self.chance(0.8) else ''}\n"

    def notes(self) -> str:
        return f'{self.words(4)}[^1] [x]\n\n[^1]: {self.words(4)}\n    {self.words(3)}\n\n[x]: {self.url()} "{self.words(2)}"\n'

    def prose(self) -> str:
        return f"{self.words(12)} {self.link(self.words(2))} {self.words(4)}\n"

    def html(self) -> str:
        return f"{self.pick(piece.HTML)}\n{self.pick(('', chr(10)))}{self.items()}\n"
