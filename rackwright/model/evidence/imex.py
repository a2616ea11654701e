"""The state of a node's NVLink domain as its IMEX daemon reports it (`nvidia-imex-ctl`)."""

from __future__ import annotations

from rackwright.model.base import Record


class ImexNode(Record):
    """One node of the domain, as seen by the queried daemon."""

    host: str
    """Address, as its configuration has it."""
    status: str
    """``READY``, ``UNAVAILABLE``, ``WAITING_FOR_PEERS`` ..."""
    connections: dict[str, str]
    """By address of the other node: ``CONNECTED``, ``RECOVERING``, ``DISCONNECTED``, ``NEVER_CONNECTED``, ``INVALID``."""


class Imex(Record):
    """The whole domain."""

    status: str
    """``UP``, ``DEGRADED``, ``DOWN``."""
    nodes: list[ImexNode]
    """In the order of the configuration."""
