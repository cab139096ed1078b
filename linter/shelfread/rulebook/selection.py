"""Select the rules that run on a file: by presets, --select and --ignore, and settings of rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from shelfread.core.errors import ConfigError, UserError
from shelfread.project.config import EMPTY, Config, RuleSetting
from shelfread.rulebook.metadata import (
    NETWORK_PRESETS,
    PRESETS,
    BoundRule,
    OptionError,
    RuleMetadata,
    bind,
    load_rules,
)

CUSTOM_RULES = ".shelfread/rules"
# The rules about links that are proven to lead nowhere.
BROKEN_LINK_RULES = ("link/dead", "link/missing-file", "link/missing-anchor")
# The rules of `shelfread links` that need no network. What is no URL is said to be that, as `check` says it.
LOCAL_LINK_RULES = ("link/malformed", "link/missing-file", "link/missing-anchor")


class Selection(NamedTuple):
    """All rules, and what the command line and the configuration select."""

    rules: Mapping[str, RuleMetadata]
    presets: tuple[str, ...] | None  # none: detected for each list
    select: frozenset[str] | None  # these instead of the presets' rules
    ignore: frozenset[str]
    narrowed: bool  # the command line leaves out rules that usually run
    config: Config

    @property
    def partly_online(self) -> frozenset[str]:
        """The families of which some rules run only in commands that use the network."""
        return frozenset(self.rules[id].family for id in _network_rules(self.rules))


def select(
    config: Config, presets: Sequence[str] = (), selected: Sequence[str] = (), ignored: Sequence[str] = ()
) -> Selection:
    """Return what `shelfread check` runs, first by the command line; raises ConfigError for unknown names."""
    rules = _load_checked_catalogue(config)
    online = _network_rules(rules)
    for name in selected:
        if (command := online.get(name)) is not None:
            raise ConfigError(f"{name} needs the network: run 'shelfread {command} --select {name}'")
    for preset in presets:
        if (command := NETWORK_PRESETS.get(preset)) is not None:
            raise ConfigError(f"the rules of '{preset}' need the network: run 'shelfread {command}'")
    if not presets and config.presets:
        presets = config.presets
    for preset in presets:
        if preset not in PRESETS:
            raise _unknown(EMPTY, [], "preset", preset, PRESETS)
    ignore = _ignored_rules(config, rules, selected, ignored).union(online)
    chosen = None
    if selected:
        chosen = expand_names(selected, rules)
    elif config.select:
        chosen = expand_names(config.select, rules, config, "select")
        chosen |= {id for id, setting in config.rules.items() if setting.enabled}
    return Selection(rules, tuple(presets) or None, chosen, ignore, bool(selected or ignored), config)


def select_of_command(
    command: str,
    config: Config,
    selected: Sequence[str] = (),
    ignored: Sequence[str] = (),
    offline: bool = False,
) -> Selection:
    """Return what `shelfread links` or `complete` runs, `offline` no rule that needs the network; raises ConfigError."""
    rules = _load_checked_catalogue(config)
    owners = _network_rules(rules)
    available = frozenset(() if offline else (id for id, owner in owners.items() if owner == command))
    if command == "links":
        available |= set(LOCAL_LINK_RULES)
    for name in selected:
        if not expand_names([name], rules) & available:
            owner = owners.get(name, "check")
            reason = "needs the network" if owner == command else f"is a rule of 'shelfread {owner}'"
            raise ConfigError(f"{name} {reason}: available here are {', '.join(sorted(available))}")
    chosen = expand_names(selected, rules) & available if selected else available
    ignore = _ignored_rules(config, rules, selected, ignored)
    if chosen <= ignore:
        raise ConfigError(f"no rule of {command} is left to run: check --ignore and the configuration")
    return Selection(rules, None, chosen, ignore, True, config)


def _network_rules(rules: Mapping[str, RuleMetadata]) -> dict[str, str]:
    """Return the rules that need the network, each with the command that runs it."""
    return {
        id: NETWORK_PRESETS[preset]
        for id, rule in rules.items()
        for preset in rule.presets
        if preset in NETWORK_PRESETS
    }


def _ignored_rules(
    config: Config, rules: Mapping[str, RuleMetadata], selected: Sequence[str], ignored: Sequence[str]
) -> frozenset[str]:
    off = {id for id, setting in config.rules.items() if setting.enabled is False}
    ignore = expand_names(config.ignore, rules, config, "ignore") | off
    # A rule that the command line selects by its id runs, whatever the configuration ignores.
    return ignore.difference(selected) | expand_names(ignored, rules)


def load_catalogue(config: Config) -> dict[str, RuleMetadata]:
    """Return the bundled rules and the list's own, which take precedence."""
    rules = load_rules()
    custom = load_rules(config.folder / CUSTOM_RULES, custom=True) if config.folder is not None else {}
    return dict(sorted({**rules, **custom}.items())) if custom else rules


def _load_checked_catalogue(config: Config) -> dict[str, RuleMetadata]:
    rules = load_catalogue(config)
    for id in config.rules:
        if id not in rules:
            raise _unknown(config, ["rules", id], "rule", id, rules)
    return rules


def presets_of(selection: Selection, detected: Iterable[str]) -> tuple[str, ...]:
    """Return a list's presets: core, the selected or else the detected, and `taxonomy` if it has one."""
    detected = tuple(detected)
    always = ("core", "taxonomy") if "taxonomy" in detected else ("core",)
    return (*always, *(name for name in selection.presets or detected if name not in always))


def bind_rules(selection: Selection, presets: Sequence[str]) -> tuple[BoundRule, ...]:
    """Return the rules for lists with these presets, bound to their options."""
    chosen = selection.select
    if chosen is None:
        chosen = frozenset(
            id
            for id, rule in selection.rules.items()
            if not set(presets).isdisjoint(rule.presets) or _setting(selection, id).enabled
        )
    chosen -= selection.ignore
    return tuple(_bind(selection, rule) for id, rule in selection.rules.items() if id in chosen)


def expand_names(
    names: Iterable[str], rules: Mapping[str, RuleMetadata], config: Config = EMPTY, key: str = ""
) -> frozenset[str]:
    """Return the ids of rules and families (`link`, `link/*`); raises ConfigError for unknown names."""
    families: dict[str, list[str]] = {}
    for rule in rules.values():
        families.setdefault(rule.family, []).append(rule.id)
    found: set[str] = set()
    for index, name in enumerate(names):
        family = name.removesuffix("/*")
        if name in rules:
            found.add(name)
        elif family in families:
            found.update(families[family])
        else:
            raise _unknown(config, [key, index], "rule or family", name, [*rules, *families])
    return frozenset(found)


def _bind(selection: Selection, rule: RuleMetadata) -> BoundRule:
    setting = _setting(selection, rule.id)
    try:
        return bind(rule, setting.options, setting.severity)
    except OptionError as error:
        raise selection.config.fail(error.message, ["rules", rule.id, error.option], key=True) from None


def _setting(selection: Selection, id: str) -> RuleSetting:
    return selection.config.rules.get(id, RuleSetting())


def _unknown(
    config: Config, keys: Sequence[str | int], kind: str, name: str, known: Iterable[str]
) -> UserError:
    from shelfread.core.wording import did_you_mean

    return config.fail(f"there is no {kind} '{name}'{did_you_mean(name, known)}", keys)
