"""RDMA devices of one host as its kernel shows them, with MTU from `ibv_devinfo` and the modules beside them: one shell.

Sections are ``== name`` lines. Attributes are ``path:value`` lines of /sys/class/infiniband; empty rows of the tables of
P_Keys and GIDs are left out at the source. A host without ibverbs-utils has no MTU, one without NVIDIA's driver no flavour.
"""

import re
from functools import lru_cache

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.network import Gid, Rdma, RdmaDevice

NOTHING = r"^(0x0000|(0000:){7}0000|)$"
DEVICES = "/sys/class/infiniband"
SCRIPT = "; ".join((
    "echo '== kernel'", "uname -r",
    "echo '== modules'", "grep -oE '^(nvidia|nv_|ib_|rdma|mlx|bnxt|ionic|amdgpu)[a-z0-9_]*' /proc/modules 2>/dev/null",
    "echo '== driver'", "head -n 1 /proc/driver/nvidia/version 2>/dev/null",
    "echo '== slots'", f"for one in {DEVICES}/*; do [ -e \"$one\" ] && echo \"${{one##*/}} $(readlink -f $one/device)\"; done",
    "echo '== attributes'",
    (f"grep -HsvE '{NOTHING}' {DEVICES}/*/fw_ver {DEVICES}/*/board_id {DEVICES}/*/hca_type {DEVICES}/*/node_guid "
    f"{DEVICES}/*/device/numa_node {DEVICES}/*/ports/1/link_layer {DEVICES}/*/ports/1/state {DEVICES}/*/ports/1/phys_state "
    f"{DEVICES}/*/ports/1/rate {DEVICES}/*/ports/1/pkeys/* {DEVICES}/*/ports/1/gids/* {DEVICES}/*/ports/1/gid_attrs/types/* "
    f"{DEVICES}/*/ports/1/counters/*"),
    "echo '== verbs'", "ibv_devinfo 2>/dev/null",
    "true",
))  # fmt: skip
PREFIX = f"{DEVICES}/"
COUNTERS = "counters/"
KEY = re.compile(r"0x[0-9a-f]{1,4}")
MTU = re.compile(r"active_mtu:\s+(\d+)")

Lines = list[tuple[int, str]]
Attributes = dict[str, dict[str, str]]


def parse(output: str) -> Rdma:
    """All sections; kernel, slots and attributes must be there."""
    sections = _sections(output)
    for name in ("kernel", "slots", "attributes"):
        if name not in sections:
            raise ParseError(1, output, f"a section {name!r}")
    attributes, slots, mtus = _attributes(sections["attributes"]), _slots(sections["slots"]), _mtus(sections)
    driver = [text for _, text in sections.get("driver", [])]
    return Rdma(
        kernel="".join(text.strip() for _, text in sections["kernel"]),
        modules=[text.strip() for _, text in sections.get("modules", [])],
        open_driver="Open Kernel Module" in driver[0] if driver else None,
        devices={name: _device(attributes.get(name, {}), slot, mtus.get(name)) for name, slot in slots.items()},
    )


def _sections(output: str) -> dict[str, Lines]:
    sections: dict[str, Lines] = {}
    current: Lines = []
    for number, text in enumerate(output.splitlines(), start=1):
        if text.startswith("== "):
            current = sections.setdefault(text[3:].strip(), [])
        elif text.strip():
            current.append((number, text))
    return sections


def _slots(lines: Lines) -> dict[str, str]:
    found = {}
    for number, text in lines:
        name, _, path = text.partition(" ")
        if not path.startswith("/sys/devices/"):
            raise ParseError(number, text, "a device and its path below /sys/devices")
        found[name] = path.rsplit("/", 1)[1]
    return found


def _attributes(lines: Lines) -> Attributes:
    """Device -> attribute -> value; split by hand, because a large site has millions of these lines."""
    found: Attributes = {}
    for number, text in lines:
        path, separator, value = text.partition(":")
        place = _place(path)
        if not separator or place is None:
            raise ParseError(number, text, f"an attribute below {DEVICES}")
        device, name = place
        if device not in found:
            found[device] = {}
        found[device][name] = value.strip()
    return found


@lru_cache(maxsize=16384)
def _place(path: str) -> tuple[str, str] | None:
    """Device and attribute; None for a path that is none. Nodes that are alike have the same ones."""
    device, _, name = path.removeprefix(PREFIX).partition("/")
    return (device, name.removeprefix("ports/1/")) if name and path.startswith(PREFIX) else None


def _mtus(sections: dict[str, Lines]) -> dict[str, int]:
    found, device = {}, ""
    for _, text in sections.get("verbs", []):
        if text.startswith("hca_id:"):
            device = text.split(":", 1)[1].strip()
        elif (mtu := MTU.search(text)) and device:
            found[device] = int(mtu[1])
    return found


def _device(said: dict[str, str], slot: str, mtu: int | None) -> RdmaDevice:
    numa = said.get("device/numa_node", "")
    return RdmaDevice(
        pci_address=slot,
        model=said.get("hca_type", ""),
        firmware=said.get("fw_ver", ""),
        board=said.get("board_id", ""),
        node_guid=said.get("node_guid", ""),
        numa_node=int(numa) if numa.isdecimal() else None,  # -1: the platform does not say
        link_layer=said.get("link_layer", ""),
        state=said.get("state", "").partition(": ")[2],
        physical_state=said.get("phys_state", "").partition(": ")[2],
        rate=said.get("rate", ""),
        active_mtu=mtu,
        partition_keys=[int(key, 16) for _, key in _table(said, "pkeys/") if KEY.fullmatch(key)],
        gids=[
            Gid(index=row, address=gid, kind=said.get(f"gid_attrs/types/{row}", ""))
            for row, gid in _table(said, "gids/")
        ],
        counters={
            name[len(COUNTERS) :]: int(value)
            for name, value in said.items()
            if name.startswith(COUNTERS) and value.isdecimal()
        },
    )


def _table(said: dict[str, str], prefix: str) -> list[tuple[int, str]]:
    rows = ((name.removeprefix(prefix), value) for name, value in said.items() if name.startswith(prefix))
    return sorted((int(row), value) for row, value in rows if row.isdecimal())


COLLECTOR = Collector(
    produces=Rdma, parse=parse, seconds=30, roles=("accelerator",), command=("ionice", "-c", "3", "sh", "-c", SCRIPT)
)
