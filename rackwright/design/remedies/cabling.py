"""Remedies for the rules of cabling: more and wider trays, shorter pulls, deeper racks."""

from __future__ import annotations

from collections.abc import Iterator

from rackwright.catalog import Catalog
from rackwright.design.remedies.floor import peer_racks
from rackwright.design.remedies.knob import ChangeTerms, Knob, short, values
from rackwright.design.remedies.power import most_times
from rackwright.model.site import Site


def more_trays(site: Site, _: Catalog) -> Iterator[Knob]:
    """More trays above the rows of a hall."""
    for at, hall in enumerate(site.facility.halls):
        if tray := hall.cable_tray:
            counts = range(tray.count + 1, (tray.count + 1) * most_times())
            yield values(f"facility.halls[{at}].cable_tray.count", counts, ChangeTerms.BUILDING)


def shorter_pulls(site: Site, _: Catalog) -> Iterator[Knob]:
    """Crews that take cables up after fewer metres."""
    for at, hall in enumerate(site.facility.halls):
        if hall.cable_tray and (section := hall.cable_tray.pull_section_meters):
            meters = (section / times for times in range(2, most_times() * most_times() + 1))
            yield values(
                f"facility.halls[{at}].cable_tray.pull_section_meters", [short(round(each, 1)) for each in meters]
            )


BY_RULE = {
    "tray_fill": (more_trays,),
    "bundle_pull": (shorter_pulls,),
    "bend_radius": (peer_racks,),
}
