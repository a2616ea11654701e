"""Puts nodes under load: each node runs its tests one after the other with a rest between, on a bounded number of
nodes.

Each answer is stored when it arrives, because the next one may take hours. Interrupting the run ends the load, since
the probe stops when its connection closes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from rackwright.collect import collector, probe_build
from rackwright.collect.gather import OnEvent, answer_streams, arrivals_of, now_utc, record_run, run_header
from rackwright.collect.launchers.probe_carrier import Way
from rackwright.collect.plan import CollectPlan, owes_record, plan_requests
from rackwright.collect.store.load import load
from rackwright.collect.store.recording import Store
from rackwright.collect.transports import fleet
from rackwright.collect.transports.connection_limits import Patience
from rackwright.model.access import Access
from rackwright.model.check import NodeEvidence
from rackwright.model.design import Design


@dataclass(frozen=True)
class Burning:
    """Settings of a burn-in."""

    cooldown: float
    """Seconds of rest between two tests of a node."""
    at_once: int
    """Nodes that are under load at the same time."""
    tests: tuple[str, ...] = ()
    """Ids of the collectors to run; empty: every collector that loads a single node and is not optional."""


def burnin_tests(collectors: collector.Collectors | None = None, *, group: bool = False) -> list[str]:
    """Ids of the load tests of single nodes, or with `group` of several nodes together, in the order in which they run."""
    library = collector.library() if collectors is None else collectors
    scope = "group" if group else "node"
    chosen = {
        identity: entry for identity, entry in library.items() if entry.load and entry.scope == scope and not entry.verb
    }
    return sorted(chosen, key=lambda identity: (chosen[identity].place, identity))


def count_fitting(
    design: Design,
    nodes: Sequence[str],
    *,
    group: bool = False,
    collectors: collector.Collectors | None = None,
) -> dict[str, int]:
    """Number of `nodes` that can run each test of `burnin_tests`, in the same order; 0 for tests of hardware that they
    lack.

    KeyError for a node that the design does not have.
    """
    library = collector.library(design.roots) if collectors is None else collectors
    by_name = {node.name: node for node in design.nodes()}
    chosen = [by_name[name] for name in nodes]
    return {
        identity: sum(owes_record(node, library[identity]) for node in chosen)
        for identity in burnin_tests(library, group=group)
    }


def burn_plan(
    design: Design, nodes: Sequence[str], burning: Burning, collectors: collector.Collectors | None = None
) -> CollectPlan:
    """The tests to run on each machine, and the records that it owes.

    KeyError for a node that the design does not have.
    """
    library = collector.library(design.roots) if collectors is None else collectors
    order = [
        test
        for test in burnin_tests(library)
        if (test in burning.tests if burning.tests else not library[test].optional)
    ]
    planned = plan_requests(design, nodes, {identity: library[identity] for identity in order}, load=True)
    return replace(planned, owed={node: owes for node, owes in planned.owed.items() if owes}, bmcs={})


def longest_burn(planned: CollectPlan, burning: Burning) -> float:
    """Longest possible duration of the burn-in, in seconds: the time limits of all tests, in as many rounds as
    `at_once` makes.
    """
    each = sorted(
        (sum(ask.seconds for ask in asks) + burning.cooldown * (len(asks) - 1) for asks in planned.asks.values()),
        reverse=True,
    )
    return sum(each[:: burning.at_once])


def burn_in(
    design: Design,
    nodes: Sequence[str],
    access: Access,
    store: Store,
    burning: Burning,
    on_event: OnEvent = lambda _name, _data: None,
    *,
    now: Callable[[], datetime] = now_utc,
    patience: Patience | None = None,
    asked_by: str = "",
    by: Way | None = None,
) -> dict[str, NodeEvidence]:
    """Load `nodes`, store their answers, and return the evidence by node; a node that does not answer has errors
    instead of records.

    `by` reaches the nodes of one scheduler instead of SSH.

    KeyError for a node that the design does not have; OutsideError if our own key or known_hosts cannot be used.
    """
    planned = burn_plan(design, nodes, burning)
    hosts = [
        fleet.FleetHost(node, planned.hosts[node], asks, cooldown=burning.cooldown)
        for node, asks in planned.asks.items()
    ]
    zipapp = probe_build.build_probe(store.folder / "probe").read_bytes()
    bounded = replace(patience or Patience(), at_once=burning.at_once)
    sources = [arrivals_of(source) for source in answer_streams(design, hosts, access, zipapp, bounded, by)]
    library = collector.library(design.roots)
    run = record_run(store, run_header(planned, "load", asked_by), sources, on_event, now, library, len(hosts))
    return load(store, run, library)
