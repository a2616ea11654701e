"""Facts of the storage of a node: its own drives, and the tiers that it mounts."""

from __future__ import annotations

from typing import Any

from rackwright.model.design import Node
from rackwright.onboard.facts.context import Context


def _drives(context: Context, node: Node) -> int:  # noqa: ARG001 - the form of a fact
    return node.server.local_storage.drives if node.server.local_storage else 0


def _drive_terabytes(context: Context, node: Node) -> float:  # noqa: ARG001 - the form of a fact
    return node.server.local_storage.terabytes_each if node.server.local_storage else 0.0


def _mounts(context: Context) -> list[dict[str, Any]]:
    """One entry per tier that nodes mount: name, kind, source, mount, options, version."""
    return [
        {"name": tier.name, **tier.client.model_dump()}
        for tier in context.design.site.storage
        if tier.client is not None
    ]


FACTS = {"local_drives": _drives, "local_drive_terabytes": _drive_terabytes}
SITE_FACTS = {"storage_mounts": _mounts}
