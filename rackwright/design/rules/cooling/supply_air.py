"""The air of every hall is cold enough for its servers; equal servers of a hall are judged once."""

from __future__ import annotations

from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.model.design import Design
from rackwright.model.sku import Server
from rackwright.model.verdict import Finding, Outcome


def judge(design: Design) -> Judged:
    """Per hall and server SKU."""
    celsius = {hall.name: hall.supply_air_celsius for hall in design.site.facility.halls}
    halls = design.racks.select("rack", "hall")
    counts = (
        design.devices.join(halls, on="rack", maintain_order="left")
        .group_by(["hall", "sku"], maintain_order=True)
        .len()
    )
    for hall, sku, count in counts.iter_rows():
        part = design.servers.get(sku)
        if part is not None:
            yield f"{hall} {sku}", _server_finding(part, hall, celsius[hall], count)


def _server_finding(part: Server, hall: str, celsius: float, count: int) -> Finding:
    limit, observed = part.max_supply_air_celsius, f"air at {celsius:g} °C"
    says, source = f"{part.sku} in {hall} ({count} of them) gets {observed}", f"SKU {part.sku} max_supply_air_celsius"
    if limit is None:
        return Finding(
            outcome=Outcome.INCONCLUSIVE,
            observed=observed,
            expected="no warmer than the server stands",
            source=source,
            says=f"{says}, and the SKU states no limit.",
            next_step=f"declare {part.sku} with max_supply_air_celsius under catalog in the site",
        )
    step = f"lower supply_air_celsius of {hall} to {limit:g} or less"
    return finding(celsius <= limit, observed, f"at most {limit:g} °C", source, says, step)


RULE = DesignRule("supply_air", "Air is cold enough for every server", judge)
