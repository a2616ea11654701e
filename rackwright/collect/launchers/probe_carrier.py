"""The shape of a way that takes the probe to the nodes of one scheduler: hosts with their questions in, arrivals out."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from rackwright.collect.transports import fleet
    from rackwright.collect.transports.connection_limits import Patience
    from rackwright.model.access import Access


class Way(Protocol):
    """Who reaches nodes that need not accept our login."""

    @property
    def scheduler(self) -> str:
        """Whose nodes it reaches, as the design names it."""
        ...

    def ask(
        self, hosts: Sequence[fleet.FleetHost], access: Access, zipapp: bytes, patience: Patience | None = None
    ) -> AsyncIterator[fleet.Arrival]:
        """Answers in the order in which they come; every question of every host has an Output when its host is through."""
        ...
