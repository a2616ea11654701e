"""The physical layer of every HPE Slingshot port of a node: `cxi_stat -r`, which counts code words for some seconds per device.

A port is called after its network device (``hsn0``). Rates are told only of a link that is up and received something: a link
that is down has no errors either. A rate that is printed as ``<1.176e-12`` is one of which nothing was counted, and reads 0.
"""

import re

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.link import LinkReading, Links
from rackwright.model.sku import SLINGSHOT

UP = "up"
FIRST, NAME, STATE, SPEED = "Device", "Network device", "Link state", "Link speed"
GOOD, RAW, LEFT = "Good CW", "Corrected BER", "Uncorrected BER"
NUMBER = re.compile(r"(?P<below><?)(?P<value>\d+(\.\d+)?(e[-+]\d+)?)(/s)?")

Line = tuple[int, str]
"""Number of the line, and the value on it."""


def parse(output: str) -> Links:
    """Every device; at least one."""
    devices = _devices(output)
    if not devices:
        raise ParseError(1, output, "a line `Device: cxi0`")
    return Links(ports={_name(said): _reading(said) for said in devices}, unread={})


def _devices(output: str) -> list[dict[str, Line]]:
    """The fields of each device, by their name."""
    found: list[dict[str, Line]] = []
    for number, text in enumerate(output.splitlines(), start=1):
        name, colon, value = text.strip().partition(":")
        if name == FIRST and colon:
            found.append({})
        if colon and found:
            found[-1].setdefault(name, (number, value.strip()))
        elif text.strip():
            raise ParseError(number, text, "a line `Device: cxi0`" if not found else "a line `name: value`")
    return found


def _name(said: dict[str, Line]) -> str:
    """The network device, or the device itself where the kernel has made no interface of it."""
    return said.get(NAME, (0, ""))[1] or said[FIRST][1]


def _reading(said: dict[str, Line]) -> LinkReading:
    if STATE not in said:
        number, name = said[FIRST]
        raise ParseError(number, name, f"a line `{STATE}` for each device")
    state = said[STATE][1]
    counted = state == UP and bool(_number(said, GOOD))
    return LinkReading(
        state=state,
        physical_state="",
        speed=said.get(SPEED, (0, ""))[1],
        lanes=None,
        fec=None,
        minutes=None,
        symbol_errors=None,
        symbol_ber=None,
        effective_errors=None,
        effective_ber=_number(said, LEFT) if counted else None,
        raw_ber=_number(said, RAW) if counted else None,
        downs=None,
        recoveries=None,
        advice="",
        module=None,
    )


def _number(said: dict[str, Line], name: str) -> float | None:
    """The number of a field; None without the field, as `cxi_stat` without rates leaves it."""
    if name not in said:
        return None
    number, text = said[name]
    match = NUMBER.fullmatch(text)
    if match is None:
        raise ParseError(number, text, "a rate, such as 6.353e-11 or <1.176e-12")
    return 0.0 if match["below"] else float(match["value"])


COLLECTOR = Collector(
    produces=Links,
    parse=parse,
    seconds=120,
    roles=("accelerator",),
    command=("cxi_stat", "-r"),
    owed=lambda node: node.server.has_adapter(SLINGSHOT),
)
