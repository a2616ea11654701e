"""The PCI bus of a node of the twin: every accelerator below a switch of its own, with the adapter of its rail.

Functions have the addresses that hosts of the twin have on their bus (``twin/hardware/pci.py``); the switches above are this
module's own, so that what hangs together follows from the path upwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rackwright.base.content import Roots
from rackwright.model.design import Design
from rackwright.model.evidence.pci import BRIDGE, Pci, PciDevice
from rackwright.twin.bmc import dialects
from rackwright.twin.hardware import ids, pci
from rackwright.twin.hardware.parts.port import card_serial
from rackwright.twin.hardware.state import Gpu, MachinePort, State, TwinMachine

ANSWERED = True
SWITCH_BUS = 0x05
READ_REQUEST, MAX_PAYLOAD = 4096, 256
ROOT_PORT, UPSTREAM, DOWNSTREAM = -4, -2, -1
"""Bus numbers of the bridges above an accelerator, less its own."""
SPEEDS = {1: "2.5", 2: "5", 3: "8", 4: "16", 5: "32", 6: "64", 7: "128"}
STATUS = ("CorrErr", "NonFatalErr", "FatalErr", "UnsupReq")
SERVICES = ("SrcValid", "TransBlk", "ReqRedir", "CmpltRedir", "UpstreamFwd", "EgressCtrl", "DirectTrans")
NAMES = {"02": "Network controller", "03": "3D controller", "06": "PCI bridge", "12": "Processing accelerators"}


def observe(state: State, design: Design, node: str) -> Pci:
    """Bridges, accelerators, NVSwitches and adapters of `node`, in order of address."""
    machine = state.machines[node]
    rails = [nic for nic in machine.nics if nic.role == "compute"]
    devices = {}
    for number, gpu in enumerate(machine.gpus):
        each = len(rails) // len(machine.gpus)
        for device in _pair(machine, gpu, rails[number * each : (number + 1) * each], design.roots):
            devices[device.address] = device
    for nic in machine.nics:
        if nic not in rails or len(rails) < len(machine.gpus):
            for device in _adapter(machine, nic, [], 0):
                devices[device.address] = device
    for device in _switches(machine):
        devices[device.address] = device
    return Pci(devices=[devices[place] for place in sorted(devices)])


def _pair(machine: TwinMachine, gpu: Gpu, rail: Sequence[MachinePort], roots: Roots) -> Iterator[PciDevice]:
    """An accelerator, the ports of its rail, and the bridges above both."""
    health, bus = gpu.health, int(gpu.pci_bus_id[9:11], 16)
    root, upstream = f"0000:{bus + ROOT_PORT:02x}:01.0", f"0000:{bus + UPSTREAM:02x}:00.0"
    port, adapter_port = f"0000:{bus + DOWNSTREAM:02x}:00.0", f"0000:{bus + DOWNSTREAM:02x}:01.0"
    yield _bridge(root, [], gpu)
    yield _bridge(upstream, [root], gpu)
    yield _bridge(port, [root, upstream], gpu, acs=list(health.acs))
    if gpu.present:
        generation, width = gpu.pcie_generation or None, gpu.pcie_width or None
        pci_id = ":".join(ids.of_accelerator(gpu.vendor, gpu.product_name, roots))
        yield _function(
            gpu.pci_bus_id[4:].lower(), [root, upstream, port], ids.accelerator_class(gpu.vendor, roots), pci_id,
            gpu, (generation, width),
        )  # fmt: skip
    if rail:
        way = [f"0000:{bus + ROOT_PORT:02x}:02.0"] if health.foreign_switch else [root, upstream, adapter_port]
        for place in range(1, len(way) + 1):
            yield _bridge(way[place - 1], way[: place - 1], gpu)
        for nic in rail:
            yield from _adapter(machine, nic, way, health.numa_node)


def _adapter(machine: TwinMachine, nic: MachinePort, way: list[str], numa: int) -> Iterator[PciDevice]:
    pci_id = ids.of_adapter(nic.adapter)
    if pci_id is None or nic.name in machine.board.nics_missing:
        return
    card = [port.name for port in machine.nics if machine.slot(port)[0] == machine.slot(nic)[0]]
    trained = (machine.board.nic_links[name] for name in card if name in machine.board.nic_links)
    generation, width = next(trained, _link(nic.adapter))
    yield PciDevice(
        address=pci.adapter_address(machine, nic),
        path=way,
        pci_class="0207" if nic.infiniband else "0200",
        pci_id=":".join(pci_id),
        numa_node=numa,
        generation=generation,
        width=width,
        max_payload_bytes=MAX_PAYLOAD,
        read_request_bytes=machine.board.nic_read_requests.get(nic.name, READ_REQUEST),
        acs=None,
        errors=[],
        slot=str(machine.slot(nic)[0] + dialects.first_slot(machine)),
        card=card_serial(machine.nics, nic),
    )


def _link(adapter: str) -> tuple[int, int]:
    """Generation and width that an adapter trains to."""
    return (4, 16) if adapter.startswith(("ConnectX-6", "SP670", "Qingtian", "Slingshot")) else (5, 16)


def _switches(machine: TwinMachine) -> Iterator[PciDevice]:
    pci_id = ids.of_nvswitch(machine.gpus[0].product_name) if machine.gpus else None
    present = [number for number in range(machine.nvswitches) if number not in machine.board.nvswitches_missing]
    for number in present if pci_id else []:
        assert pci_id is not None
        yield PciDevice(
            address=f"0000:{SWITCH_BUS + number:02x}:00.0", path=[], pci_class=ids.data()["classes"]["nvswitch"],
            pci_id=":".join(pci_id), numa_node=0, generation=2, width=2, max_payload_bytes=128, read_request_bytes=512,
            acs=None, errors=[],
        )  # fmt: skip


def _bridge(address: str, path: list[str], gpu: Gpu, acs: list[str] | None = None) -> PciDevice:
    facts = ids.data()["bridge"]
    pci_id = f"{facts['vendor']}:{facts['device']}"
    link = gpu.pcie_generation or None, gpu.pcie_width or None
    bridge = _function(address, path, BRIDGE, pci_id, gpu, link)
    return bridge.model_copy(update={"acs": acs or [], "errors": [], "max_payload_bytes": MAX_PAYLOAD})


def _function(
    address: str, path: list[str], kind: str, pci_id: str, gpu: Gpu, link: tuple[int | None, int | None]
) -> PciDevice:
    return PciDevice(
        address=address,
        path=path,
        pci_class=kind,
        pci_id=pci_id,
        numa_node=gpu.health.numa_node,
        generation=link[0],
        width=link[1],
        max_payload_bytes=gpu.health.max_payload,
        read_request_bytes=512,
        acs=None,
        errors=["CorrErr", "FatalErr"] if gpu.health.fatal_bus_error else [],
    )


def render(record: Pci) -> bytes:
    """The blocks that the collector parses to `record`."""
    return "\n".join(_block(device) for device in record.devices).encode()


def _block(device: PciDevice) -> str:
    places = [*device.path, device.address]
    way = "/".join([places[0], *(place.partition(":")[2] for place in places[1:])])
    lines = [f"{way} {NAMES[device.pci_class[:2]]} [{device.pci_class}]: Device [{device.pci_id}] (rev a1)"]
    lines += [f"\tPhysical Slot: {device.slot}"] if device.slot else []
    lines += [f"\tNUMA node: {device.numa_node}"] if device.numa_node is not None else []
    if device.max_payload_bytes is not None:
        lines += [
            "\tCapabilities: [60] Express (v2) Endpoint, MSI 00",
            "\t\tDevCtl:\tCorrErr+ NonFatalErr+ FatalErr+ UnsupReq-",
        ]
        lines.append(f"\t\t\tMaxPayload {device.max_payload_bytes} bytes, MaxReadReq {device.read_request_bytes} bytes")
    if device.errors is not None:
        lines.append(f"\t\tDevSta:\t{_flags(STATUS, device.errors)} AuxPwr- TransPend-")
    if device.generation is not None:
        lines.append(f"\t\tLnkSta:\tSpeed {SPEEDS[device.generation]}GT/s, Width x{device.width}")
    if device.card:
        lines += [
            "\tCapabilities: [48] Vital Product Data",
            "\t\tRead-only fields:",
            f"\t\t\t[SN] Serial number: {device.card}",
            "\t\tEnd",
        ]
    if device.acs is not None:
        lines += ["\tCapabilities: [100 v1] Access Control Services", f"\t\tACSCtl:\t{_flags(SERVICES, device.acs)}"]
    return "\n".join(lines) + "\n"


def _flags(names: tuple[str, ...], on: list[str]) -> str:
    return " ".join(f"{name}{'+' if name in on else '-'}" for name in names)
