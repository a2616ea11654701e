"""The IMEX daemon of a tray does not reach another tray of its NVLink domain."""

from __future__ import annotations

from collections.abc import Sequence

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_board
from rackwright.twin.hardware.state import State


def apply(state: State, nodes: Sequence[str]) -> State:
    """Lose the next tray in the order of the design."""
    trays = [name for name, machine in state.machines.items() if machine.gpus]
    for node in nodes:
        state = on_board(imex_lost=(trays[(trays.index(node) + 1) % len(trays)],))(state, [node])
    return state


FAULT = Fault(
    name="imex-peer-lost",
    summary="The IMEX daemon of a tray does not reach another tray of its NVLink domain",
    apply=apply,
    checks=frozenset({"nvlink.imex"}),
    names=frozenset({"UNAVAILABLE"}),
    needs="nvlink-domain",
)
