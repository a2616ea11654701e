"""Accelerators that containers of one node can use, and the driver libraries that are mounted into them."""

from __future__ import annotations

from rackwright.model.base import Record


class Container(Record):
    """Devices and driver as the library of the container runtime sees them (`nvidia-container-cli info`)."""

    driver_version: str
    cuda_version: str
    uuids: list[str]
    """Accelerators that it can give to a container."""


class Library(Record):
    """A file of a library."""

    path: str
    bytes: int


class DriverLibraries(Record):
    """Shared libraries of the accelerator driver on the node; links are left out."""

    libraries: list[Library]
