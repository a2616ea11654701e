"""The limits of equal nodes are looked up once, and what follows from the cables of a node.

The first is for functions that
ask an expectation for its limits, its baselines, and what limits are keyed by (`limits.about`), and for nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from rackwright.model.check import Expectation

R = TypeVar("R")
P = ParamSpec("P")
MOST = 4096
"""Answers that one function remembers: some hundreds of each kind of node, for some kinds."""


def per_kind(act: Callable[Concatenate[Expectation, P], R]) -> Callable[Concatenate[Expectation, P], R]:
    """`act`, which is not run again for a node of the same kind and equal further arguments, which must be hashable."""
    results: dict[Hashable, tuple[Any, R]] = {}

    def remembered(expectation: Expectation, /, *args: P.args, **key: P.kwargs) -> R:
        node = expectation.node
        limits, fleet, server, part = expectation.limits, expectation.baselines, node.server, node.accelerator
        request = (id(limits), id(fleet), id(server), id(part), node.scheduler, node.accelerators, args, *key.items())
        result = results.get(request)
        if result is None:
            if len(results) >= MOST:
                results.clear()
            # Held with the objects in the key, so that no other object can take their place in memory.
            result = results[request] = (limits, fleet, server, part), act(expectation, *args, **key)
        return result[1]

    return remembered


def per_node(act: Callable[[Expectation], R]) -> Callable[[Expectation], R]:
    """`act`, which is run once for a node: checks that read the same record of it follow each other."""
    last: tuple[Expectation, R] | None = None

    @wraps(act)
    def remembered(expectation: Expectation) -> R:
        nonlocal last
        latest = last
        if latest is None or latest[0] is not expectation:
            latest = last = expectation, act(expectation)
        return latest[1]

    return remembered
