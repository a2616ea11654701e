"""Caches what depends on the kind of a node (its limits), and what depends on one node (its cables).

`per_kind` is for functions that read only the limits and baselines of an expectation, and the keys of limits
(`limits.limits_about`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from rackwright.model.check import Expectation

R = TypeVar("R")
P = ParamSpec("P")
MOST = 4096
"""Number of results that one function caches: some hundreds for each kind of node."""


def per_kind(act: Callable[Concatenate[Expectation, P], R]) -> Callable[Concatenate[Expectation, P], R]:
    """`act`, cached for nodes of the same kind and equal further arguments, which must be hashable."""
    results: dict[Hashable, tuple[Any, R]] = {}

    def remembered(expectation: Expectation, /, *args: P.args, **key: P.kwargs) -> R:
        node = expectation.node
        limits, fleet, server, part = expectation.limits, expectation.baselines, node.server, node.accelerator
        request = (id(limits), id(fleet), id(server), id(part), node.scheduler, node.accelerators, args, *key.items())
        result = results.get(request)
        if result is None:
            if len(results) >= MOST:
                results.clear()
            # Kept with the objects in the key, so that no other object can reuse their address.
            result = results[request] = (limits, fleet, server, part), act(expectation, *args, **key)
        return result[1]

    return remembered


def per_node(act: Callable[[Expectation], R]) -> Callable[[Expectation], R]:
    """`act`, cached for the latest node: checks that read the same record of it follow each other."""
    last: tuple[Expectation, R] | None = None

    @wraps(act)
    def remembered(expectation: Expectation) -> R:
        nonlocal last
        latest = last
        if latest is None or latest[0] is not expectation:
            latest = last = expectation, act(expectation)
        return latest[1]

    return remembered
