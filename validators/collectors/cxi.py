"""The physical layer of every HPE Slingshot port of a node: `cxi_stat -r`, which counts code words for some seconds per device.

A port is called after its network device (``hsn0``). Only a link that is up and received data has rates: a link
that is down has no errors either. A rate printed as ``<1.176e-12`` counted nothing, and reads 0.
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
    return Links(ports={_name(fields): _reading(fields) for fields in devices}, unread={})


def _devices(output: str) -> list[dict[str, Line]]:
    """The fields of each device, by their name."""
    devices: list[dict[str, Line]] = []
    for number, text in enumerate(output.splitlines(), start=1):
        name, colon, value = text.strip().partition(":")
        if name == FIRST and colon:
            devices.append({})
        if colon and devices:
            devices[-1].setdefault(name, (number, value.strip()))
        elif text.strip():
            raise ParseError(number, text, "a line `Device: cxi0`" if not devices else "a line `name: value`")
    return devices


def _name(fields: dict[str, Line]) -> str:
    """The network device, or the device itself if the kernel has created no interface for it."""
    return fields.get(NAME, (0, ""))[1] or fields[FIRST][1]


def _reading(fields: dict[str, Line]) -> LinkReading:
    if STATE not in fields:
        number, name = fields[FIRST]
        raise ParseError(number, name, f"a line `{STATE}` for each device")
    state = fields[STATE][1]
    counted = state == UP and bool(_number(fields, GOOD))
    return LinkReading(
        state=state,
        physical_state="",
        speed=fields.get(SPEED, (0, ""))[1],
        lanes=None,
        fec=None,
        minutes=None,
        symbol_errors=None,
        symbol_ber=None,
        effective_errors=None,
        effective_ber=_number(fields, LEFT) if counted else None,
        raw_ber=_number(fields, RAW) if counted else None,
        downs=None,
        recoveries=None,
        advice="",
        module=None,
    )


def _number(fields: dict[str, Line], name: str) -> float | None:
    """The number in a field; None without the field, which `cxi_stat` omits if it has no rates."""
    if name not in fields:
        return None
    number, text = fields[name]
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
