"""Identities of the accelerators of an AMD node from ``amd-smi list`` and ``static``, and samples under load from
``amd-smi metric``.

Shapes: ROCm/amdsmi, amdsmi_cli/amdsmi_commands.py (6.3 to 7.2): a list of rows, from ROCm 7 on inside ``gpu_data``; a
value with a unit is ``{"value": 550, "unit": "W"}``, one that is not supported ``N/A``.
"""

from __future__ import annotations

from typing import Any

from rackwright.collect.collector import ParseError
from rackwright.collect.loadlogs import document
from rackwright.collect.loadlogs.sections import Section
from rackwright.model.evidence.load import Sample

Row = dict[str, Any]
NONE = ("N/A", "", None)


def rows(section: Section) -> dict[int, Row]:
    """Rows of a JSON answer, by number of the accelerator."""
    try:
        report = document.read(section.text)
        listed = report["gpu_data"] if isinstance(report, dict) else report
        return {int(row["gpu"]): row for row in listed}
    except (ValueError, KeyError, TypeError):
        raise ParseError(section.line, section.text, f"JSON of amd-smi ({section.kind})") from None


def identities(listed: Section, static: Section) -> dict[int, dict[str, Any]]:
    """Identifying fields of each accelerator, by its number."""
    list_rows, static_rows = rows(listed), rows(static)
    try:
        return {
            number: {
                "index": number,
                "uuid": str(row["uuid"]),
                "serial": _serial(static_rows[number]),
                "pci_bus_id": f"0000{row['bdf'].lower()}",
            }
            for number, row in sorted(list_rows.items())
        }
    except (KeyError, TypeError, AttributeError) as error:
        raise ParseError(listed.line, listed.text, f"uuid, bdf and serial of every accelerator ({error})") from None


def samples(sections: list[Section]) -> dict[int, list[Sample]]:
    """Samples of each accelerator, by its number.

    The tool reports no reasons for a throttled clock, so there are none.
    """
    by_device: dict[int, list[Sample]] = {}
    for section in sections:
        for number, row in rows(section).items():
            power = value(row, "power", "socket_power")
            heat = value(row, "temperature", "hotspot")
            sample = Sample(
                second=section.second("second"),
                power_watts=None if power is None else float(power),
                sm_clock_mhz=_clock(row),
                temperature_celsius=None if heat is None else int(heat),
                throttle_reasons=None,
            )
            by_device.setdefault(number, []).append(sample)
    return by_device


def value(row: Row, *names: str) -> float | int | None:
    """A number at the path `names` of a row; None if the tool reports none."""
    node: Any = row
    for name in names:
        node = node.get(name) if isinstance(node, dict) else None
    if isinstance(node, dict):
        node = node.get("value")
    return node if isinstance(node, int | float) and not isinstance(node, bool) else None


def _serial(row: Row) -> str:
    serials = (row["board"]["product_serial"], row["asic"]["asic_serial"])
    return next((str(serial) for serial in serials if serial not in NONE), "")


def _clock(row: Row) -> int | None:
    """The lowest clock of the dies of an accelerator, in MHz; None if none is reported."""
    clocks = row.get("clock")
    dies = [name for name in clocks if name.startswith("gfx")] if isinstance(clocks, dict) else []
    values = [clock for name in dies if (clock := value(row, "clock", name, "clk")) is not None]
    return int(min(values)) if values else None
