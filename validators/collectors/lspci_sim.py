"""Prints functions as `lspci -D -PP -nn -vvv` does."""

from rackwright.model.evidence.pci import Pci, PciDevice

SPEEDS = {1: "2.5", 2: "5", 3: "8", 4: "16", 5: "32", 6: "64", 7: "128"}
STATUS = ("CorrErr", "NonFatalErr", "FatalErr", "UnsupReq")
SERVICES = ("SrcValid", "TransBlk", "ReqRedir", "CmpltRedir", "UpstreamFwd", "EgressCtrl", "DirectTrans")
NAMES = {"02": "Network controller", "03": "3D controller", "06": "PCI bridge", "12": "Processing accelerators"}


def render(seen: Pci) -> bytes:
    """The blocks whose parse is `seen`."""
    return "\n".join(_block(one) for one in seen.devices).encode()


def _block(one: PciDevice) -> str:
    places = [*one.path, one.address]
    way = "/".join([places[0], *(place.partition(":")[2] for place in places[1:])])
    lines = [f"{way} {NAMES[one.pci_class[:2]]} [{one.pci_class}]: Device [{one.pci_id}] (rev a1)"]
    lines += [f"\tNUMA node: {one.numa_node}"] if one.numa_node is not None else []
    if one.max_payload_bytes is not None:
        lines += [
            "\tCapabilities: [60] Express (v2) Endpoint, MSI 00",
            "\t\tDevCtl:\tCorrErr+ NonFatalErr+ FatalErr+ UnsupReq-",
        ]
        lines.append(f"\t\t\tMaxPayload {one.max_payload_bytes} bytes, MaxReadReq {one.read_request_bytes} bytes")
    if one.errors is not None:
        lines.append(f"\t\tDevSta:\t{_flags(STATUS, one.errors)} AuxPwr- TransPend-")
    if one.generation is not None:
        lines.append(f"\t\tLnkSta:\tSpeed {SPEEDS[one.generation]}GT/s, Width x{one.width}")
    if one.acs is not None:
        lines += ["\tCapabilities: [100 v1] Access Control Services", f"\t\tACSCtl:\t{_flags(SERVICES, one.acs)}"]
    return "\n".join(lines) + "\n"


def _flags(names: tuple[str, ...], on: list[str]) -> str:
    return " ".join(f"{name}{'+' if name in on else '-'}" for name in names)
