"""Reads which MAC addresses a switch has on which port, from a file of what it prints.

``SWITCH.csv`` or any CSV with a column for the switch: headings ``switch``, ``port``, ``mac``. ``SWITCH.json``: ``bridge -j fdb show`` (iproute2: a list of objects
with ``mac`` and ``ifname``) or ``lldpcli -f json show neighbors`` (lldpd: an object by interface, with the ids of chassis and port). Anything else: text of
the switch, one MAC and one of its ports a line, as ``bridge fdb show``, ``show mac address-table`` (EOS, NX-OS) and ``show mac`` (SONiC) print. Secondary:
published outputs, 2026-11-26.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping
from io import StringIO
from pathlib import Path
from typing import Any

from rackwright.base.errors import UsageError
from rackwright.discover.wiring import SlotWiring, SwitchPort
from rackwright.redfish.resources.port import mac_address

PortTable = dict[str, SwitchPort]
"""MAC -> the switch port behind which it is."""
MAC = re.compile(r"(?i)\b(?:[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}|[0-9a-f]{4}(?:\.[0-9a-f]{4}){2})\b")
HEADINGS = {
    "switch": {"switch", "device", "hostname", "switchname", "system"},
    "port": {"port", "interface", "ifname", "ports", "switchport"},
    "mac": {"mac", "macaddress", "address", "lladdr"},
}


def read_switch_table(path: Path, wiring: SlotWiring) -> PortTable:
    """The table of one file; of a MAC behind several ports the one that the plan gives to a machine. UsageError for a file that has no such line."""
    try:
        text = path.read_text(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise UsageError(
            f"{path} cannot be read ({error.strerror}): give what a switch prints of its MAC table"
        ) from error
    entries = list(_entries(text, path, wiring))
    if not entries:
        raise UsageError(
            f"{path}: no line has a MAC address and a port of {path.stem}: give a CSV with the columns switch, port and mac, or what the switch prints, in a file with "
            "the name of the switch"
        )
    table: PortTable = {}
    for mac, place in entries:
        if mac not in table or place in wiring.plugs:
            table[mac] = place
    return table


def _entries(text: str, path: Path, wiring: SlotWiring) -> Iterator[tuple[str, SwitchPort]]:
    if text.lstrip().startswith(("[", "{")):
        pairs = _json(text, path)
        switch = _switch(path.stem, path, wiring)
        return ((mac, wiring.place(switch, port)) for mac, port in pairs)
    columns = _columns(text.partition("\n")[0])
    if {"port", "mac"} <= columns.keys():
        return _csv(text, columns, path, wiring)
    switch = _switch(path.stem, path, wiring)
    return _lines(text, switch, wiring)


def _switch(name: str, place: Path | str, wiring: SlotWiring) -> str:
    switch = next((switch for switch in wiring.switches if switch.lower() == name.split(".")[0].lower()), None)
    if switch is None:
        raise UsageError(
            f"{place}: the site has no Ethernet switch {name}: name the file as the switch is called in the design"
        )
    return switch


def _columns(header: str) -> dict[str, int]:
    bare = [re.sub(r"[^a-z]", "", word.lower()) for word in re.split(r"[,;\t]", header)]
    return {name: at for name, headings in HEADINGS.items() for at, word in enumerate(bare) if word in headings}


def _csv(text: str, columns: Mapping[str, int], path: Path, wiring: SlotWiring) -> Iterator[tuple[str, SwitchPort]]:
    delimiter = max(",;\t", key=text.partition("\n")[0].count)
    for number, row in enumerate(csv.reader(StringIO(text, newline=""), delimiter=delimiter), start=1):
        if number == 1 or not any(row):
            continue
        values = {name: row[at].strip() for name, at in columns.items() if at < len(row)}
        mac = mac_address(values.get("mac"))
        if mac is None or not values.get("port"):
            raise UsageError(f"{path}:{number}: {','.join(row)}: expected a port and a MAC address")
        switch = _switch(values.get("switch") or path.stem, f"{path}:{number}", wiring)
        yield mac, wiring.place(switch, values["port"])


def _lines(text: str, switch: str, wiring: SlotWiring) -> Iterator[tuple[str, SwitchPort]]:
    """Of each line the MAC and the word that is a port of the switch; a mere number is a VLAN or an age."""
    for line in text.splitlines():
        words = (word for word in line.split() if not word.isdecimal())
        mac, port = MAC.search(line), next((word for word in words if wiring.spellings.named(switch, word)), None)
        if mac and port:
            yield mac_address(mac[0]) or "", wiring.place(switch, port)


def _json(text: str, path: Path) -> Iterator[tuple[str, str]]:
    try:
        document = json.loads(text)
    except ValueError as error:
        raise UsageError(f"{path} is no JSON ({error}): print the table again") from error
    if isinstance(document, list):
        return _fdb(document)
    return _lldp(document.get("lldp"))


def _fdb(entries: list[Any]) -> Iterator[tuple[str, str]]:
    for entry in entries:
        if isinstance(entry, dict) and (mac := mac_address(entry.get("mac"))) and isinstance(entry.get("ifname"), str):
            yield mac, entry["ifname"]


def _lldp(neighbours: Any) -> Iterator[tuple[str, str]]:
    """lldpd gives a list of objects by interface, or a mere object where there is one neighbour."""
    listed = neighbours.get("interface") if isinstance(neighbours, dict) else None
    for entry in listed if isinstance(listed, list) else [listed]:
        for port, neighbour in entry.items() if isinstance(entry, dict) else ():
            macs = {mac for match in MAC.finditer(json.dumps(neighbour)) if (mac := mac_address(match[0]))}
            yield from ((mac, port) for mac in sorted(macs))
