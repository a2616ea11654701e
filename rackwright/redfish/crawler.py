"""Reads documents of a BMC by following their links, each once."""

from __future__ import annotations

import asyncio
from typing import Any

from rackwright.base.errors import OutsideError
from rackwright.redfish.client import Client
from rackwright.redfish.resources.chassis import Chassis
from rackwright.redfish.resources.links import links, members
from rackwright.redfish.resources.network_adapter import NetworkAdapter
from rackwright.redfish.resources.service_root import ServiceRoot
from rackwright.redfish.resources.system import System

Documents = dict[str, dict[str, Any]]
"""Path -> document as the BMC gave it. A collection that came with its members is stored as links plus members."""

ONE_LEVEL = "?$expand=.($levels=1)"


class Crawl:
    """One walk over the documents of a BMC."""

    def __init__(self, client: Client, documents: Documents, root: ServiceRoot) -> None:
        self.client = client
        self.documents = documents
        self._expand = root.expands_members
        self.root = root
        self.left: int | None = None
        """Requests for single documents that may still be made; None: as many as there are."""

    async def systems(self) -> None:
        """Systems and their processors."""
        await self.collection(self.root.systems)
        systems = [System.of(document) for document in members(self.documents, self.root.systems)]
        await asyncio.gather(*(self.collection(system.processors) for system in systems))

    async def chassis(self) -> None:
        """Chassis with their adapters, ports and power supplies."""
        await self.collection(self.root.chassis)
        chassis = [Chassis.of(document) for document in members(self.documents, self.root.chassis)]
        await asyncio.gather(*(self._adapters(unit) for unit in chassis), *(self._power(unit) for unit in chassis))

    async def collection(self, path: str) -> None:
        """The collection at `path` and its members; nothing when the BMC has no such collection."""
        document = await self._listing(path) if path else None
        if document is None:
            return
        inline = [member for member in document.get("Members") or [] if len(member) > 1]
        for member in inline:
            self.documents[str(member["@odata.id"])] = member
        paths = links(document, "Members")
        if inline:
            document = {**document, "Members": [{"@odata.id": member} for member in paths]}
        self.documents[path] = document
        unread = [member for member in dict.fromkeys(paths) if member not in self.documents]
        self.client.expect(path, len(unread))
        await asyncio.gather(*(self.single(member) for member in unread))

    async def _listing(self, path: str) -> dict[str, Any] | None:
        if self._expand:
            try:
                return await self.client.get_optional(path + ONE_LEVEL)
            except OutsideError:
                self._expand = False  # offered, but not for this one: read the members one by one from here on
        return await self.client.get_optional(path)

    async def single(self, path: str) -> None:
        """The document at `path`; None when the BMC has none, or when the limit of documents is reached."""
        if self.left is not None:
            if self.left <= 0:
                return
            self.left -= 1
        document = await self.client.get_optional(path) if path else None
        if document is not None:
            self.documents[path] = document

    async def _adapters(self, chassis: Chassis) -> None:
        await self.collection(chassis.network_adapters)
        adapters = [NetworkAdapter.of(adapter) for adapter in members(self.documents, chassis.network_adapters)]
        await asyncio.gather(*(self.collection(adapter.ports) for adapter in adapters))

    async def _power(self, chassis: Chassis) -> None:
        await self.single(chassis.power_subsystem or chassis.power)
        subsystem = self.documents.get(chassis.power_subsystem) or {}
        await self.collection(str((subsystem.get("PowerSupplies") or {}).get("@odata.id") or ""))
