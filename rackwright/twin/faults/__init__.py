"""Faults that a rehearsal injects: each is one file with a `FAULT`, found by its path.

Faults pick their nodes by order: the first fault gets the first nodes, the next the following ones, so that two faults
never share a node and a run repeats exactly.
"""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from rackwright.base.errors import UsageError
from rackwright.twin.hardware.state import Gpu, Machine, State

DEFAULT = ("gpu-row-remap-pending", "fabric-cables-swapped")


@dataclass(frozen=True)
class Fault:
    """One thing that can be wrong."""

    name: str
    summary: str
    """What is broken, as one would tell a colleague."""
    apply: Callable[[State, Sequence[str]], State]
    """The state with the fault on `nodes`."""
    checks: frozenset[str] = frozenset()
    """Ids (or globs) of the checks that must refuse each of its nodes."""
    also: frozenset[str] = frozenset()
    """Ids of further checks that may see it on a host of the twin after a while; what it turns red at once is played."""
    onboarding: bool = False
    """True for what stands in the way of onboarding: it is found there, and no check of the acceptance has to."""
    between: bool = False
    """True for what tests between nodes tell alone (``isolate --run``): no check reads it, and no check of the acceptance has to."""
    nodes: int = 1
    """How many nodes it takes."""
    refused: bool = True
    """False when the node must be reported but may still join (a degraded finding)."""
    names: frozenset[str] = frozenset()
    """Words of which a verdict of `checks` must hold at least one: the object at fault (``GPU {gpu[3]}``, ``{compute[2]}``: `campaign.objects`)."""
    unread: bool = False
    """True when it shows in that nothing can be read (a silent host): inconclusive verdicts find it."""
    masks: frozenset[str] = frozenset()
    """Checks (or globs) that see nothing else on its nodes while it is there: those of the GPUs of a machine that is off."""
    elsewhere: frozenset[str] = frozenset()
    """Checks (or globs) that it may also turn red on machines that it did not hit (a lost subnet manager)."""
    needs: str = ""
    """What a site must have for it to show, beside a check that can find it: words of `campaign.place.FEATURES`, with spaces between."""

    @property
    def judged(self) -> bool:
        """Whether a check of the acceptance must find it."""
        return not (self.onboarding or self.between)

    def expects(self, nodes: Sequence[str]) -> dict[str, frozenset[str]]:
        """For each hit node the checks that must find it."""
        return dict.fromkeys(nodes, self.checks)


@dataclass(frozen=True)
class Injected:
    """A fault on its nodes."""

    fault: Fault
    nodes: tuple[str, ...]
    names: frozenset[str] = frozenset()
    """`Fault.names` as the parts of these nodes are called."""


@cache
def known() -> Mapping[str, Fault]:
    """Every fault, by name."""
    files = sorted(path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_"))
    faults = [importlib.import_module(f"{__name__}.{stem}").FAULT for stem in files]
    return {fault.name: fault for fault in faults}


def of_acceptance(*has: str) -> Mapping[str, Fault]:
    """Those that checks must find on a site with the features `has` (``kubernetes``, ``liquid``), by name."""
    return {name: fault for name, fault in known().items() if fault.judged and set(fault.needs.split()) <= set(has)}


def most() -> int:
    """The largest number of nodes that one fault takes."""
    return max(fault.nodes for fault in known().values())


def choose(names: Sequence[str], nodes: Sequence[str]) -> list[Injected]:
    """The faults called `names`, each on nodes of its own from `nodes`; UsageError for an unknown one or too few nodes."""
    chosen, start = [], 0
    for name in names:
        fault = known().get(name)
        if fault is None:
            near = difflib.get_close_matches(name, known(), n=1)
            hint = f"did you mean `{near[0]}`?" if near else f"known: {', '.join(known())}"
            raise UsageError(f"there is no fault called {name!r}; {hint}")
        hit = tuple(nodes[start : start + fault.nodes])
        if len(hit) < fault.nodes:
            raise UsageError(
                f"the faults {', '.join(names)} need {sum(known()[one].nodes for one in names if one in known())} "
                f"accelerator nodes and the twin has {len(nodes)}: give a larger --nodes"
            )
        chosen.append(Injected(fault, hit))
        start += fault.nodes
    return chosen


def apply(state: State, injected: Sequence[Injected]) -> State:
    """`state` with every fault in it."""
    for one in injected:
        state = one.fault.apply(state, one.nodes)
    return state


def expected(injected: Sequence[Injected]) -> dict[str, frozenset[str]]:
    """For each node that must be refused, the checks that must refuse it."""
    result: dict[str, frozenset[str]] = {}
    for one in injected:
        if one.fault.refused and one.fault.judged:
            result.update(one.fault.expects(one.nodes))
    return result


def on_machines(change: Callable[[Machine], Machine]) -> Callable[[State, Sequence[str]], State]:
    """An `apply` that changes every hit machine in the same way."""

    def apply_to_all(state: State, nodes: Sequence[str]) -> State:
        for node in nodes:
            state = state.with_machine(node, change)
        return state

    return apply_to_all


def on_gpu(index: int, change: Callable[[Gpu], Gpu]) -> Callable[[State, Sequence[str]], State]:
    """An `apply` that changes one GPU of every hit machine; `index` is counted on from 0 again where there are fewer."""

    def changed(machine: Machine) -> Machine:
        hit = index % max(len(machine.gpus), 1)
        gpus = tuple(change(gpu) if gpu.index == hit else gpu for gpu in machine.gpus)
        return replace(machine, gpus=gpus)

    return on_machines(changed)
