"""The walls between tenants, from both sides: what their pods print, and what the API server answers their members.

`rackwright tenants` makes the pods and asks the server; each of its lines says of which tenant and node it is, so that no pod can
speak for another: what a pod printed itself stands behind ``> ``.
"""

import re
import shlex
from collections.abc import Iterator

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.tenancy import PodDevices, PodReach, RefusedPod, TenantWalls

POD = re.compile(r"^# pod tenant=(\S+) node=(\S+) requested=(\d+)$")
REFUSAL = re.compile(r"^# asked tenant=(\S+) about=(quota|class|namespace) (.*)$")
DEVICE = re.compile(r"^> device (/dev/\S+)$")
REACH = re.compile(r"^> reach (\S+) (\S+) (open|closed)$")
END = "> devices end"
EXPECTED = "# pod tenant= node= requested=, # asked tenant= about=, or a line that a pod printed"


def parse(output: str) -> TenantWalls:
    """Lines of the verb, and below each pod what it printed."""
    pods: list[PodDevices] = []
    reaches: list[PodReach] = []
    refusals: list[RefusedPod] = []
    ended = True
    for number, line in enumerate(output.splitlines(), start=1):
        if match := POD.match(line):
            _must_have_ended(number, line, ended=ended)
            pods.append(PodDevices(tenant=match[1], node=match[2], requested=int(match[3]), devices=[]))
            ended = False
        elif match := REFUSAL.match(line):
            refusals.append(_refusal(number, line, match))
        elif pods and (match := DEVICE.match(line)):
            pods[-1].devices.append(match[1])
        elif pods and (match := REACH.match(line)):
            near = pods[-1]
            reach = PodReach(tenant=near.tenant, node=near.node, of=match[1], at=match[2], reached=match[3] == "open")
            reaches.append(reach)
        elif line == END:
            ended = True
        elif not line.startswith("> "):
            raise ParseError(number, line, EXPECTED)
    _must_have_ended(0, output, ended=ended)
    if not pods:
        raise ParseError(1, output, EXPECTED)
    return TenantWalls(pods=pods, reaches=reaches, refusals=refusals)


def _must_have_ended(number: int, line: str, *, ended: bool) -> None:
    """A pod that was cut off has not shown all its devices."""
    if not ended:
        raise ParseError(number, line, f"{END!r} of the pod before")


def _refusal(number: int, line: str, match: re.Match[str]) -> RefusedPod:
    try:
        requested, answer = _words(match[3])
    except ValueError:
        raise ParseError(number, line, "what was asked, and the answer") from None
    return RefusedPod(tenant=match[1], about=match[2], requested=requested, answer=answer)


def _words(text: str) -> Iterator[str]:
    return iter(shlex.split(text))


COLLECTOR = Collector(
    produces=TenantWalls,
    parse=parse,
    seconds=180,
    roles=("accelerator",),
    schedulers=("kubernetes",),
    scope="group",
    load=True,
    verb="tenants",
)
