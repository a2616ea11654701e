"""Power supplies, fans and temperatures of every InfiniBand switch, on a machine for subnet managers, as `ibswinfo.sh` prints them.

Switches without a management controller tell of them over the fabric alone. Each own InfiniBand device is a section ``== device``, each switch
behind it a part ``-- GUID lid N NAME`` with the output of the script, eight of them at the same time. With firmware of Quantum-2 the script ends
with status 1 after all that it has to print (stanford-rc/ibswinfo issue 28), so its text decides and not its status.
"""

import re

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.switch_health import WELL, SubnetSwitches, SwitchHealth, SwitchPart, SwitchTemperature

SCRIPT = (
    "asked=$(mktemp -d) || exit 1; trap 'rm -rf $asked' EXIT; tool=$(command -v ibswinfo.sh || command -v ibswinfo); "
    "for path in /sys/class/infiniband/*; do grep -qs InfiniBand $path/ports/1/link_layer || continue; device=${path##*/}; "
    'echo "== $device"; [ "$tool" ] || { echo ibswinfo.sh is not installed; continue; }; '
    "ibswitches -C $device >$asked/switches 2>&1 || { cat $asked/switches; continue; }; "
    r"""sed -n 's/^Switch[^0]*\(0x[0-9a-f]*\) ports [0-9]* "\(.*\)" .*port 0 lid \([0-9]*\) lmc.*/\1 \3 \2/p' $asked/switches | """
    'while read -r guid lid name; do [ -e $asked/$guid ] || { touch $asked/$guid; echo $guid $lid "$name"; }; done >$asked/list; '
    "cut -d ' ' -f 1,2 $asked/list | tool=$tool device=$device asked=$asked xargs -r -P 8 -L 1 sh -c "
    "'timeout 60 $tool -d lid-$1,$device,1 -T >$asked/$0 2>&1'; "
    'while read -r guid lid name; do echo "-- $guid lid $lid $name"; cat $asked/$guid; done <$asked/list; done; exit 0'
)
"""One line, as an entry of sudoers must be."""
SECTION = re.compile(r"^== (\S+)\n", re.MULTILINE)
SWITCH = re.compile(r"^-- 0x([0-9a-f]{1,16}) lid (\d{1,5}) (.*)\n", re.MULTILINE)
LINE = re.compile(r"^ *(?P<key>\S.*?) *\|(?: (?P<value>.*))?$")
SUPPLY = re.compile(r"PSU(\d) status")
FAN = re.compile(r"fan#(\d{1,3}) \(rpm\)")
MODULE = re.compile(r"module#(\d{1,3}) \(C\)")
WARNS = re.compile(r"(\d{1,3})/(\d{1,3}) \(low/high\)")
TROUBLE = re.compile(r"^(?:-E-|error|ibwarn|.*: command not found|.*\bfailed\b).*$", re.MULTILINE | re.IGNORECASE)
FROM_SUPPLY = ("DC power", "fan status")
"""Lines of a power supply; the second is empty on switches whose controller keeps it to itself."""
SILENT = (None, "")


def parse(output: str) -> SubnetSwitches:
    """The switches behind all devices; at least one InfiniBand device."""
    _, *parts = SECTION.split(output)
    if not parts:
        raise ParseError(1, output, "at least one InfiniBand device")
    switches: dict[str, SwitchHealth] = {}
    unread: dict[str, str] = {}
    devices = dict(zip(parts[::2], parts[1::2], strict=True))
    for device, text in devices.items():
        before, *blocks = SWITCH.split(text)
        for guid, lid, name, block in zip(*(blocks[place::4] for place in range(4)), strict=True):
            fields = _fields(block)
            if any(line == "part number" for line, _ in fields):
                switches[f"0x{int(guid, 16):016x}"] = _switch(name, fields)
            else:
                unread[f"{name} (lid {lid} of {device})"] = _trouble(block)
        if not blocks and (before.strip() or len(devices) == 1):
            unread[device] = _trouble(before)
    return SubnetSwitches(switches=switches, unread=unread)


def _trouble(text: str) -> str:
    """The tool's message on why it has no readings."""
    return (TROUBLE.findall(text) or text.strip().splitlines() or ["no switch answers"])[-1].strip()


def _fields(block: str) -> list[tuple[str, str | None]]:
    """The lines with a bar, in order: the text before it and the text after it, None if that is empty."""
    matches = filter(None, map(LINE.match, block.splitlines()))
    return [(line["key"], (line["value"] or "").strip() or None) for line in matches]


def _switch(name: str, fields: list[tuple[str, str | None]]) -> SwitchHealth:
    reported = dict(fields)
    return SwitchHealth(
        switch=name,
        model=reported["part number"] or "",
        serial=reported.get("serial number") or "",
        firmware=reported.get("firmware version") or "",
        supplies=_supplies(fields),
        fans=_fans(fields),
        temperatures=[
            SwitchTemperature(name="ASIC", celsius=_celsius(reported.get("temperature (C)")), most=_warns(reported))
        ],
        modules=[
            SwitchTemperature(name=f"module {int(module[1])}", celsius=celsius, most=None)
            for key, value in fields
            if (module := MODULE.fullmatch(key)) and (celsius := _celsius(value))  # 0: no module, or none with a sensor
        ],
    )


def _supplies(fields: list[tuple[str, str | None]]) -> list[SwitchPart]:
    """Each supply with the lines below its first one, up to the next supply or to the lines about the switch itself."""
    supplies: list[tuple[str, dict[str, str | None]]] = []
    for key, value in fields:
        if number := SUPPLY.fullmatch(key):
            supplies.append((f"PSU{number[1]}", {"status": value}))
        elif key in FROM_SUPPLY and supplies and key not in supplies[-1][1]:
            supplies[-1][1][key] = value
        elif key == "temperature (C)":
            break
    return [SwitchPart(name=name, state=_supply(lines)) for name, lines in supplies]


def _supply(lines: dict[str, str | None]) -> str | None:
    wrong = [f"{key} {value}" for key, value in lines.items() if value not in (*SILENT, WELL)]
    if wrong:
        return ", ".join(wrong)
    return WELL if lines["status"] and lines.get("DC power") else None


def _fans(fields: list[tuple[str, str | None]]) -> list[SwitchPart]:
    """The alarm of all fans together, which stands behind the temperatures, and the fans that are listed."""
    keys = [key for key, _ in fields]
    behind = fields[keys.index("temperature (C)") :] if "temperature (C)" in keys else []
    alarm = next((value for key, value in behind if key == "fan status"), None)
    listed = [(f"fan {number[1]}", value) for key, value in fields if (number := FAN.fullmatch(key))]
    return [SwitchPart(name="fans", state=alarm), *(SwitchPart(name=name, state=_fan(value)) for name, value in listed)]


def _fan(value: str | None) -> str | None:
    if value is None or not value.isdecimal():
        return None
    return WELL if int(value) else "stands still"


def _celsius(value: str | None) -> float | None:
    return float(value) if value is not None and value.isdecimal() else None


def _warns(reported: dict[str, str | None]) -> float | None:
    """The lower of the two thresholds: a warning that came at the higher one ends there."""
    warns = WARNS.match(reported.get("warn threshold (C)") or "")
    return float(warns[1]) if warns and int(warns[1]) else None


COLLECTOR = Collector(
    produces=SubnetSwitches,
    parse=parse,
    as_root=True,
    seconds=600,
    roles=("ufm",),
    command=("nice", "-n", "10", "sh", "-c", SCRIPT),
)
