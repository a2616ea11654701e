"""The phases of one circuit and the outlets of its PDU.

Each supply goes to the phase with the least load that still has an outlet for it. The outlets of a group alternate over the
phases, as on PDUs with alternating phases. A supply fits every outlet whose rating, as outlet and as the matching inlet type,
covers its own; the smallest such outlet is used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rackwright.design.power.capacity import PHASES
from rackwright.model.plant import Pdu


@dataclass(frozen=True)
class Plug:
    """Phase and outlet of one supply; no outlet when none is free, or without a PDU."""

    phase: int
    outlet: str | None


class Outlets:
    """The outlets of one PDU that are still free."""

    def __init__(self, pdu: Pdu, couplers: Mapping[str, float]) -> None:
        self._bears = {group.type: min(group.amps, couplers.get(group.type, group.amps)) for group in pdu.outlets}
        self._groups = sorted(pdu.outlets, key=lambda group: self._bears[group.type])
        self._free: list[list[list[str]]] = [
            [[f"{group.type}-{n + 1}" for n in range(group.count) if n % pdu.phases == way] for way in range(PHASES)]
            for group in self._groups
        ]

    def take(self, amps: float, phases: Sequence[int]) -> Plug | None:
        """The first outlet for this current, on the first of these phases that has one."""
        for phase in phases:
            for group, free in zip(self._groups, self._free, strict=True):
                if self._bears[group.type] >= amps and free[phase]:
                    return Plug(phase, free[phase].pop(0))
        return None


def assign_outlets(draws: Sequence[float], amps: Sequence[float], free: Outlets | None) -> list[Plug]:
    """Phase and outlet of every supply of a three-phase circuit: the largest first, then in order."""
    load = [0.0] * PHASES
    plug_of: dict[int, Plug] = {}
    for at in sorted(range(len(draws)), key=lambda at: -draws[at]):
        ways = sorted(range(PHASES), key=lambda phase: load[phase])
        plug = (free.take(amps[at], ways) if free else None) or Plug(ways[0], None)
        load[plug.phase] += draws[at]
        plug_of[at] = plug
    plain = [plug_of[at] for at in range(len(draws))]
    return _balanced_plugs(draws, amps, plain)


def assign_single_phase(phase: int, amps: Sequence[float], free: Outlets | None) -> list[Plug]:
    """The supplies of a single-phase circuit, which hangs on `phase` of its feed."""
    assigned = [free.take(current, [0]) if free else None for current in amps]
    return [Plug(phase, plug.outlet if plug else None) for plug in assigned]


def _balanced_plugs(draws: Sequence[float], amps: Sequence[float], plugs: list[Plug]) -> list[Plug]:
    """Swaps supplies of two phases as long as that brings their loads closer."""
    fits = max(amps, default=0.0) == min(amps, default=0.0) or all(plug.outlet is None for plug in plugs)
    best = _swap(draws, plugs) if fits else None
    while best:
        first, second = best
        plugs[first], plugs[second] = plugs[second], plugs[first]
        best = _swap(draws, plugs)
    return plugs


def _swap(draws: Sequence[float], plugs: Sequence[Plug]) -> tuple[int, int] | None:
    load = [0.0] * PHASES
    for watts, plug in zip(draws, plugs, strict=True):
        load[plug.phase] += watts
    best, gain = None, 1.0
    for first, watts in enumerate(draws):
        for second in range(first + 1, len(draws)):
            first_phase, second_phase = plugs[first].phase, plugs[second].phase
            moved = draws[second] - watts
            apart = load[second_phase] - load[first_phase]
            saved = moved * (apart - moved) if first_phase != second_phase else 0.0
            if saved > gain:
                best, gain = (first, second), saved
    return best
