from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from rackwright.gate.waiver_file import append_waiver
from rackwright.model.gate import Waiver
from tests import build

ROW = "{check: a, node: b, reason: r, by: p, until: 2027-01-01}"
FILES = {
    "empty": "",
    "comments alone": "# nothing waived yet\n",
    "no value": "waivers:\n",
    "no value, comment": "waivers:   # none yet\n# the end\n",
    "empty list": "# ours\nwaivers: []  # none yet\n# the end\n",
    "empty list, no line end": "waivers: []",
    "flow rows": f"waivers:\n  - {ROW}   # the first\n# the end\n",
    "flow rows at the margin": f"waivers:\n- {ROW}\n\n\n# the end",
    "block rows": "waivers:\n  - check: a\n    node: b\n    reason: >-\n      long\n      words\n    by: p\n    until: 2027-01-01\n# the end\n",
    "block rows, text last": "waivers:\n  - check: a\n    node: b\n    by: p\n    until: 2027-01-01\n    reason: |\n      long\n      words\n# the end\n",
    "one flow list": f"waivers: [{ROW}]  # all in one\n",
    "one flow list over lines": f"waivers: [\n  {ROW},\n  {ROW.replace('a,', 'c,', 1)}\n]\n",
    "no line end": f"waivers:\n  - {ROW}",
}  # fmt: skip


def rows(text: str) -> list[dict[str, str]]:
    class Loader(yaml.SafeLoader):
        pass

    Loader.yaml_implicit_resolvers = {}
    return (yaml.load(text, Loader=Loader) or {}).get("waivers") or []


@pytest.mark.parametrize("name", FILES)
def test_a_row_is_added_and_nothing_else_changes(name: str) -> None:
    text = FILES[name]
    waiver = build.waiver(object="GPU 3", ticket="OPS-7")
    new = append_waiver(text, waiver)
    assert rows(new)[:-1] == rows(text)
    assert rows(new)[-1] == waiver.model_dump(exclude_defaults=True)
    for line in text.splitlines():
        if line.startswith("#") or "  #" in line:
            assert line.partition("#")[2] in new
    again = append_waiver(new, build.waiver("gpu.ecc"))
    assert rows(again)[:-1] == rows(new)


@pytest.mark.parametrize(
    ("text", "tail"),
    [
        ("waivers:\n- {check: a}\n- {check: b}  # two\n# end\n", "- {check: b}  # two\n- check: x\n"),
        ("waivers:\n  - check: a\n    by: [p,\n         q]\nother: 1\n", "         q]\n  - check: x\n"),
        ("waivers:\n  - check: a\n    reason: |\n      long\nother: 1\n", "      long\n  - check: x\n"),
        ("waivers:\n    - check: a\n      by: {}\nother: 1\n", "      by: {}\n    - check: x\n"),
        ("waivers: # none\n\nother: 1\n", "waivers: # none\n  - check: x\n"),
        ("waivers: []\nother: 1\n", "waivers:\n  - check: x\n"),
        ("waivers: null\nother: 1\n", "waivers:\n  - check: x\n"),
    ],
)
def test_a_row_stands_behind_the_last_one(text: str, tail: str) -> None:
    new = append_waiver(text, build.waiver("x"))
    assert tail in new
    rest = text.rpartition("other: 1")[1:]
    assert new.endswith("".join(rest) if rest[0] else "# end\n")


@pytest.mark.parametrize("text", ["- a\n", "waivers: word\n", "waivers: {a: 1}\n", "just a word"])
def test_a_file_of_another_kind_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"no mapping|no list"):
        append_waiver(text, build.waiver())


words = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=1, max_size=60)


@given(words, words, st.sampled_from(list(FILES)))
def test_any_words_come_back(reason: str, by: str, name: str) -> None:
    waiver = build.waiver(reason=reason, by=by)
    assert Waiver(**rows(append_waiver(FILES[name], waiver))[-1]) == waiver
