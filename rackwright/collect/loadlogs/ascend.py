"""Identities of the NPUs of an Ascend node from ``npu-smi info -t board``, and samples under load from ``npu-smi info
-t common``.

Shapes: board as Ascend/mind-cluster records it, common as gpustack/runtime records it of a 910B (tests, read
2026-11-22): the first chip is the NPU, the one called mcu is its microcontroller.
"""

from __future__ import annotations

import re
from typing import Any

from rackwright.collect.collector import ParseError
from rackwright.collect.loadlogs.sections import Section
from rackwright.model.evidence.load import Sample

PAIR = re.compile(r"^[ \t]*([A-Z][\w ()%-]*?)[ \t]*:[ \t]*(.*?)[ \t]*$", re.MULTILINE)
CONTROLLER = re.compile(r"^\s*Chip Name\s*:\s*mcu\b.*", re.MULTILINE | re.DOTALL)
CHIP = re.compile(r"^\s*Chip ID\s*:\s*(\d+)\s*$", re.MULTILINE)
NONE = ("", "NA", "-")


def pairs(section: Section) -> dict[str, str]:
    """Names and values of the NPU itself; on a card with several chips, of the chip that the section is about."""
    text = CONTROLLER.sub("", section.text)
    if "chip" in section.facts and section.kind == "sample":
        blocks = CHIP.split(text)
        text = dict(zip(blocks[1::2], blocks[2::2], strict=True)).get(section.facts["chip"], "")
    return dict(PAIR.findall(text))


def identities(boards: list[Section]) -> dict[int, dict[str, Any]]:
    """Identifying fields of each NPU, by its logical device; number and identifier are the same as in the collector of
    npu-smi.
    """
    cards = {}
    for board in boards:
        fields = pairs(board)
        if "PCIe Bus Info" not in fields:
            raise ParseError(board.line, board.text, "PCIe Bus Info of npu-smi info -t board")
        bus, serial = fields["PCIe Bus Info"].lower(), fields.get("Serial Number", "")
        cards[board.integer("device")] = {
            "index": board.integer("card"),
            "uuid": "-".join([serial, *filter(None, [board.facts.get("chip")])]) if serial else f"NPU-{bus}",
            "serial": serial,
            "pci_bus_id": f"0000{bus}",
        }
    return cards


def driver(boards: list[Section]) -> str:
    """Version of the driver; empty if no board reports it."""
    return next((version for board in boards if (version := pairs(board).get("Software Version", ""))), "")


def version(section: Section) -> str:
    """Name and version of the tool, from its first line."""
    first = next((line.strip() for line in section.text.splitlines() if line.strip()), "")
    return f"ascend-dmi {first.split()[-1]}" if first else "ascend-dmi"


def samples(sections: list[Section]) -> dict[int, list[Sample]]:
    """Samples of each NPU, by its logical device; npu-smi reports no reasons for a throttled clock."""
    by_device: dict[int, list[Sample]] = {}
    for section in sections:
        fields = pairs(section)
        power, clock, heat = (
            number(section, fields.get(name, ""))
            for name in ("NPU Real-time Power(W)", "Aicore curFreq(MHZ)", "Temperature(C)")
        )
        sample = Sample(
            second=section.second("second"),
            power_watts=power,
            sm_clock_mhz=None if clock is None else int(clock),
            temperature_celsius=None if heat is None else int(heat),
            throttle_reasons=None,
        )
        by_device.setdefault(section.integer("device"), []).append(sample)
    return by_device


def number(section: Section, text: str) -> float | None:
    """A reading as a number; None if the tool reports none."""
    if text in NONE:
        return None
    try:
        return float(text)
    except ValueError:
        raise ParseError(section.line, text, "a number") from None
