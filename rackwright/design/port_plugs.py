"""Cage and form of every port of a site, for columns of device numbers and port indices."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rackwright.design.columns import RosterColumns


@dataclass(frozen=True, eq=False)
class PortPlugs:
    """Cage and form of every port of the site, by device number and port index."""

    columns: RosterColumns

    @cached_property
    def forms(self) -> list[str]:
        """Every form, once."""
        return sorted({port.form for port in self.columns.flat})

    @cached_property
    def _form(self) -> NDArray[np.int64]:
        number = {form: at for at, form in enumerate(self.forms)}
        return np.array([number[port.form] for port in self.columns.flat], dtype=np.int64)

    @cached_property
    def _cage(self) -> NDArray[np.int64]:
        """By port of all lists: number of its cage on the device; a port without a cage counts as one of its own, after the others."""
        several = [max((port.cage for port in ports.ports), default=-1) + 1 for ports in self.columns.lists]
        return np.array(
            [
                port.cage if port.cage >= 0 else above + at
                for above, ports in zip(several, self.columns.lists, strict=True)
                for at, port in enumerate(ports.ports)
            ],
            dtype=np.int64,
        )

    @cached_property
    def _first(self) -> NDArray[np.int64]:
        room = 2 * self.columns.sizes.astype(np.int64)[self.columns.list_of]
        return np.asarray(np.cumsum(room) - room, dtype=np.int64)

    def port(self, device: NDArray[np.int32], port: NDArray[np.int32]) -> NDArray[np.int64]:
        """Number of the port over the whole site."""
        return np.asarray(self._first[device] + port, dtype=np.int64)

    def of(self, device: NDArray[np.int32], port: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """By port: its cage, numbered over the whole site, and its form as an index in `forms`."""
        flat = self.columns.at(device, port)
        return self._first[device] + self._cage[flat], self._form[flat]
