"""Problems of devices and racks that cannot be placed as the site declares, each with a next step."""

from __future__ import annotations

from collections.abc import Sequence

from rackwright.base.errors import Problem, ProblemsError
from rackwright.design.population import ScalableUnit
from rackwright.model.site import Pool, Site
from rackwright.model.sku import Rack


def too_full(unit: ScalableUnit, per_rack: int, height: int, rack: Rack) -> ProblemsError:
    """The servers of a rack need more height than the rack has."""
    most = rack.rack_units // height
    problem = Problem(
        place="site",
        path=f"{unit.path}.servers_per_rack",
        message=f"{per_rack} server{'s do' if per_rack > 1 else ' does'} not fit into a rack",
        expected=f"at most {most} x {height}U in the {rack.rack_units}U of {rack.sku}",
        found=f"{per_rack} x {height}U",
        next_step=f"set servers_per_rack to {most} or less" if most else "choose a taller rack for the pool",
        code="design.rack_units",
    )
    return ProblemsError([problem])


def no_trays(unit: ScalableUnit, servers: int, trays: int, rack: Rack) -> ProblemsError:
    """Servers and the NVSwitch trays between them need more height than the rack has."""
    problem = Problem(
        place="site",
        path=f"{unit.path}.servers_per_rack",
        message="the NVSwitch trays of a rack do not fit beside its servers",
        expected=f"at most {rack.rack_units}U in {rack.sku}",
        found=f"{servers}U of servers and {trays}U of trays",
        next_step="lower servers_per_rack, or give the pool a taller rack",
        code="design.rack_units",
    )
    return ProblemsError([problem])


def no_such_rack(site: Site, index: int, names: Sequence[str]) -> Problem:
    """The site gives a place to a rack that the design does not have."""
    return Problem(
        place="site",
        path=f"facility.racks[{index}].rack",
        message="the design has no such rack",
        expected=f"one of {', '.join(names[:20])}{' ...' if len(names) > len(names[:20]) else ''}",
        found=site.facility.racks[index].rack,
        next_step="name a rack that `rackwright design` lists",
        code="design.unknown_rack",
    )


def hall_too_small(site: Site, pool: Pool, racks: Sequence[str], places: int) -> ProblemsError:
    """The hall, or the row, that a pool declares has too few places for the racks of a scalable unit."""
    where = f"row {pool.row} of {pool.hall}" if pool.row else pool.hall
    problem = Problem(
        place="site",
        path=f"pools[{[declared.name for declared in site.pools].index(pool.name)}].{'row' if pool.row else 'hall'}",
        message=f"{where} has too few places for the racks of pool {pool.name}",
        expected=f"{len(racks)} free place{'' if len(racks) == 1 else 's'} for {racks[0]} to {racks[-1]}",
        found=f"{places} free",
        next_step=f"{'leave row out' if pool.row else 'leave hall out'}, enlarge {pool.hall}, or divide the pool",
        code="design.hall_full",
    )
    return ProblemsError([problem])


def no_room(site: Site, needed: int) -> ProblemsError:
    """There are more racks than places."""
    places = sum(hall.rows * hall.racks_per_row for hall in site.facility.halls)
    problem = Problem(
        place="site",
        path="facility.halls",
        message="the halls have too few places for the racks",
        expected=f"{needed} places (whole scalable units, their switches and what the site shares)",
        found=f"{places} place{'' if places == 1 else 's'}",
        next_step="add rows or racks_per_row, or lower scalable_unit of the pools",
        code="design.hall_full",
    )
    return ProblemsError([problem])


def slot_taken(site: Site, device: str, rack: str, unit: int) -> Problem:
    """Something stands where a switch tray belongs, which joins the nodes of its rack and can stand in no other."""
    standing = [i for i, device_there in enumerate(site.existing.devices) if device_there.rack == rack]
    return Problem(
        place="site",
        path=f"existing.devices[{standing[0]}]" if standing else "existing.devices",
        message=f"{device} has no slot in {rack}, whose nodes it joins",
        expected=f"U{unit} of {rack} free for it",
        found="something else stands there",
        next_step="correct the record: trays of rack-scale systems come mounted, so something is listed in a wrong rack or unit",
        code="design.slot_taken",
    )
