from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rackwright.export.hostlist import hostlist


def expanded(text: str) -> list[str]:
    """Reads a host list as hostlist(3) describes it: ranges have the width of their start."""
    names: list[str] = []
    for word in re.findall(r"[^,\[]+(?:\[[^\]]*\])?", text):
        prefix, _, inside = word.partition("[")
        for part in inside.rstrip("]").split(",") if inside else [""]:
            first, _, last = part.partition("-")
            width = len(first)
            numbers = range(int(first), int(last or first) + 1) if first else []
            names += [f"{prefix}{number:0{width}d}" for number in numbers] if first else [prefix]
    return names


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ([], ""),
        (["a"], "a"),
        (["a1"], "a1"),
        (["a01", "a02", "a03"], "a[01-03]"),
        (["a3", "a1", "a2", "a5", "a1"], "a[1-3,5]"),
        (["a9", "a10"], "a[9,10]"),
        ([f"n-{i:03d}" for i in range(998, 1002)], "n-[998-999,1000-1001]"),
        (["login", "b1", "a1"], "login,b1,a1"),
        (["p1-x-01", "p1-x-02"], "p1-x-[01-02]"),
    ],
)
def test_said(names, message):
    assert hostlist(names) == message


@given(st.lists(st.tuples(st.sampled_from(["a", "b-", "a1-"]), st.integers(0, 1200), st.sampled_from([0, 3, 4]))))
def test_every_name_comes_back_once(parts):
    names = [f"{prefix}{number:0{width}d}" for prefix, number, width in parts]
    assert sorted(expanded(hostlist(names))) == sorted(set(names))
