"""Healthy readings of a rack PDU of the example site, and of a power shelf and a CDU of the one with coolant."""

from __future__ import annotations

from typing import Any

from rackwright.model.evidence.plant import CoolantReading, RackPower, ShelfPower
from rackwright.twin.hardware import state
from rackwright.twin.tools import cdu, power_shelf, rack_pdu


def power(**change: Any) -> RackPower:
    from tests import build  # it reads this module at its end

    hardware = state.build(build.site_design(), ["train-001"])
    return rack_pdu.observe(hardware, build.site_design(), "train-r01-A1-pdu").model_copy(update=change)


def shelf(**change: Any) -> ShelfPower:
    from tests import build  # as above

    hardware = state.build(build.cooled_design(), ["train-001"])
    return power_shelf.observe(hardware, build.cooled_design(), "train-r01-shelf1").model_copy(update=change)


def coolant(**change: Any) -> CoolantReading:
    from tests import build  # as above

    hardware = state.build(build.cooled_design(), ["train-001"])
    return cdu.observe(hardware, build.cooled_design(), "hall-1-xdu1350-01").model_copy(update=change)


SEEN = {RackPower: power, ShelfPower: shelf, CoolantReading: coolant}
