"""hccn_tool of a twin node: addresses, gateways and links of the NPUs' own network ports.

Source: Ascend/mind-cluster, user guide of ascend-faultdiag (outputs of -link, -link_stat, -net_health, -optical, -fec, -tls, -stat, -ip); hccn_tool's
own source for ``packet statistics:`` (tool_display_stat_info), -process (tool_process_cmd_execute) and -cfg (tool_cfg_status_get); HCCN Tool
interface reference of Ascend HDK.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

from .node import option, read

CONFIGURATION = "/etc/hccn.conf"
Port = dict[str, Any]
"""One of `VendorNode.ports`."""
FIELDS = {"-ip": ("address", "netmask"), "-gateway": ("gateway",), "-netdetect": ("netdetect",)}


def main() -> int:
    """Entry point."""
    words, node = sys.argv[1:], read("huawei")
    card, kind = option(words, "-i"), next((word for word in words if word in (*FIELDS, *SHOWN, *SETTINGS)), "")
    if not node.loaded:
        print("Cmd os cmd_fail failed, please check whether the driver is loaded.", file=sys.stderr)
        return 1
    if card not in {str(npu["index"]) for npu in node.accelerators} or not kind:
        print("Command execute failed!\nParam err.", file=sys.stderr)
        return 1
    if kind in SETTINGS:
        print(SETTINGS[kind].format(card=card))
        return 0
    if kind in SHOWN:
        print("\n".join(SHOWN[kind](card, node.ports.get(card, UNKNOWN))))
        return 0
    return _set(card, kind, words) if "-s" in words else _get(card, kind)


def _link(card: str, port: Port) -> list[str]:
    del card
    return [f"link status: {'UP' if port['up'] else 'DOWN'}"]


def _link_history(card: str, port: Port) -> list[str]:
    lines = [
        f"current time        : {time.ctime()}",
        f"link up count       : {int(port['up'])}",
        "link change records :",
    ]
    return [f"[device {card}]{line}" for line in lines]


def _health(card: str, port: Port) -> list[str]:
    del card
    return [f"net health status: {port['health']}"]


def _optical(card: str, port: Port) -> list[str]:
    del card
    lines = [("present", "present")]
    for way in ("Tx", "Rx"):
        lines += [(f"{way} Power{lane}", f"{power:.4f} mW") for lane, power in enumerate(port["optical"][way])]
        low, high = port["thresholds"][way]
        lines += [(f"{way}Power High Thres", f"{high:.4f} mW"), (f"{way}Power Low Thres", f"{low:.4f} mW")]
    lost = {"Rx Los": port["dark"]}
    lines += [
        (f"{flag} Flag", "0xff" if lost.get(flag) else "0x0") for flag in ("Tx Los", "Rx Los", "Tx LoL", "Rx LoL")
    ]
    return ["optical info:", *(f"{name:<21}: {value}" for name, value in lines)]


def _statistics(card: str, port: Port) -> list[str]:
    del card
    return ["packet statistics:", *(f"{name}:{count}" for name, count in port["counters"].items())]


def _neighbour(card: str, port: Port) -> list[str]:
    del card
    named = {"Port ID TLV": f"Ifname: {port['switch_port']}", "System Name TLV": port["switch"]}
    return [
        *(line for name, value in named.items() if port["switch"] for line in (name, f"\t{value}")),
        "End of LLDPDU TLV",
    ]


UNKNOWN: Port = {
    "up": True, "health": "Init", "optical": {"Tx": [], "Rx": []}, "thresholds": {"Tx": (0, 0), "Rx": (0, 0)}, "dark": False,
    "counters": {}, "switch": "", "switch_port": "",
}  # fmt: skip
"""Of a node without a plan for its ports."""
SHOWN: dict[str, Callable[[str, Port], list[str]]] = {
    "-link": _link,
    "-link_stat": _link_history,
    "-net_health": _health,
    "-optical": _optical,
    "-stat": _statistics,
    "-lldp": _neighbour,
}
"""Option -> what it prints of a port with ``-g``."""
SETTINGS = {
    "-fec": "fec mode: rs FEC mode",
    "-tls": "dev_id:{card}, tls switch[0](0:disable, 1:enable), tls preconfigured[1](0:non-preset, 1:preset), tls alarm time threshold[60]days",
    "-process": "device hccp process: exist",
    "-cfg": "config status:SUCCESS",
}
"""The same of what no fault of the twin changes."""


def _get(card: str, kind: str) -> int:
    settings = _read_configuration()
    values = [settings.get(f"{field}_{card}", "") for field in FIELDS[kind]]
    if not values[0]:
        print("Cmd execute failed: ip is not set", file=sys.stderr)
        return 1
    if kind == "-ip":
        print(f"ipaddr:{values[0]}\nnetmask:{values[1]}")
    elif kind == "-gateway":
        print(f"default gateway:{values[0]}, Iface:eth{card}")
    else:
        print(f"netdetect address: {values[0]}")
    return 0


def _set(card: str, kind: str, words: list[str]) -> int:
    settings = _read_configuration()
    for field in FIELDS[kind]:
        value = option(words, "address" if field == "netdetect" else field)
        if value:
            settings[f"{field}_{card}"] = value
    with open(CONFIGURATION, "w", encoding="ascii") as file:
        file.writelines(f"{key}={settings[key]}\n" for key in sorted(settings))
    return 0


def _read_configuration() -> dict[str, str]:
    try:
        with open(CONFIGURATION, encoding="ascii") as file:
            pairs = [line.strip().split("=", 1) for line in file if "=" in line]
    except OSError:
        return {}
    return {key: value for key, value in pairs}  # noqa: C416 - what dict() does not check
