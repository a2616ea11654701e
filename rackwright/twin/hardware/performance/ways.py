"""What lossy cables leave of a flow between two ports.

A fabric with adaptive routing spreads a flow over all cables of its shortest ways, so that one cable which loses packets slows every flow that
may take it. Ways follow the cables as they are plugged. Nothing of the planner of isolations is used here: what it concludes is tested by this.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping

from rackwright.twin.hardware.state import BuiltCable, CableEnd, State


def left(state: State, near: CableEnd, far: CableEnd) -> float:
    """1 where no cable on the way is lossy; 0 where nothing joins the two ports any more."""
    if not state.lossy:
        return 1.0
    own = [state.plugged.get(end) for end in (near, far)]
    if own[0] is None or own[1] is None:  # Ethernet: its cables are not in the state
        return 1.0
    here, there = (_leaf(cable, end) for cable, end in zip(own, (near, far), strict=True) if cable is not None)
    joined = _joined(state, own[0].fabric)
    ahead, back = _steps(joined, here), _steps(joined, there)
    if there not in ahead:
        return 0.0
    crossed = (one.left for one in state.lossy if one in own or _between(one, ahead, back, ahead[there]))
    return min(crossed, default=1.0)


def _leaf(cable: BuiltCable, end: CableEnd) -> str:
    return cable.b.device if cable.a == end else cable.a.device


def _joined(state: State, fabric: str) -> Mapping[str, set[str]]:
    """Switches of a fabric by the switches that they have a cable to."""
    found: dict[str, set[str]] = defaultdict(set)
    for cable in state.cables:
        a, b = cable.a.device, cable.b.device
        if cable.connected and cable.fabric == fabric and a in state.switches and b in state.switches:
            found[a].add(b)
            found[b].add(a)
    return found


def _steps(joined: Mapping[str, set[str]], start: str) -> Mapping[str, int]:
    """How many cables it is to every switch (breadth-first search)."""
    found, waiting = {start: 0}, deque([start])
    while waiting:
        one = waiting.popleft()
        for other in joined.get(one, ()):
            if other not in found:
                found[other] = found[one] + 1
                waiting.append(other)
    return found


def _between(cable: BuiltCable, ahead: Mapping[str, int], back: Mapping[str, int], length: int) -> bool:
    """Whether a shortest way crosses `cable`, in one direction or the other."""
    ends = cable.a.device, cable.b.device
    return any(
        near in ahead and far in back and ahead[near] + 1 + back[far] == length for near, far in (ends, ends[::-1])
    )
