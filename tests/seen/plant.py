"""Healthy readings of a rack PDU of the example site, and of a power shelf and a CDU of the one with coolant."""

from __future__ import annotations

from functools import cache
from typing import Any

from rackwright.model.evidence.plant import CoolantReading, RackPower, ShelfPower
from rackwright.twin.hardware import state
from rackwright.twin.tools import cdu, power_shelf, rack_pdu


@cache
def healthy(*, cooled: bool) -> state.State:
    from tests import build  # it reads this module at its end

    return state.build(build.cooled_design() if cooled else build.site_design(), ["train-001"])


def power(**change: Any) -> RackPower:
    from tests import build  # as above

    return rack_pdu.observe(healthy(cooled=False), build.site_design(), "train-r01-A1-pdu").model_copy(update=change)


def shelf(**change: Any) -> ShelfPower:
    from tests import build  # as above

    return power_shelf.observe(healthy(cooled=True), build.cooled_design(), "train-r01-shelf1").model_copy(
        update=change
    )


def coolant(**change: Any) -> CoolantReading:
    from tests import build  # as above

    return cdu.observe(healthy(cooled=True), build.cooled_design(), "hall-1-xdu1350-01").model_copy(update=change)


SEEN = {RackPower: power, ShelfPower: shelf, CoolantReading: coolant}
