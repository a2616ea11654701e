"""Every link of an InfiniBand subnet, as `ibnetdiscover` prints it on a host with a port in that subnet.

A switch block begins with ``switchguid=``, an adapter block with ``caguid=``; each port line is one end of one link.
Adapters are known by port GUID (in parentheses), switches by node GUID.
"""

import io
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
MADE = (
    ("__pydantic_fields_set__", set(FabricLink.model_fields)),
    ("__pydantic_extra__", None),
    ("__pydantic_private__", None),
)
DIGITS = 16
"""Of a GUID that is written whole."""
BLOCK_FIELDS = ("vendid=", "devid=", "sysimgguid=", "switchguid=", "caguid=", "rtguid=")


def parse(output: str) -> FabricMap:
    """The links of all blocks, in the order of the output. An empty subnet has links of its own port at least."""
    links: list[FabricLink] = []
    node: tuple[str, str, str] | None = None
    words: dict[str, str] = {}
    for number, line in enumerate(io.StringIO(output), start=1):
        text = line.strip()
        if text[:1] == "[" and node and (port := PORT.match(text)):
            links.append(_link(node, port, words))
        elif not text or text.startswith(("#", *BLOCK_FIELDS)):
            continue
        elif header := HEADER.match(text):
            node = header["kind"], _guid(header["guid"]), header["name"]
        else:
            raise ParseError(number, line.removesuffix("\n"), "a switch, adapter or port line of ibnetdiscover")
    if not links:
        raise ParseError(1, output, "at least one link")
    return FabricMap.model_construct(links=links)  # each of them was just made


def _link(node: tuple[str, str, str], port: re.Match[str], words: dict[str, str]) -> FabricLink:
    """One end. A large subnet has a million of them, which name the same few thousand devices: `words` keeps each name once.

    Every value comes out of a regular expression and has its type: nothing is left to validate.
    """
    kind, guid, name = node
    number, own, far_kind, far, far_number, far_own, far_name, speed = port.groups()
    link = FabricLink.__new__(FabricLink)
    values = {
        "guid": _guid(own) if own else guid,
        "kind": kind,
        "name": name,
        "port": int(number),
        "remote_guid": _guid(far_own or far),
        "remote_kind": KINDS[far_kind],
        "remote_name": words.setdefault(far_name, far_name),
        "remote_port": int(far_number),
        "speed": words.setdefault(speed, speed),
    }
    for name_of, value in (
        ("__dict__", values),
        *MADE,
    ):  # what `model_construct` does, in a fifth of its time and memory
        object.__setattr__(link, name_of, value)
    return link


def _guid(digits: str) -> str:
    return f"0x{digits}" if len(digits) == DIGITS else f"0x{int(digits, 16):016x}"


COLLECTOR = Collector(
    produces=NodeFabric,
    parse=parse,
    seconds=120,
    roles=("accelerator", "ufm"),
    command=("ibnetdiscover", "-C", "{adapter}"),
    scope="subnet",
)
