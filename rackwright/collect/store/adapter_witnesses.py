"""The adapters of a node as reported by the host and by its BMC, side by side for the checks that compare them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rackwright.model.evidence.adapter_witnesses import AdapterWitnesses, BmcCard, HostCard
from rackwright.model.evidence.bmc import BmcEvidence, NicPort
from rackwright.model.evidence.network import Rdma, RdmaDevice, port_guids
from rackwright.model.evidence.pci import Pci, PciDevice
from rackwright.model.records import Held, read_field

SOURCES = (Rdma, Pci, BmcEvidence)
"""The records that it is built from; without the record of the PCI bus, slots and serial numbers of the host are
unknown.
"""


def adapter_witnesses(records: Mapping[type, Held]) -> AdapterWitnesses | None:
    """The adapters of both sides; None if the host or its BMC was not read."""
    rdma, bmc, bus = records.get(Rdma), records.get(BmcEvidence), records.get(Pci)
    if rdma is None or bmc is None:
        return None
    listed = _bmc_cards(read_field(bmc, "nic_ports"))
    comparable = any(card.number or card.slot or card.guids for card in listed)
    functions: Iterable[PciDevice] = read_field(bus, "devices") if bus is not None and comparable else ()
    return AdapterWitnesses(host=_host_cards(read_field(rdma, "devices"), functions), bmc=listed)


def _host_cards(devices: Mapping[str, RdmaDevice], functions: Iterable[PciDevice]) -> list[HostCard]:
    """One card for each device on the bus, or for all functions with the same serial number."""
    at = {function.address: function for function in functions}
    guids = port_guids(devices)
    groups: dict[str, list[str]] = {}
    for name, device in sorted(devices.items(), key=lambda row: row[1].pci_address):
        function = at.get(device.pci_address)
        place = device.pci_address.rpartition(".")[0]
        groups.setdefault((function.card if function else "") or place, []).append(name)
    cards = []
    for names in groups.values():
        address = devices[names[0]].pci_address
        function = at.get(address)
        ports = {name: guids.get(name, "") for name in names}
        slot, number = (function.slot, function.card) if function else ("", "")
        cards.append(HostCard.unvalidated(ports=ports, address=address, slot=slot, number=number))
    return cards


def _bmc_cards(ports: Sequence[NicPort]) -> list[BmcCard]:
    groups: dict[str, list[NicPort]] = {}
    for port in ports:
        groups.setdefault(port.card or f"adapter {port.adapter}", []).append(port)
    return [
        BmcCard.unvalidated(
            names=list(dict.fromkeys(port.adapter for port in group)),
            slot=group[0].slot,
            number=group[0].card,
            guids=[port.port_guid for port in group if port.port_guid],
            macs=[port.mac for port in group if port.mac],
        )
        for group in groups.values()
    ]
