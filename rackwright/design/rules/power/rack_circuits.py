"""No rack has more circuits than one place of the building takes: tap-offs of the busway above it, whips from the panel, room for PDUs."""

from __future__ import annotations

from rackwright.design.power.survey import survey_power
from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.model.design import Design


def judge(design: Design) -> Judged:
    """Per kind of rack with circuits, where the site says how many a place takes."""
    most = design.site.facility.power.circuits_per_rack
    if most is None:
        return
    survey = survey_power(design)
    for kind in survey.grid.kinds:
        count = len(kind.block.usable)
        if count:
            observed = f"{count} circuit{'' if count == 1 else 's'}"
            step = "take a larger facility.power.circuit or fewer servers_per_rack, or raise circuits_per_rack to what a place takes"
            yield (
                survey.grid.racks[kind.racks[0]],
                finding(
                    count <= most, observed, f"at most {most}", "site facility.power.circuits_per_rack",
                    f"{survey.rack_text(kind)} has {observed}", step,
                ),
            )  # fmt: skip


RULE = DesignRule("rack_circuits", "Racks have no more circuits than a place takes", judge)
