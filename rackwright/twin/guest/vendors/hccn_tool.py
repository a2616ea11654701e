"""hccn_tool of a twin node: addresses, gateways and links of the NPUs' own network ports.

Source: Ascend/mind-cluster, documentation of ascend-faultdiag (``link status: UP``); HCCN Tool interface reference of Ascend HDK.
"""

from __future__ import annotations

import sys

from .node import option, read

CONFIGURATION = "/etc/hccn.conf"
FIELDS = {"-ip": ("address", "netmask"), "-gateway": ("gateway",), "-netdetect": ("netdetect",)}


def main() -> int:
    """Entry point."""
    words, node = sys.argv[1:], read("huawei")
    card, kind = option(words, "-i"), next((word for word in words if word in (*FIELDS, "-link", "-link_stat")), "")
    if not node.loaded:
        print("Cmd os cmd_fail failed, please check whether the driver is loaded.", file=sys.stderr)
        return 1
    if card not in {str(npu["index"]) for npu in node.accelerators} or not kind:
        print("Command execute failed!\nParam err.", file=sys.stderr)
        return 1
    if kind in ("-link", "-link_stat"):
        print("link status: UP")
        return 0
    return _set(card, kind, words) if "-s" in words else _get(card, kind)


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
