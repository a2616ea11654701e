"""The share of a flow between two ports that lossy cables deliver.

A fabric with adaptive routing spreads a flow over all cables of its shortest ways, so that one cable which loses packets slows every flow that
may take it. Ways follow the cables as they are plugged. It shares no code with the planner of isolations, whose conclusions are tested with it.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping

from rackwright.twin.hardware.state import BuiltCable, CableEnd, State


def delivered_share(state: State, near: CableEnd, far: CableEnd) -> float:
    """1 where no cable on the way is lossy; 0 where no way joins the two ports."""
    if not state.lossy:
        return 1.0
    cables = [state.plugged.get(end) for end in (near, far)]
    if cables[0] is None or cables[1] is None:  # Ethernet: its cables are not in the state
        return 1.0
    here, there = (_leaf(cable, end) for cable, end in zip(cables, (near, far), strict=True) if cable is not None)
    joined = _neighbour_switches(state, cables[0].fabric)
    ahead, back = _steps(joined, here), _steps(joined, there)
    if there not in ahead:
        return 0.0
    crossed = (
        cable.delivered_share
        for cable in state.lossy
        if cable in cables or _on_shortest_path(cable, ahead, back, ahead[there])
    )
    return min(crossed, default=1.0)


def _leaf(cable: BuiltCable, end: CableEnd) -> str:
    return cable.b.device if cable.a == end else cable.a.device


def _neighbour_switches(state: State, fabric: str) -> Mapping[str, set[str]]:
    """Switches of a fabric by the switches that they have a cable to."""
    neighbours: dict[str, set[str]] = defaultdict(set)
    for cable in state.cables:
        a, b = cable.a.device, cable.b.device
        if cable.connected and cable.fabric == fabric and a in state.switches and b in state.switches:
            neighbours[a].add(b)
            neighbours[b].add(a)
    return neighbours


def _steps(joined: Mapping[str, set[str]], start: str) -> Mapping[str, int]:
    """Number of cables from `start` to every switch (breadth-first search)."""
    distances, waiting = {start: 0}, deque([start])
    while waiting:
        device = waiting.popleft()
        for neighbour in joined.get(device, ()):
            if neighbour not in distances:
                distances[neighbour] = distances[device] + 1
                waiting.append(neighbour)
    return distances


def _on_shortest_path(cable: BuiltCable, ahead: Mapping[str, int], back: Mapping[str, int], length: int) -> bool:
    """Whether a shortest way crosses `cable`, in one direction or the other."""
    ends = cable.a.device, cable.b.device
    return any(
        near in ahead and far in back and ahead[near] + 1 + back[far] == length for near, far in (ends, ends[::-1])
    )
