"""The positions of keys and values in a TOML text."""

from __future__ import annotations

import json
import tomllib

from hypothesis import given
from hypothesis import strategies as st

from undoku.toml_positions import positions_of

VALUES = st.recursive(
    st.one_of(st.integers(0, 99), st.booleans(), st.text(max_size=8), st.sampled_from(["a\nb#]"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


def dumped(value: object) -> str:
    """TOML of a value, on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{dumped(str(k))} = {dumped(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[ " + " , ".join(map(dumped, value)) + " ]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


@given(st.dictionaries(st.text(max_size=5), VALUES, max_size=4), st.integers(1, 3))
def test_every_value_of_a_text_is_found_at_its_position(table: dict[str, object], n: int) -> None:
    lines = [f"{dumped(key)} = {dumped(value)} # x = [" for key, value in table.items()]
    text = "".join("[[many]]\n" + "\n".join(lines) + "\n" for _ in range(n))
    content = tomllib.loads(text)
    positions = positions_of(text)
    for number, one in enumerate(content["many"]):
        for key, value in one.items():
            at = positions.value(("many", number, key))
            rest = text[at : text.index(" # x = [", at)]
            assert tomllib.loads(f"v = {rest}")["v"] == value
            if isinstance(value, list):
                for index, item in enumerate(value):
                    at = positions.value(("many", number, key, index))
                    assert text[at:].startswith(dumped(item))


def test_positions_of_dotted_keys_and_nested_tables() -> None:
    text = '[a.b]\nc."d e".f = """x\n"y""""\n[[a.l]]\nz=1\n[a.l.m]\nq = {r = 1, s.t = [2,\n 3]}\n'
    tomllib.loads(text)
    positions = positions_of(text)
    assert text[positions.value(("a", "b", "c", "d e", "f")) :].startswith('"""x')
    assert text[positions.value(("a", "l", 0, "z")) :].startswith("1\n")
    assert text[positions.value(("a", "l", 0, "m", "q", "s", "t", 1)) :].startswith("3]")
    assert text[positions.key(("a", "l", 0, "m", "q", "s")) :].startswith("s.t")
    assert positions.key(("a", "l", 0, "unknown")) == text.index("[[a.l]]")
