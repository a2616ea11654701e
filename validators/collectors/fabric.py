"""Every link of an InfiniBand subnet, as `ibnetdiscover` prints it on a host with a port in that subnet.

A switch block begins with ``switchguid=``, an adapter block with ``caguid=``; each port line is one end of one link.
Adapters are known by port GUID (in parentheses), switches by node GUID.
"""

import re

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.fabric import FabricLink, FabricMap, NodeFabric

HEADER = re.compile(r'(?P<kind>Switch|Ca|Rt)\s+\d+ "[SHR]-(?P<guid>[0-9a-f]{16})"\s+# "(?P<name>.*)"')
PORT = re.compile(
    r"\[(?P<port>\d+)\](?:\[ext [^\]]*\])?(?:\((?P<guid>[0-9a-f]+)\))?\s+"
    r'"(?P<kind>[SHR])-(?P<far>[0-9a-f]{16})"\[(?P<far_port>\d+)\](?:\[ext [^\]]*\])?(?:\((?P<far_guid>[0-9a-f]+)\))?\s+'
    r'#(?: lid \d+ lmc \d+)? "(?P<name>.*)" lid \d+ (?P<speed>\S+)'
)
KINDS = {"S": "Switch", "H": "Ca", "R": "Rt"}
BLOCK_FIELDS = ("vendid=", "devid=", "sysimgguid=", "switchguid=", "caguid=", "rtguid=")


def parse(output: str) -> FabricMap:
    """The links of all blocks, in the order of the output. An empty subnet has links of its own port at least."""
    links: list[FabricLink] = []
    node: re.Match[str] | None = None
    for number, line in enumerate(output.splitlines(), start=1):
        text = line.strip()
        if not text or text.startswith(("#", *BLOCK_FIELDS)):
            continue
        if header := HEADER.match(text):
            node = header
        elif (port := PORT.match(text)) and node:
            links.append(_link(node, port))
        else:
            raise ParseError(number, line, "a switch, adapter or port line of ibnetdiscover")
    if not links:
        raise ParseError(1, output, "at least one link")
    return FabricMap(links=links)


def _link(node: re.Match[str], port: re.Match[str]) -> FabricLink:
    return FabricLink(
        guid=_guid(port["guid"] or node["guid"]),
        kind=node["kind"],
        name=node["name"],
        port=int(port["port"]),
        remote_guid=_guid(port["far_guid"] or port["far"]),
        remote_kind=KINDS[port["kind"]],
        remote_name=port["name"],
        remote_port=int(port["far_port"]),
        speed=port["speed"],
    )


def _guid(digits: str) -> str:
    return f"0x{int(digits, 16):016x}"


COLLECTOR = Collector(
    produces=NodeFabric,
    parse=parse,
    seconds=120,
    roles=("accelerator", "ufm"),
    command=("ibnetdiscover", "-C", "{adapter}"),
    scope="subnet",
)
