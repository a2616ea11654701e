"""Prints marks and priorities of RoCE as the shell of `roce` does."""

import json

from rackwright.model.evidence.roce import Roce, RocePort

PRIORITIES = range(8)


def render(seen: Roce) -> bytes:
    """The sections whose parse is `seen`; what is None is left out."""
    lines = ["== devices", *(f"{device} {one.interface}" for device, one in seen.ports.items()), "== ecn"]
    lines += [line for device, one in seen.ports.items() for line in _ecn(device, one)]
    classes = {device: one.traffic_class for device, one in seen.ports.items() if one.traffic_class is not None}
    lines += ["== class", *(f"{device}/tc/1/traffic_class:Global tclass={value}" for device, value in classes.items())]
    maps = {one.interface: one.priorities for one in seen.ports.values() if one.priorities is not None}
    lines += ["== map", *(f"{interface} {_map(rows)}" for interface, rows in maps.items())]
    return "".join(f"{line}\n" for line in lines).encode()


def _ecn(device: str, one: RocePort) -> list[str]:
    points = {"np": one.notifies, "rp": one.reacts}
    return [
        f"{device}/device/net/{one.interface}/ecn/roce_{point}/enable/{priority}:{int(priority in on)}"
        for point, on in points.items()
        if on is not None
        for priority in PRIORITIES
    ]


def _map(rows: dict[int, int]) -> str:
    return json.dumps({"dscp_prio": [[code, priority, " "] for code, priority in rows.items()]})
