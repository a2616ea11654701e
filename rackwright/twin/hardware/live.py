"""The state of the twin while it runs: one holder that hosts, BMCs and faults share."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

from rackwright.twin.hardware.parts.plant import Plant
from rackwright.twin.hardware.state import State, TwinMachine

PowerListener = Callable[[str, bool], None]
"""Called with the node and whether it is now on, after the state has changed and outside the lock."""
EraseListener = Callable[[str, tuple[int, ...]], None]
"""Called with the node and the numbers of the data drives that its BMC has just erased; as above."""


class Live:
    """The current state; every method may be called from any thread."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._lock = threading.RLock()
        self._listeners: list[PowerListener] = []
        self._erase_listeners: list[EraseListener] = []

    @property
    def state(self) -> State:
        """The state right now (immutable, safe to keep)."""
        with self._lock:
            return self._state

    def machine(self, node: str) -> TwinMachine:
        """The machine called `node`; KeyError when the twin has none."""
        return self.state.machines[node]

    def change(self, node: str, change: Callable[[TwinMachine], TwinMachine]) -> TwinMachine:
        """Change one machine and return it; power listeners are called on a change of `power_state` before it returns.

        Callers with an event loop run it in a thread: a listener that boots a host takes about a second.
        """
        with self._lock:
            before = self._state.machines[node]
            self._state = self._state.with_machine(node, change)
            after = self._state.machines[node]
            listeners, erase_listeners = tuple(self._listeners), tuple(self._erase_listeners)
        if after.power_state != before.power_state:
            for listener in listeners:
                listener(node, after.power_state == "On")
        if erased := after.firmware.erased[len(before.firmware.erased) :]:
            for erase_listener in erase_listeners:
                erase_listener(node, erased)
        return after

    def change_plant(self, change: Callable[[Plant], Plant]) -> None:
        """Change what the rack PDUs, power shelves and CDUs report."""
        with self._lock:
            self._state = replace(self._state, plant=change(self._state.plant))

    def power(self, node: str, *, on: bool) -> TwinMachine:
        """Switch a machine on or off, as its power button would; no effect when it is already in that state."""
        return self.change(node, lambda machine: replace(machine, power_state="On" if on else "Off"))

    def on_power(self, listener: PowerListener) -> None:
        """Call `listener` at every change of power."""
        with self._lock:
            self._listeners.append(listener)

    def on_erase(self, listener: EraseListener) -> None:
        """Call `listener` when the BMC of a machine has erased drives."""
        with self._lock:
            self._erase_listeners.append(listener)
