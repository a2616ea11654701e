"""Protocol of a carrier that runs the probe on the nodes of one scheduler: hosts with their questions in, arrivals out."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from rackwright.collect.transports import fleet
    from rackwright.collect.transports.connection_limits import Patience
    from rackwright.model.access import Access


class Way(Protocol):
    """A way to nodes that need not accept our login."""

    @property
    def scheduler(self) -> str:
        """Name of the scheduler whose nodes it reaches, as in the design."""
        ...

    def ask(
        self, hosts: Sequence[fleet.FleetHost], access: Access, zipapp: bytes, patience: Patience | None = None
    ) -> AsyncIterator[fleet.Arrival]:
        """Yield answers as they arrive; when a host is through, each of its questions has an Output."""
        ...
