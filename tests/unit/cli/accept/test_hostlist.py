"""Lists of nodes as Slurm reads them: what they stand for is what they were made of."""

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rackwright.cli.accept.hostlist import hostlist

NAMES = st.from_regex(r"[a-z]{1,2}(-[0-9]{1,2}){0,2}(-[a-z])?", fullmatch=True)


def expanded(text: str) -> list[str]:
    """What Slurm makes of a list (`scontrol show hostnames`)."""
    names = []
    for word in re.findall(r"(?:[^,\[]|\[[^\]]*\])+", text):
        parts = [_numbers(part[1:-1]) if part[0] == "[" else [part] for part in re.findall(r"\[[^\]]*\]|[^\[]+", word)]
        names += ["".join(parts_of_name) for parts_of_name in product(*parts)]
    return names


def _numbers(text: str) -> list[str]:
    names = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        names += [f"{number:0{len(first)}d}" for number in range(int(first), int(last or first) + 1)]
    return names


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ([], ""),
        (["train-007"], "train-007"),
        (["train-001", "train-002", "train-003", "train-007"], "train-[001-003,007]"),
        (["train-002", "ufm-01", "train-001"], "train-[001-002],ufm-01"),
        (["n9", "n10", "n11"], "n9,n[10-11]"),
        (["rack2-node1", "rack2-node2", "rack3-node1"], "rack2-node[1-2],rack3-node1"),
        (["login", "n1-ib", "n2-ib", "n1-ib"], "login,n[1-2]-ib"),
    ],
)
def test_names_that_count_are_one_word(names, expected) -> None:
    assert hostlist(names) == expected


@given(st.lists(NAMES, max_size=40))
def test_a_list_stands_for_its_names(names) -> None:
    assert sorted(expanded(hostlist(names))) == sorted(set(names))
