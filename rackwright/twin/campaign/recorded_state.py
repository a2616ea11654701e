"""A state that records what is read from it, so that an answer is computed again only when a value that it depends on changed."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any

from rackwright.twin.hardware.state import State, TwinMachine

FIELDS = frozenset(column.name for column in dataclasses.fields(State)) - {"machines"}
"""Fields that are compared by identity: cables, switches, seed."""


@dataclass
class StateReads:
    """The values that were read from a state."""

    machines: dict[str, TwinMachine | None] = field(default_factory=dict)
    """By name; None where there was none."""
    fields: dict[str, Any] = field(default_factory=dict)
    """By name of the field of `State`."""

    def still(self, state: State) -> bool:
        """Whether `state` has the same objects in all these places."""
        return all(state.machines.get(name) is machine for name, machine in self.machines.items()) and all(
            _same(getattr(state, name), value) for name, value in self.fields.items()
        )


def _same(before: object, now: object) -> bool:
    return before is now or (isinstance(before, int) and before == now)


class _Machines(dict[str, TwinMachine]):
    """The machines of a recorded state; their names are the same in all scenes, and are not recorded."""

    def __init__(self, machines: dict[str, TwinMachine], read: StateReads) -> None:
        super().__init__(machines)
        self._read = read

    def __getitem__(self, name: str) -> TwinMachine:
        machine = super().__getitem__(name)
        self._read.machines[name] = machine
        return machine

    def get(self, name: str, default: Any = None) -> Any:
        machine = super().get(name, default)
        self._read.machines[name] = super().get(name)
        return machine

    def items(self) -> Any:
        self._read.machines.update(super().items())
        return super().items()

    def values(self) -> Any:
        self._read.machines.update(super().items())
        return super().values()


class RecordedState(State):
    """A state for one observer; `read` has the values that were read so far."""

    read: StateReads
    origin: State

    def __getattribute__(self, name: str) -> Any:
        """A field of the state; the read is recorded."""
        value = super().__getattribute__(name)
        if name in FIELDS:
            super().__getattribute__("read").fields[name] = value
        return value

    @property
    def plugged(self) -> Any:
        """`plugged` of the original state, which computes it once for all observers."""
        self.read.fields["cables"] = self.origin.cables
        return self.origin.plugged

    @property
    def lossy(self) -> Any:
        """`lossy` of the original state, as `plugged`."""
        self.read.fields["cables"] = self.origin.cables
        return self.origin.lossy


def record_reads(state: State) -> RecordedState:
    """`state`, with reads recorded from now on."""
    read = StateReads()
    recorded = RecordedState.__new__(RecordedState)
    values = {column.name: getattr(state, column.name) for column in dataclasses.fields(State)}
    for name, value in {**values, "machines": _Machines(state.machines, read), "read": read, "origin": state}.items():
        object.__setattr__(recorded, name, value)
    return recorded
