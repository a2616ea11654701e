"""What containers of one node are given of its accelerators, and which libraries of the driver stand ready for them."""

from __future__ import annotations

from rackwright.model.base import Record


class Container(Record):
    """What the container runtime's library sees (`nvidia-container-cli info`)."""

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
