"""YAML is read strictly, and every complaint says where."""

from __future__ import annotations

from pathlib import Path

import pytest

from shelfread.core.errors import ConfigError, TaxonomyError
from shelfread.core.yaml_files import MAX_BYTES, MAX_DEPTH, YamlFile, read, scalar


def parse(text: str, line: int = 1) -> YamlFile:
    return YamlFile(text, "x.yaml", ConfigError, line)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("yes", "yes"),
        ("off", "off"),
        ("true", True),
        ("2020-01-31", "2020-01-31"),
        ("12:30", "12:30"),
        ("010", "010"),
        ("0x1f", "0x1f"),
        ("1_000", "1_000"),
        ("-17", -17),
        ("1.50", 1.5),
        (".5", ".5"),
        ("2000..2020/2", "2000..2020/2"),
        ("~", None),
        ("", None),
        ("'true'", "true"),
        ('"12"', "12"),
    ],
)
def test_plain_scalars(text: str, value: object) -> None:
    data = parse(f"a: {text}\n").data["a"]
    assert (data, type(data)) == (value, type(value))


def test_keys_are_text() -> None:
    assert parse("{2013: 1, true: 2, ~: 3}").data == {"2013": 1, "true": 2, "~": 3}


def test_nesting_aliases_and_emptiness() -> None:
    assert parse("a: &x [1, {b: [2]}]\nc: *x\nd: &k e\nf: *k\n").data == {
        "a": [1, {"b": [2]}],
        "c": [1, {"b": [2]}],
        "d": "e",
        "f": "e",
    }
    assert parse("# nothing\n").data is None
    assert scalar("007") == "007"


BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: 1\nb: 2\n  a: 3\n", "x.yaml:3:4: not YAML: mapping values are not allowed"),
        ("a: 1\nb: {c: 1, d: 2, c: 3}\n", "x.yaml:2:17: the key 'c' is repeated"),
        ("a: 1\n? [b]\n: 2\n", "x.yaml:2:3: a key must be text"),
        (
            "a: !!python/object:os.system x\n",
            "x.yaml:1:4: tags are not supported (tag:yaml.org,2002:python/object:os.system)",
        ),
        ("a: !!set {b}\n", "x.yaml:1:4: tags are not supported (tag:yaml.org,2002:set)"),
        ("a: *b\n", "x.yaml:1:4: the alias *b has no anchor before it"),
        ("a: &a [*a]\n", "x.yaml:1:8: the alias *a has no anchor before it"),
        ("a: &k b\n*k : 1\n", "x.yaml:2:1: a key must be text, not an alias"),
        ("a: 1\n---\nb: 1\n", "x.yaml:2:1: a second document begins here: only one is allowed"),
        ("a:\n\tb: 1\n", "x.yaml:2:1: not YAML: a tab stands before a key or value: write blanks"),
        ("a: [1, 2\n", "x.yaml:2:1: not YAML"),
        ("a: \x07\n", "x.yaml: not YAML"),
        (BOMB, "x.yaml:6:24: more than 400000 values with aliases expanded"),
        ("[" * 100, f"x.yaml:1:{MAX_DEPTH + 1}: nested deeper than {MAX_DEPTH}"),
        ("- " * 300_000, f"x.yaml:1:{2 * MAX_DEPTH + 1}: nested deeper than {MAX_DEPTH}"),
    ],
)
def test_what_is_refused(text: str, said: str) -> None:
    with pytest.raises(ConfigError) as error:
        parse(text)
    assert str(error.value).startswith(said)


PLACED = """\
títle: é
rules:
  a/b: [x, {y: z}]
  "c/d":
    - deep: {er: 1}
"""


@pytest.mark.parametrize(
    ("keys", "key", "place"),
    [
        (["títle"], False, (1, 8)),
        (["rules", "a/b", 1, "y"], False, (3, 16)),
        (["rules", "a/b", 1, "y"], True, (3, 13)),
        (["rules", "c/d"], True, (4, 3)),
        (["rules", "c/d", 0, "deep", "er"], False, (5, 18)),
        (["rules", "none"], False, (3, 3)),
        (["rules", "a/b", 7], False, (3, 8)),
        ([], False, (1, 1)),
    ],
)
def test_places(keys: list[str | int], key: bool, place: tuple[int, int]) -> None:
    assert parse(PLACED).place(keys, key) == place


def test_lines_count_from_where_the_text_stands() -> None:
    assert parse("a: b\nc: d\n", line=3).place(["c"]) == (4, 4)
    with pytest.raises(ConfigError, match=r"^x\.yaml:5:1: the key 'a'"):
        parse("a: b\na: c\n", line=4)


def test_an_anchor_set_twice_is_read_and_placed_at_the_top() -> None:
    assert parse("a: &x 1\nb: &x 2\nc: *x\n").data["c"] == 2
    assert parse("a: &x 1\nb: &x 2\n").place(["b"]) == (1, 1)


def test_files(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_bytes(b"\xef\xbb\xbfa: 1\r\nb: 2\r\n")
    assert read(file, ConfigError).data == {"a": 1, "b": 2}
    assert read(file, ConfigError).place(["b"]) == (2, 4)
    file.write_bytes(b"a: 1\nb: \xff\n")
    with pytest.raises(TaxonomyError, match=r"a\.yaml:2: not UTF-8"):
        read(file, TaxonomyError)
    file.write_bytes(b"#" * (MAX_BYTES + 1))
    with pytest.raises(ConfigError, match="more than 4 MiB"):
        read(file, ConfigError)
    with pytest.raises(ConfigError, match="cannot be read"):
        read(tmp_path / "none.yaml", ConfigError)
