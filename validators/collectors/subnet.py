"""The InfiniBand subnets of a machine for subnet managers: who manages each, and every link in it, through every own port.

Sections are ``== device managers`` (`saquery SMIR`) and ``== device links`` (`ibnetdiscover`). What a tool says instead of an
answer stands under `unread`.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from rackwright.base import content
from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.fabric import LinkTable, Manager, Subnet, Subnets

SCRIPT = (
    'for path in /sys/class/infiniband/*; do [ -e "$path" ] || continue; device=${path##*/}; '
    'echo "== $device managers"; saquery -C "$device" SMIR 2>&1; '
    'echo "== $device links"; ibnetdiscover -C "$device" 2>&1; done'
)
HEADING = "== "
EXPECTED = "a line `== device managers` or `== device links`"
FIELD = re.compile(r"\s*(?P<name>GUID|Priority|SMState)\.+(?P<value>0x[0-9a-f]{1,16}|\d{1,9})")
RECORD = "SMInfoRecord dump:"
NEEDED = ("GUID", "Priority", "SMState")


def parse(output: str) -> Subnets:
    """Every device; at least one."""
    subnets: dict[str, Subnet] = {}
    unread: dict[str, str] = {}
    for device, parts in _sections(output).items():
        try:
            subnets[device] = Subnet(
                managers=_managers(parts.get("managers", "")), links=_links(parts.get("links", ""))
            )
        except ParseError as error:
            unread[device] = str(error)
    return Subnets(subnets=subnets, unread=unread)


def _sections(output: str) -> dict[str, dict[str, str]]:
    """By device and kind. The output is cut at its headings, not line by line: a large subnet has a million lines."""
    starts = list(_headings(output))
    for number, line in enumerate(output[: starts[0] if starts else None].splitlines(), start=1):
        if line.strip():
            raise ParseError(number, line, EXPECTED)
    if not starts:
        raise ParseError(1, output, "at least one InfiniBand device")
    devices: dict[str, dict[str, str]] = {}
    for start, end in pairwise([*starts, len(output) + 1]):
        body = output.find("\n", start, end) + 1 or end
        _, device, kind = output[start:body].split()
        parts = devices.setdefault(device, {})
        parts[kind] = parts.get(kind, "") + output[body:end]
    return devices


def _headings(output: str) -> Iterator[int]:
    """Where lines begin that are a heading: two equals signs and two words."""
    start = 0 if output.startswith(HEADING) else output.find(f"\n{HEADING}") + 1
    while output.startswith(HEADING, start):
        end = output.find("\n", start)
        if len(output[start : end if end >= 0 else None].split()) == len(("==", "device", "kind")):
            yield start
        start = output.find(f"\n{HEADING}", start) + 1
        if not start:
            return


def _managers(text: str) -> list[Manager]:
    managers = []
    for number, block in enumerate(text.split(RECORD)[1:], start=1):
        fields = {match["name"]: match["value"] for match in map(FIELD.fullmatch, block.splitlines()) if match}
        if set(fields) != set(NEEDED):
            raise ParseError(number, block.strip(), f"{', '.join(NEEDED)} of a subnet manager")
        guid = f"0x{int(fields['GUID'], 16):016x}"
        managers.append(Manager(guid=guid, priority=int(fields["Priority"]), state=int(fields["SMState"])))
    if not managers:
        raise ParseError(1, text.rstrip("\n"), "at least one subnet manager (saquery SMIR)")
    return managers


def _links(text: str) -> LinkTable:
    links: LinkTable = content.module("validators", "collectors", "fabric").links(text)
    return links


COLLECTOR = Collector(
    produces=Subnets,
    parse=parse,
    as_root=True,
    seconds=300,
    roles=("ufm",),
    command=("ionice", "-c", "3", "sh", "-c", SCRIPT),
)
