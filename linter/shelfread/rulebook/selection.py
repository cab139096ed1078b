"""Which rules run on a file: presets, --select and --ignore, and what the config says of single rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from shelfread.core.errors import ConfigError, UserError
from shelfread.project.config import EMPTY, Config, RuleSetting
from shelfread.rulebook.binding import BoundRule, OptionError, bind
from shelfread.rulebook.metadata import ONLINE, PRESETS, RuleMetadata, load

OWN = ".shelfread/rules"
LOCAL = ("link/missing-file", "link/missing-anchor")
"""The half of `shelfread links` that asks no network."""


class Selection(NamedTuple):
    """The catalogue, and what command line and config take from it."""

    cards: Mapping[str, RuleMetadata]
    presets: tuple[str, ...] | None
    """Pinned; None: as detected in each list."""
    select: frozenset[str] | None
    """These instead of the presets' rules."""
    ignore: frozenset[str]
    narrowed: bool
    """The command line leaves out what the list is usually checked by."""
    config: Config

    @property
    def aside(self) -> frozenset[str]:
        """The families of which some rules run in `links` alone."""
        return frozenset(card.family for card in self.cards.values() if ONLINE in card.presets)


def select(
    config: Config,
    presets: Sequence[str] = (),
    selected: Sequence[str] = (),
    ignored: Sequence[str] = (),
) -> Selection:
    """What is to run, the command line's word before the config's; raises ConfigError for unknown names."""
    cards = _checked_catalogue(config)
    online = _of_the_web(cards)
    for name in online.intersection(selected):
        raise ConfigError(f"{name} asks the web: 'shelfread links --select {name}'")
    if ONLINE in presets:
        raise ConfigError(f"the rules of '{ONLINE}' ask the web: 'shelfread links'")
    if not presets and config.presets:
        presets = config.presets
    for preset in presets:
        if preset not in PRESETS:
            raise _unknown(EMPTY, [], "preset", preset, PRESETS)
    ignore = _ignored(config, cards, selected, ignored) | online
    chosen = None
    if selected:
        chosen = expand(selected, cards)
    elif config.select:
        chosen = expand(config.select, cards, config, "select")
    if not selected and chosen is not None:
        chosen |= {id for id, setting in config.rules.items() if setting.enabled}
    return Selection(
        cards, tuple(presets) or None, chosen, frozenset(ignore), bool(selected or ignored), config
    )


def select_links(
    config: Config, selected: Sequence[str] = (), ignored: Sequence[str] = (), offline: bool = False
) -> Selection:
    """What `links` runs: the rules of the web, unless `offline`, and of local links; raises as select does."""
    cards = _checked_catalogue(config)
    able = frozenset(LOCAL) if offline else _of_the_web(cards).union(LOCAL)
    chosen = able
    if selected:
        chosen = expand(selected, cards) & able
        for name in selected:
            if not expand([name], cards) & able:
                where = (
                    "asks the web" if name in cards and ONLINE in cards[name].presets else "is for 'check'"
                )
                raise ConfigError(f"{name} {where}: here run {', '.join(sorted(able))}")
    ignore = _ignored(config, cards, selected, ignored)
    if chosen <= ignore:
        raise ConfigError("no rule of links is left to run: look at --ignore and the configuration")
    return Selection(cards, None, chosen, ignore, True, config)


def _of_the_web(cards: Mapping[str, RuleMetadata]) -> frozenset[str]:
    return frozenset(id for id, card in cards.items() if ONLINE in card.presets)


def _ignored(
    config: Config, cards: Mapping[str, RuleMetadata], selected: Sequence[str], ignored: Sequence[str]
) -> frozenset[str]:
    off = {id for id, setting in config.rules.items() if setting.enabled is False}
    ignore = expand(config.ignore, cards, config, "ignore") | off
    # Whoever names a rule on the command line means it, whatever the config says.
    return ignore.difference(selected) | expand(ignored, cards)


def catalogue(config: Config) -> dict[str, RuleMetadata]:
    """The bundled rules and the list's own, which go before; the nearest before those of what is extended."""
    cards = load()
    own = {id: card for folder in config.folders for id, card in load(folder / OWN, own=True).items()}
    return dict(sorted({**cards, **own}.items())) if own else cards


def _checked_catalogue(config: Config) -> dict[str, RuleMetadata]:
    cards = catalogue(config)
    for id in config.rules:
        if id not in cards:
            raise _unknown(config, ["rules", id], "rule", id, cards)
    return cards


def presets_of(selection: Selection, detected: Iterable[str]) -> tuple[str, ...]:
    """The presets that hold for a list: core, what is pinned or detected, and `taxonomy` where one is named."""
    detected = tuple(detected)
    always = ("core", "taxonomy") if "taxonomy" in detected else ("core",)
    return (*always, *(name for name in selection.presets or detected if name not in always))


def bind_rules(selection: Selection, presets: Sequence[str]) -> tuple[BoundRule, ...]:
    """The rules for lists of these presets, bound to their options."""
    chosen = selection.select
    if chosen is None:
        chosen = frozenset(
            id
            for id, card in selection.cards.items()
            if not set(presets).isdisjoint(card.presets) or _setting(selection, id).enabled
        )
    chosen -= selection.ignore
    return tuple(_bind(selection, card) for id, card in selection.cards.items() if id in chosen)


def expand(
    names: Iterable[str], cards: Mapping[str, RuleMetadata], config: Config = EMPTY, key: str = ""
) -> frozenset[str]:
    """The ids that ids and families (`link`, `link/*`) stand for; raises ConfigError for unknown ones."""
    families: dict[str, list[str]] = {}
    for card in cards.values():
        families.setdefault(card.family, []).append(card.id)
    found: set[str] = set()
    for at, name in enumerate(names):
        family = name.removesuffix("/*")
        if name in cards:
            found.add(name)
        elif family in families:
            found.update(families[family])
        else:
            raise _unknown(config, [key, at], "rule or family", name, [*cards, *families])
    return frozenset(found)


def _bind(selection: Selection, card: RuleMetadata) -> BoundRule:
    setting = _setting(selection, card.id)
    try:
        return bind(card, setting.options, setting.severity)
    except OptionError as error:
        raise selection.config.fail(error.message, ["rules", card.id, error.option], key=True) from None


def _setting(selection: Selection, id: str) -> RuleSetting:
    return selection.config.rules.get(id, RuleSetting())


def _unknown(
    config: Config, keys: Sequence[str | int], what: str, name: str, known: Iterable[str]
) -> UserError:
    from shelfread.core.support.suggest import did_you_mean

    return config.fail(f"there is no {what} '{name}'{did_you_mean(name, known)}", keys)
