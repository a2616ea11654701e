"""After any declared loss, every device has enough remaining power supplies for its peak load.

Two conditions, both must hold: remaining supplies x rating carry the peak, and at least as many remain as the SKU needs (4 of 6 for DGX
H100, which is why its racks have three feeds).
"""

from __future__ import annotations

import numpy as np

from rackwright.design.power.grid import RackKind
from rackwright.design.power.rack_losses import RackLoss, rack_losses, while_lost
from rackwright.design.power.survey import Survey, survey_power
from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.model.design import Design


def judge(design: Design) -> Judged:
    """Per kind of rack: the device with the least to spare."""
    survey = survey_power(design)
    skus = dict(design.devices.select("device", "sku").iter_rows())
    for kind in survey.grid.kinds:
        worst = _worst_device(survey, kind)
        if worst is None:
            continue
        spare, group, case = worst
        block, rack = kind.block, kind.racks[0]
        mine = block.group == group
        remaining = mine & ~case.lost
        device = survey.grid.device(rack, group)
        what = while_lost(case.text(survey.grid.feeds, survey.grid.rack_circuits(rack)))
        observed = (
            f"{int(remaining.sum())} of {int(mine.sum())} supplies ({int(block.watts[remaining].sum())} W) left {what}"
        )
        needed, load = block.needs(case.lost)[group], block.loads(case.lost)[group]
        expected = f"at least {int(needed)} of them and {load:.0f} W"
        says = f"{survey.rack_text(kind)}: {device} has {observed}, the worst of the rack"
        step = (
            "add a feed, so that each carries fewer supplies of a device; cap the server after a loss (facility.power.caps); or take one"
            " with more spare supplies, or lower facility.power.survive"
        )
        yield survey.grid.racks[rack], finding(spare >= 1, observed, expected, f"SKU {skus[device]}", says, step)


def _worst_device(survey: Survey, kind: RackKind) -> tuple[float, int, RackLoss] | None:
    """Spare, group and loss of the worst device with supplies of its own; None where all devices are on the busbar."""
    block = kind.block
    corded = (kind.members > 0) & (block.needed > 0)
    worst: tuple[float, int, RackLoss] | None = None
    if not corded.any():
        return None
    for case in rack_losses(block, len(survey.grid.feeds), survey.power.survive):
        spare = np.where(corded, block.spare(~case.lost), np.inf)
        at = int(spare.argmin())
        if worst is None or spare[at] < worst[0]:
            worst = (float(spare[at]), at, case)
    return worst


RULE = DesignRule("power_supplies", "Devices survive the loss of a feed", judge)
