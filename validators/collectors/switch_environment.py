"""Power supplies, fans and temperatures of one switch as its network operating system tells them, over SSH to its management port.

Cumulus Linux 5 and NVOS answer by NVUE (``nv show platform environment``), SONiC by its own programs; the switch itself shows which of the two it has.
Each source is a section ``== NAME``. What NVUE calls ``max`` is where it warns, and ``crit`` where it acts; SONiC has ``High_TH`` and ``Crit_High_TH``.
"""

import json
import re
from typing import Any

from rackwright.base.finite_number import finite
from rackwright.collect.collector import Collector, ParseError
from rackwright.collect.loadlogs import document
from rackwright.model.evidence.switch_health import WELL, SwitchHealth, SwitchPart, SwitchTemperature

SCRIPT = (
    "if command -v nv >/dev/null; then "
    "for part in psu fan temperature; do echo; echo == nvue $part; nv show platform environment $part -o json; done; "
    "elif command -v psushow >/dev/null; then "
    "echo == psushow; psushow -s -j; echo; echo == fanshow; fanshow; echo; echo == tempershow; tempershow -j; "
    "else echo neither nv nor psushow is here; fi 2>&1"
)
SECTION = re.compile(r"^== ([a-z ]+)\n", re.MULTILINE)
NVUE = ("nvue psu", "nvue fan", "nvue temperature")
SONIC = ("psushow", "fanshow", "tempershow")
RULE = re.compile(r"-+")
MODULE = re.compile(r"xSFP module (\d{1,4}) Temp|Ethernet\d{1,4}")
"""What `tempershow` calls a module: by its place, or by its port where it does not know that."""
NOTHING = {"", "n/a", "none"}
"""What both print for a value that there is not."""
NONE_HERE = ("Fan Not detected", "No fan status data available", "Thermal Not detected")
"""Of a switch without such parts (sonic-utilities, scripts/fanshow and tempershow)."""


def parse(output: str) -> SwitchHealth:
    """The parts of the switch, by NVUE or by SONiC."""
    _, *parts = SECTION.split(f"\n{output}")
    sections = dict(zip(parts[::2], parts[1::2], strict=True))
    if sections.keys() >= set(NVUE):
        return _nvue(*(_objects(output, sections[name]) for name in NVUE))
    if sections.keys() >= set(SONIC):
        return _sonic(output, *(sections[name] for name in SONIC))
    raise ParseError(1, output.strip(), "sections of NVUE or of SONiC")


def _health(
    supplies: list[SwitchPart],
    fans: list[SwitchPart],
    temperatures: list[SwitchTemperature],
    modules: list[SwitchTemperature],
) -> SwitchHealth:
    return SwitchHealth(
        switch="", model="", serial="", firmware="",
        supplies=supplies, fans=fans, temperatures=temperatures, modules=modules,
    )  # fmt: skip


def _nvue(
    supplies: dict[str, dict[str, Any]], fans: dict[str, dict[str, Any]], sensors: dict[str, dict[str, Any]]
) -> SwitchHealth:
    return _health(
        [SwitchPart(name=name, state=_state(values)) for name, values in supplies.items()],
        [SwitchPart(name=name, state=_state(values)) for name, values in fans.items()],
        [_sensor(name, values) for name, values in sensors.items()],
        [],
    )


def _state(values: dict[str, Any]) -> str | None:
    text = _text(values.get("state"))
    return WELL if text == "ok" else text


def _sensor(name: str, values: dict[str, Any]) -> SwitchTemperature:
    """A sensor that the switch itself does not call well has no reading to go by."""
    celsius = _number(values.get("current")) if _state(values) in (WELL, None) else None
    warns = _number(values.get("max"))
    return SwitchTemperature(
        name=name, celsius=celsius, most=warns if warns is not None else _number(values.get("crit"))
    )


def _objects(output: str, section: str) -> dict[str, dict[str, Any]]:
    listed = _json(output, section)
    if not isinstance(listed, dict) or not all(isinstance(values, dict) for values in listed.values()):
        raise ParseError(_line(output, section), section.strip(), "a JSON object for each part")
    return listed


def _sonic(output: str, supplies: str, fans: str, sensors: str) -> SwitchHealth:
    rows = [] if _none_here(sensors) else _rows(output, sensors, "Sensor")
    modules = [row for row in rows if MODULE.fullmatch(str(row["Sensor"]))]
    return _health(
        [
            SwitchPart(name=str(row["name"]), state=_text(row.get("status"), upper=True))
            for row in _rows(output, supplies, "name")
        ],
        [] if _none_here(fans) else _fans(output, fans),
        [_reading(row) for row in rows if row not in modules],
        [_reading(row) for row in modules],
    )


def _reading(row: dict[str, Any]) -> SwitchTemperature:
    warns = _number(row.get("High_TH"))
    return SwitchTemperature(
        name=str(row["Sensor"]),
        celsius=_number(row.get("Temperature")),
        most=warns if warns is not None else _number(row.get("Crit_High_TH")),
    )


def _rows(output: str, section: str, key: str) -> list[dict[str, Any]]:
    listed = _json(output, section)
    if not isinstance(listed, list) or not all(isinstance(row, dict) and key in row for row in listed):
        raise ParseError(_line(output, section), section.strip(), f"a list of JSON objects with {key}")
    return listed


def _fans(output: str, section: str) -> list[SwitchPart]:
    """The rows below the rule of a table, whose dashes say where each column stands."""
    lines = section.splitlines()
    at = next((number for number, line in enumerate(lines) if line.strip() and not line.strip(" -")), 0)
    columns = [match.span() for match in RULE.finditer(lines[at])] if at else []
    head = _cells(lines[at - 1], columns)
    if not {"FAN", "Presence", "Status"} <= set(head):
        raise ParseError(_line(output, section), section.strip(), "a table with FAN, Presence and Status")
    rows = [dict(zip(head, _cells(line, columns), strict=True)) for line in lines[at + 1 :] if line.strip()]
    return [SwitchPart(name=row["FAN"], state=_fan(row)) for row in rows]


def _fan(row: dict[str, str]) -> str | None:
    return _text(row["Status"], upper=True) if row["Presence"] == "Present" else "not present"


def _cells(line: str, columns: list[tuple[int, int]]) -> list[str]:
    return [line[start:end].strip() for start, end in columns]


def _none_here(section: str) -> bool:
    return section.strip() in NONE_HERE


def _text(value: object, *, upper: bool = False) -> str | None:
    """A state in words; None for none. `upper`: of SONiC, which writes ``OK``."""
    text = str(value).strip() if value is not None else ""
    if text.lower() in NOTHING:
        return None
    return text if upper else text.lower()


def _number(value: object) -> float | None:
    try:
        return finite(float(value)) if isinstance(value, str | int | float) else None
    except (ValueError, OverflowError):
        return None


def _json(output: str, section: str) -> Any:
    try:
        return document.read(section)
    except json.JSONDecodeError:
        raise ParseError(_line(output, section), section.strip(), "JSON") from None


def _line(output: str, section: str) -> int:
    return output.count("\n", 0, max(output.find(section), 0)) + 1


COLLECTOR = Collector(
    produces=SwitchHealth,
    parse=parse,
    seconds=60,
    roles=("switch",),
    scope="equipment",
    command=("sh", "-c", SCRIPT),
)
"""No equipment of this kind owes evidence: `rackwright preflight` asks switches."""
