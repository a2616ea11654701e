"""The port GUIDs of a node's adapters.

The host reports them by the names that the design uses; the BMC, which may name adapters differently, fills gaps.
"""

from __future__ import annotations

from collections.abc import Collection

from rackwright.model.evidence.network import port_guids
from rackwright.model.records import Held, read_field


def adapter_guids(planned: Collection[str], rdma: Held | None, bmc: Held | None) -> dict[str, str] | None:
    """Adapter -> port GUID (``0x`` and 16 hex digits); None if neither the host nor its BMC was read.

    `rdma` is an `Rdma`, `bmc` a `BmcEvidence`. `planned` adapters that the host does not show are taken from the BMC if
    it lists them under the same name: a device that fell off the bus is still cabled.
    """
    if rdma is None and bmc is None:
        return None
    ports = read_field(bmc, "nic_ports") if bmc is not None else []
    witnessed = {port.adapter: port.port_guid for port in ports if port.port_guid and port.adapter in planned}
    return witnessed | (port_guids(read_field(rdma, "devices")) if rdma is not None else {})
