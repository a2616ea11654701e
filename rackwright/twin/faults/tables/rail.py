"""Faults of rails, and of the path between two nodes."""

from __future__ import annotations

from collections.abc import Sequence

from rackwright.twin.faults.changes import set_performance, set_rail_performance
from rackwright.twin.faults.fault import Fault
from rackwright.twin.hardware.performance.rails import partners
from rackwright.twin.hardware.state import State


def slow_path_to_next_node(state: State, nodes: Sequence[str]) -> State:
    """Slow each node down with the next one, in both directions; only the first carries the fault."""
    for node in nodes:
        state = set_performance(slow_with=dict.fromkeys(partners(state, node)[:1], 0.5))(state, [node])
    return state


FAULTS = (
    Fault(
        name="path-between-two-slow",
        summary="The path between two nodes is slow, and both are well with everybody else",
        apply=slow_path_to_next_node,
        checks={"collective.across_nodes", "rail.bandwidth"},
        names={"look at the path between them"},
        elsewhere={"collective.across_nodes", "rail.bandwidth", "peers.rail_bandwidth"},
        refused=False,
    ),
    Fault(
        name="rail-late",
        summary="One rail of a node answers four times too late",
        apply=set_rail_performance(2, latency=4.0),
        checks={"rail.latency"},
        names={"{compute[2]}"},
    ),
    Fault(
        name="rail-nearly-dead",
        summary="One rail of a node retransmits nearly everything",
        apply=set_rail_performance(0, bandwidth=0.05, latency=6.0),
        checks={"rail.bandwidth", "rail.latency"},
        names={"{compute[0]}"},
        elsewhere={"peers.rail_bandwidth"},
    ),
    Fault(
        name="rail-slow",
        summary="One rail of a node sends at half of its rate",
        apply=set_rail_performance(4, bandwidth=0.5),
        checks={"rail.bandwidth"},
        names={"{compute[4]}"},
        elsewhere={"peers.rail_bandwidth"},
    ),
    Fault(
        name="rail-through-another-port",
        summary="Traffic of a rail leaves through the port of its neighbour (bonded ports, or a wrong route)",
        apply=set_rail_performance(2, through=3),
        checks={"rail.port", "rail.latency_port", "collective.ports"},
        names={"{compute[2]}"},
    ),
    Fault(
        name="rail-without-gpudirect",
        summary="One rail cannot reach GPU memory and copies through the host",
        apply=set_rail_performance(3, gpudirect=False),
        checks={"rail.gpudirect"},
        names={"{compute[3]}"},
    ),
)
