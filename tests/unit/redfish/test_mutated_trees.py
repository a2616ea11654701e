"""Whatever stands in the documents of a BMC, the parser makes a record of them or says that they are none."""

from __future__ import annotations

import random
from copy import deepcopy
from typing import Any

import pytest

from rackwright.base.errors import OutsideError
from rackwright.redfish import inventory

from . import trees

ODD: list[Any] = [
    "OK", None, 7, -1.5, True, [], {}, ["x"], [None], [1], {"@odata.id": 5}, float("inf"), float("nan"), "9" * 400, [{"@odata.id": None}], 10**400,
]  # fmt: skip
MUTATIONS = 4
"""In each tree."""
TRIES = 60


def _mutate(node: Any, chance: random.Random) -> None:
    """Replace something below `node` by an odd value."""
    while isinstance(node, dict | list) and node:
        place = chance.choice(list(node)) if isinstance(node, dict) else chance.randrange(len(node))
        if chance.random() < 0.35 or not isinstance(node[place], dict | list):
            node[place] = chance.choice(ODD)
            return
        node = node[place]


@pytest.mark.parametrize("name", ["hpe", "dell", "supermicro"])
def test_an_odd_value_never_crashes_the_parser(name: str) -> None:
    chance = random.Random(name)
    crashes = set()
    for _ in range(TRIES):
        tree = dict(trees.recorded(name))
        for path in chance.sample(sorted(tree), MUTATIONS):
            tree[path] = deepcopy(tree[path])
            _mutate(tree[path], chance)
        try:
            inventory.parse_machine(tree)
        except OutsideError:
            continue
        except Exception as crash:
            crashes.add(repr(crash))
    assert crashes == set()
