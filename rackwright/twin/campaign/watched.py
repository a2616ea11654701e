"""A state that notes what is read of it, so that an answer is made anew only when something that it follows from has changed."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from rackwright.twin.hardware.state import Machine, State

WHOLE = frozenset(one.name for one in fields(State)) - {"machines"}
"""What is compared as one thing: cables, switches, seed."""


@dataclass
class Read:
    """What was read of a state."""

    machines: dict[str, Machine | None] = field(default_factory=dict)
    """By name; None where there was none."""
    whole: dict[str, Any] = field(default_factory=dict)
    """By field of `State`."""

    def still(self, state: State) -> bool:
        """Whether `state` has the very same objects in all these places."""
        return all(state.machines.get(name) is one for name, one in self.machines.items()) and all(
            _same(getattr(state, name), one) for name, one in self.whole.items()
        )


def _same(one: object, other: object) -> bool:
    return one is other or (isinstance(one, int) and one == other)


class _Machines(dict[str, Machine]):
    """The machines of a watched state; their names are the same in all scenes, and are not noted."""

    def __init__(self, machines: dict[str, Machine], read: Read) -> None:
        super().__init__(machines)
        self._read = read

    def __getitem__(self, name: str) -> Machine:
        found = super().__getitem__(name)
        self._read.machines[name] = found
        return found

    def get(self, name: str, default: Any = None) -> Any:
        found = super().get(name, default)
        self._read.machines[name] = super().get(name)
        return found

    def items(self) -> Any:
        self._read.machines.update(super().items())
        return super().items()

    def values(self) -> Any:
        self._read.machines.update(super().items())
        return super().values()


class Watched(State):
    """`state` as an observer reads it; `read` holds what it has read so far."""

    read: Read
    origin: State

    def __getattribute__(self, name: str) -> Any:
        """A field of the state, noted."""
        found = super().__getattribute__(name)
        if name in WHOLE:
            super().__getattribute__("read").whole[name] = found
        return found

    @property
    def plugged(self) -> Any:
        """As in the state, which has turned its cables round once for all observers."""
        self.read.whole["cables"] = self.origin.cables
        return self.origin.plugged

    @property
    def lossy(self) -> Any:
        """As `plugged`."""
        self.read.whole["cables"] = self.origin.cables
        return self.origin.lossy


def watched(state: State) -> Watched:
    """`state`, watched from now on."""
    read = Read()
    seen = Watched.__new__(Watched)
    values = {one.name: getattr(state, one.name) for one in fields(State)}
    for name, value in {**values, "machines": _Machines(state.machines, read), "read": read, "origin": state}.items():
        object.__setattr__(seen, name, value)
    return seen
