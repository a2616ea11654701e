"""Device and port names for columns of device numbers and port indices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from rackwright.design.ports import DevicePort, Ints, PortList
from rackwright.design.topology import Roster


@dataclass(frozen=True, eq=False)
class RosterColumns:
    """The roster as columns."""

    roster: Roster

    @cached_property
    def names(self) -> pl.Series:
        """Name of every device."""
        return pl.Series("device", self.roster.names, dtype=pl.String)

    @cached_property
    def lists(self) -> list[PortList]:
        """The distinct port lists."""
        return list(dict.fromkeys(self.roster.ports))

    @cached_property
    def list_of(self) -> Ints:
        """Number of every device's port list."""
        number = {id(ports): at for at, ports in enumerate(self.lists)}
        return np.array([number[id(ports)] for ports in self.roster.ports], dtype=np.int32)

    @cached_property
    def sizes(self) -> Ints:
        """Ports of every port list."""
        return np.array([len(ports.ports) for ports in self.lists], dtype=np.int32)

    @cached_property
    def offsets(self) -> Ints:
        """Start of every port list in `flat`."""
        return np.concatenate([[0], np.cumsum(self.sizes)[:-1]]).astype(np.int32)

    @cached_property
    def flat(self) -> Sequence[DevicePort]:
        """The ports of all lists, one after the other."""
        return [port for ports in self.lists for port in ports.ports]

    @cached_property
    def port_names(self) -> pl.Series:
        """Name of every port of `flat`."""
        return pl.Series("port", [port.name for port in self.flat], dtype=pl.String)

    def at(self, device: Ints, port: Ints) -> Ints:
        """Indices in `flat` of `port` of every `device`."""
        return np.asarray(self.offsets[self.list_of[device]] + port, dtype=np.int32)

    def device(self, device: Ints) -> pl.Series:
        """Names of devices."""
        return self.names.gather(pl.Series(device))

    def port(self, device: Ints, port: Ints) -> pl.Series:
        """Names of ports."""
        return self.port_names.gather(pl.Series(self.at(device, port)))
