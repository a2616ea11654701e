"""Faults that a rehearsal injects: the entries of the tables in `tables/`, one table per domain.

A new fault is one entry in one table. `changes/` has the functions that put a fault into a state.

Faults get their nodes in order: the first fault gets the first nodes, the next fault the following ones. Faults whose names are joined
with ``+`` share their nodes, others never do, and a run repeats exactly.
"""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from pathlib import Path

from rackwright.base.errors import UsageError
from rackwright.twin.faults.fault import Fault, Injected
from rackwright.twin.hardware.state import State

__all__ = [
    "DEFAULT",
    "Fault",
    "Injected",
    "acceptance_faults",
    "apply_faults",
    "assign_nodes",
    "expected_checks",
    "inject",
    "load_faults",
    "most_nodes",
    "together",
    "undone",
]

DEFAULT = ("gpu-row-remap-pending", "fabric-cables-swapped")
TOGETHER = "+"
"""Joins the names of faults that share their nodes."""


@cache
def load_faults() -> Mapping[str, Fault]:
    """All faults of the tables, in the order of their names."""
    modules = (path.stem for path in Path(__file__).parent.glob("tables/[!_]*.py"))
    faults = (fault for module in modules for fault in importlib.import_module(f"{__name__}.tables.{module}").FAULTS)
    return {fault.name: fault for fault in sorted(faults, key=lambda fault: fault.name)}


def acceptance_faults(*features: str) -> Mapping[str, Fault]:
    """The faults that checks must find on a site with these features (``kubernetes``, ``liquid``), by name."""
    return {
        name: fault
        for name, fault in load_faults().items()
        if fault.judged and set(fault.needs.split()) <= set(features)
    }


def most_nodes() -> int:
    """The largest number of nodes that one fault takes."""
    return max(fault.nodes for fault in load_faults().values())


def assign_nodes(names: Sequence[str], nodes: Sequence[str]) -> list[Injected]:
    """The faults with these names, each on its own nodes of `nodes`; joined faults such as ``drive-worn+psu-failed`` share theirs.

    Raises UsageError for an unknown name, or for too few nodes.
    """
    groups = [together(joined) for joined in names]
    required = sum(max(fault.nodes for fault in group) for group in groups)
    if required > len(nodes):
        raise UsageError(
            f"the faults {', '.join(names)} need {required} accelerator nodes and the twin has {len(nodes)}: "
            f"give a larger --nodes"
        )
    injected, start = [], 0
    for group in groups:
        injected += [Injected(fault, tuple(nodes[start : start + fault.nodes])) for fault in group]
        start += max(fault.nodes for fault in group)
    return injected


def together(joined: str) -> list[Fault]:
    """The faults in a name such as ``drive-worn+psu-failed``. UsageError for an unknown one."""
    return [_fault(name) for name in joined.split(TOGETHER)]


def _fault(name: str) -> Fault:
    fault = load_faults().get(name)
    if fault is None:
        near = difflib.get_close_matches(name, load_faults(), n=1)
        hint = f"did you mean `{near[0]}`?" if near else f"known: {', '.join(load_faults())}"
        raise UsageError(f"there is no fault called {name!r}; {hint}")
    return fault


def apply_faults(state: State, injected: Sequence[Injected]) -> State:
    """`state` with every fault in it."""
    for injection in injected:
        state = injection.fault.apply(state, injection.nodes)
    return state


def inject(state: State, injected: Sequence[Injected]) -> State:
    """`apply_faults` for requested faults. UsageError if two of them set the same value of a node, because only one would show."""
    for number, later in enumerate(injected):
        for earlier in injected[:number]:
            shared = [node for node in later.nodes if node in earlier.nodes]
            if shared and (undone(state, [earlier], later) or _nothing_more(state, earlier, later)):
                raise UsageError(
                    f"the faults {earlier.fault.name} and {later.fault.name} set the same value of {shared[0]}, so that only one of them "
                    f"would show: give each a --fault of its own, and with it nodes of its own"
                )
    return apply_faults(state, injected)


def undone(healthy: State, injected: Sequence[Injected], injection: Injected) -> bool:
    """Whether the result depends on the order of the faults: they set the same field."""
    return apply_faults(healthy, [*injected, injection]) != apply_faults(healthy, [injection, *injected])


def _nothing_more(healthy: State, earlier: Injected, later: Injected) -> bool:
    """Whether one of two faults that each show alone adds nothing to the other."""
    alone = [apply_faults(healthy, [injection]) for injection in (earlier, later)]
    return healthy not in alone and apply_faults(healthy, [earlier, later]) in alone


def expected_checks(injected: Sequence[Injected]) -> dict[str, AbstractSet[str]]:
    """Node that must be refused -> the checks that must refuse it."""
    expected: dict[str, AbstractSet[str]] = {}
    for injection in injected:
        if injection.fault.refused and injection.fault.judged:
            for node in injection.nodes:
                expected[node] = expected.get(node, frozenset()) | injection.fault.checks
    return expected
