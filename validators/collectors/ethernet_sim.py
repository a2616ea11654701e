"""Prints network interfaces as the script of `ethernet` does."""

import json
from typing import Any

from rackwright.model.evidence.network import Ethernet, EthernetPort, Neighbour

DEVICES = "/sys/class/net"
PRIORITIES = 8


def render(seen: Ethernet) -> bytes:
    """The sections whose parse is `seen`."""
    sections = {
        "uptime": [str(seen.uptime_seconds)],
        "attributes": [
            f"{DEVICES}/{name}/{path}:{value}"
            for name, port in seen.ports.items()
            for path, value in _attributes(port).items()
            if value
        ],
        "devices": [f"{device} {interface}" for device, interface in seen.interfaces.items()],
        "flow": [f"{name} {_flow(port.lossless)}" for name, port in seen.ports.items() if port.lossless is not None],
        "neighbours": [json.dumps({"lldp": [_interfaces(seen.ports)]})] if seen.heard else [],
    }
    return "".join(f"== {name}\n" + "".join(f"{line}\n" for line in lines) for name, lines in sections.items()).encode()


def _attributes(port: EthernetPort) -> dict[str, str]:
    return {
        "address": port.mac,
        "operstate": port.operational,
        "speed": "-1" if port.mbps is None else str(port.mbps),
        "mtu": str(port.mtu),
        "carrier_down_count": "" if port.carrier_downs is None else str(port.carrier_downs),
        **{f"statistics/{name}": str(value) for name, value in port.counters.items()},
    }


def _flow(lossless: list[int]) -> str:
    switches = [priority in lossless for priority in range(PRIORITIES)]
    return json.dumps({"pfc_cap": PRIORITIES, "macsec_bypass": False, "delay": 0, "prio_pfc": switches})


def _interfaces(ports: dict[str, EthernetPort]) -> dict[str, Any]:
    found = [_interface(name, one) for name, port in ports.items() for one in port.neighbours]
    return {"interface": found} if found else {}


def _interface(name: str, far: Neighbour) -> dict[str, Any]:
    chassis = {"id": [{"type": "mac", "value": "1c:34:da:00:11:22"}], "name": [{"value": far.system}]}
    port = {"id": [{"type": "ifname", "value": far.port}], "ttl": [{"value": "120"}]}
    return {"name": name, "via": "LLDP", "rid": "1", "age": "0 day, 04:11:51", "chassis": [chassis], "port": [port]}
