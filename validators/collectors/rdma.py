"""RDMA devices of one host as its kernel shows them, with MTU from `ibv_devinfo` and the modules beside them: one shell.

Sections are ``== name`` lines. Attributes are ``path:value`` lines of /sys/class/infiniband; empty rows of the tables of
P_Keys and GIDs are left out at the source. A host without ibverbs-utils has no MTU, one without NVIDIA's driver no flavour.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from rackwright.collect.collector import Collector, ParseError
from rackwright.collect.parsing import figures, sections
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
SAID = (
    "device/numa_node", "hca_type", "fw_ver", "board_id", "node_guid", "ports/1/link_layer", "ports/1/state", "ports/1/phys_state",
    "ports/1/rate",
)  # fmt: skip
COUNTER = "ports/1/counters/"
KEY = re.compile(r"0x[0-9a-f]{1,4}")
MTU = re.compile(r"active_mtu:\s+(\d+)")


class Place(NamedTuple):
    """Where the values of one device stand among all values; one past the last, which is empty, for what was not printed."""

    read: Callable[[list[str]], tuple[str, ...]]
    """Takes the values of `SAID`."""
    keys: list[int]
    gids: list[tuple[int, int, int]]
    """Row of the table, place of the address, place of the kind."""
    names: tuple[str, ...]
    """Of the counters."""
    counters: tuple[int, ...]


def parse(output: str) -> Rdma:
    """All sections; kernel, slots and attributes must be there."""
    parts = sections.read(output)
    for name in ("kernel", "slots", "attributes"):
        if name not in parts:
            raise ParseError(1, output, f"a section {name!r}")
    places, values = _attributes(output, parts["attributes"])
    mtus, driver = _mtus(parts.get("verbs", [])), parts.get("driver")
    return Rdma(
        kernel="".join(map(str.strip, parts["kernel"])),
        modules=[text.strip() for text in parts.get("modules", [])],
        open_driver="Open Kernel Module" in driver[0] if driver else None,
        devices={
            name: _device(places.get(name) or _place({}, len(values) - 1), values, slot, mtus.get(name))
            for name, slot in _slots(output, parts["slots"]).items()
        },
    )


def _slots(output: str, lines: list[str]) -> dict[str, str]:
    slots = {}
    for index, text in enumerate(lines):
        name, _, path = text.partition(" ")
        if not path.startswith("/sys/devices/"):
            number = sections.number(output, "slots", index)
            raise ParseError(number, text, "a device and its path below /sys/devices")
        slots[name] = path.rsplit("/", 1)[1]
    return slots


def _attributes(output: str, lines: list[str]) -> tuple[dict[str, Place], list[str]]:
    """The place of every device among the values, and the values."""
    try:
        paths, values = zip(*[line.split(":", 1) for line in lines], strict=True) if lines else ((), ())
        return _places(paths), [*map(str.strip, values), ""]
    except ValueError:
        raise _odd(output, lines) from None


def _odd(output: str, lines: list[str]) -> ParseError:
    index = next(at for at, line in enumerate(lines) if ":" not in line or _split(line.partition(":")[0]) is None)
    number = sections.number(output, "attributes", index)
    return ParseError(number, lines[index], f"an attribute below {DEVICES}")


@lru_cache(maxsize=32)
def _places(paths: tuple[str, ...]) -> dict[str, Place]:
    """By device. Worked out once for all nodes that print the same paths: a large site has millions of these lines.

    ValueError for a malformed path.
    """
    devices: dict[str, dict[str, int]] = {}
    for at, path in enumerate(paths):
        place = _split(path)
        if place is None:
            raise ValueError(path)
        devices.setdefault(place[0], {})[place[1]] = at
    return {device: _place(at, len(paths)) for device, at in devices.items()}


def _split(path: str) -> tuple[str, str] | None:
    """Device and attribute; None for a malformed path."""
    device, _, name = path.removeprefix(PREFIX).partition("/")
    return (device, name) if name and path.startswith(PREFIX) else None


def _place(at: dict[str, int], none: int) -> Place:
    """`at` is the place of each attribute of a device, `none` the place of an empty value."""
    counters = [name for name in at if name.startswith(COUNTER)]
    return Place(
        read=itemgetter(*(at.get(name, none) for name in SAID)),
        keys=[place for _, place in _rows(at, "ports/1/pkeys/")],
        gids=[
            (row, place, at.get(f"ports/1/gid_attrs/types/{row}", none)) for row, place in _rows(at, "ports/1/gids/")
        ],
        names=tuple(name.removeprefix(COUNTER) for name in counters),
        counters=tuple(at[name] for name in counters),
    )


def _rows(at: dict[str, int], prefix: str) -> list[tuple[int, int]]:
    rows = ((name.removeprefix(prefix), place) for name, place in at.items() if name.startswith(prefix))
    return sorted((number, place) for row, place in rows if (number := figures.integer(row)) is not None)


def _mtus(lines: list[str]) -> dict[str, int]:
    active = {}
    for part in "\n".join(["", *lines]).split("\nhca_id:")[1:]:
        device, _, body = part.partition("\n")
        if (mtus := MTU.findall(body)) and device.strip():
            active[device.strip()] = int(mtus[-1])
    return active


def _device(place: Place, values: list[str], slot: str, mtu: int | None) -> RdmaDevice:
    numa, model, firmware, board, guid, layer, state, physical, rate = place.read(values)
    return RdmaDevice.unvalidated(
        pci_address=slot,
        model=model,
        firmware=firmware,
        board=board,
        node_guid=guid,
        numa_node=int(numa) if numa.isdecimal() else None,  # -1: the platform does not say
        link_layer=layer,
        state=state.partition(": ")[2],
        physical_state=physical.partition(": ")[2],
        rate=rate,
        active_mtu=mtu,
        partition_keys=[key for at in place.keys if (key := _key(values[at])) is not None],
        gids=[Gid.unvalidated(index=row, address=values[at], kind=values[kind]) for row, at, kind in place.gids],
        counters=_counters(place.names, [values[at] for at in place.counters]),
    )


def _counters(names: tuple[str, ...], values: list[str]) -> dict[str, int]:
    if "" not in values and "".join(values).isdecimal():  # as always, and in half the time that it takes to ask each
        return dict(zip(names, map(int, values), strict=True))
    return {name: int(value) for name, value in zip(names, values, strict=True) if value.isdecimal()}


@lru_cache(maxsize=1024)
def _key(text: str) -> int | None:
    return int(text, 16) if KEY.fullmatch(text) else None


COLLECTOR = Collector(
    produces=Rdma,
    parse=parse,
    seconds=30,
    roles=("accelerator", "ufm"),
    command=("ionice", "-c", "3", "sh", "-c", SCRIPT),
)
