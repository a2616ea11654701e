"""A state that records which values are read from it, so that an answer is recomputed only if one of these values changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, is_dataclass
from inspect import isfunction
from typing import Any

from rackwright.twin.hardware.state import State

DERIVED = {"plugged": "cables"}
"""Large values of a state that it computes once for all observers, with the field that they follow from."""


class Recorded:
    """An object that records the fields read from it; a repeated read is a plain attribute access."""

    def __init__(self, origin: Any) -> None:
        self._origin = origin

    def __getattr__(self, name: str) -> Any:
        if name in DERIVED:
            getattr(self, DERIVED[name])
            return getattr(self._origin, name)
        attribute = getattr(type(self._origin), name, None)
        if isfunction(attribute):
            return attribute.__get__(self)  # a method reads the recorded fields
        value = getattr(self._origin, name)
        self.__dict__[name] = value = Recorded(value) if is_dataclass(value) else value
        return value


@dataclass(frozen=True)
class Reads:
    """The fields that were read from an object."""

    origin: Any
    fields: Mapping[str, Any]
    """By name; `Reads` for a part with fields of its own."""

    def still(self, current: Any) -> bool:
        """Whether `current` has the same values in these fields."""
        return current is self.origin or all(
            value.still(getattr(current, name))
            if isinstance(value, Reads)
            else _same_value(value, getattr(current, name))
            for name, value in self.fields.items()
        )


@dataclass(frozen=True)
class StateReads:
    """The values read from a state; the names of its machines are the same in all scenes."""

    fields: Reads
    machines: Mapping[str, Reads]
    """By name: the machines from which something was read."""

    def still(self, state: State) -> bool:
        """Whether `state` has the same values in all fields that were read."""
        machines = state.machines
        return self.fields.still(state) and all(read.still(machines[name]) for name, read in self.machines.items())


def _same_value(before: object, now: object) -> bool:
    return before is now or (isinstance(before, int | str | tuple) and before == now)


class RecordedState(Recorded):
    """A state for one observer."""

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.machines = {name: Recorded(machine) for name, machine in state.machines.items()}

    @property
    def read(self) -> StateReads:
        """The values that were read so far."""
        machines = {name: _reads(machine) for name, machine in self.machines.items()}
        return StateReads(_reads(self), {name: read for name, read in machines.items() if read.fields})


def _reads(recorded: Recorded) -> Reads:
    fields = {name: value for name, value in vars(recorded).items() if name not in ("_origin", "machines")}
    parts = {name: _reads(value) if isinstance(value, Recorded) else value for name, value in fields.items()}
    return Reads(vars(recorded)["_origin"], parts)
