"""The site file as plain data: every choice of `Knobs` and every number of `Facts` put where the schema has it.

No decisions here.
"""

from __future__ import annotations

from typing import Any

from rackwright import compat
from rackwright.catalog import sizing_practice, water_classes
from rackwright.design.sizing.ask import POOL, Frame
from rackwright.design.sizing.facts import Facts, Units
from rackwright.design.sizing.knobs import RACK, Knobs, switch
from rackwright.design.sizing.tiers import tier

Data = dict[str, Any]
FABRICS = {"storage": "storage", "inband": "inband", "bmc": "oob"}
"""Names of the networks, by role."""


def draft(found: Frame, knobs: Knobs, facts: Facts) -> Data:
    """The site."""
    fabrics = [_compute(found, facts), *_scale_up(found), *_networks(found, knobs, facts)]
    return {
        "apiVersion": "rackwright/v1",
        "site": found.ask.site,
        "region": "region-1",
        "facility": _facility(found, knobs, facts),
        "pools": [_pool(found, knobs)],
        "fabrics": fabrics,
        "storage": [tier(found, knobs, facts)],
        "control": _control(found, knobs, facts),
        "software": _software(found, facts),
        "acceptance": {"gates": "handover"},
    }


def _facility(found: Frame, knobs: Knobs, facts: Facts) -> Data:
    practice = sizing_practice.load()
    rack = found.preset.rack or RACK
    halls = [
        {
            "name": hall.name,
            "rows": hall.rows,
            "racks_per_row": hall.racks_per_row,
            "supply_air_celsius": practice.supply_air_celsius,
            "floor_load_kg_per_rack": facts.floor_kg,
            "rack": RACK if rack != RACK else rack,
        }
        for hall in facts.halls
    ]
    data: Data = {"halls": halls, "power": _power(knobs, facts)}
    if facts.cdus:
        data["liquid"] = _liquid(found, facts)
    if facts.crahs:
        sets = [_unit(one) for one in facts.crahs]
        data["air"] = {"crahs": sets, "survive": {"crahs": 1}, "containment": "hot-aisle"}
    if facts.routes:
        data["routes"] = [{"halls": list(pair), "meters": meters} for pair, meters in facts.routes.items()]
    return data


def _power(knobs: Knobs, facts: Facts) -> Data:
    practice = sizing_practice.load()
    circuit = practice.circuits[knobs.circuit]
    survive = {"feeds": 1, "ups": 1} if facts.ups else {"feeds": 1}
    data: Data = {
        "feeds": list(practice.feed_letters[: knobs.feeds]),
        "feed_kw": facts.feed_kw,
        "survive": survive,
        "circuit": {"volts": circuit.volts, "amps": circuit.amps, "phases": 3, "derating": 0.8, "power_factor": 0.95},
    }
    if facts.ups:
        data["ups"] = {"sku": facts.ups[0], "per_feed": facts.ups[1]}
    if knobs.pdu:
        data["rack_pdu"] = circuit.pdu
    return data


def _liquid(found: Frame, facts: Facts) -> Data:
    practice = sizing_practice.load()
    supply = supply_celsius(found)
    approach = water_classes.load().practice.cdu_approach_kelvin
    return {
        "cdus": [_unit(one) for one in facts.cdus],
        "survive": {"cdus": 1, "pumps": 1},
        "coolant": "pg25",
        "supply_celsius": supply,
        "delta_t_kelvin": practice.coolant_delta_t_kelvin,
        "facility_water": {"supply_celsius": supply - approach, "delta_t_kelvin": practice.water_delta_t_kelvin},
        "leak_detection": "rack-and-row",
    }


def supply_celsius(found: Frame) -> float:
    """Coolant at the racks: what the server bears less a margin, and no warmer than practice."""
    practice = sizing_practice.load()
    assert found.server.liquid is not None, "only liquid-cooled servers have coolant"
    limit = found.server.liquid.max_supply_celsius - practice.coolant_below_limit_kelvin
    return min(limit, practice.warmest_coolant_celsius)


def _unit(one: Units) -> Data:
    return {"sku": one.sku, "count": one.count, "hall": one.hall}


def _pool(found: Frame, knobs: Knobs) -> Data:
    data: Data = {
        "name": POOL,
        "server": found.server.sku,
        "count": found.nodes,
        "servers_per_rack": knobs.servers_per_rack,
        "scheduler": found.ask.scheduler,
        "scalable_unit": knobs.scalable_unit,
    }
    return data | ({"rack": found.preset.rack} if found.preset.rack else {})


def _compute(found: Frame, facts: Facts) -> Data:
    preset = found.preset
    data: Data = {"name": "compute", "role": "compute", "transport": preset.transport, "topology": preset.topology}
    data |= {"pools": [POOL], "switch": preset.switch}
    chosen = {
        "spine_switch": preset.spine_switch,
        "tiers": preset.tiers if found.nodes >= (preset.scalable_unit or 0) else None,
        "planes": preset.planes if preset.planes > 1 else None,
        "leaf_group": preset.leaf_group if preset.leaf_group != "unit" else None,
        "rail_planes": preset.rail_planes or None,
    }
    data |= {key: value for key, value in chosen.items() if value is not None} | _face(found, preset.switch)
    return data | {"oversubscription": 1.0} | _subnet("compute", facts)


def _face(found: Frame, sku: str) -> Data:
    """Switches that blow out at their ports stand with them to the hot aisle, as the ports of servers."""
    return {"ports_face": "rear"} if sku in found.turned else {}


def _scale_up(found: Frame) -> list[Data]:
    tray = found.preset.scale_up_switch
    if tray is None:
        return []
    return [
        {
            "name": "nvlink",
            "role": "nvlink",
            "transport": "nvlink",
            "topology": "nvlink",
            "pools": [POOL],
            "switch": tray,
        }
    ]


def _networks(found: Frame, knobs: Knobs, facts: Facts) -> list[Data]:
    made = []
    for role, network in found.networks.items():
        name = FABRICS[role]
        data: Data = {"name": name, "role": role, "transport": network.transport}
        data["topology"] = "management" if role == "bmc" else "leaf-spine"
        data |= {"pools": [POOL]} if role == "storage" else {}
        data["switch"] = switch(found, knobs, role)
        data |= _face(found, data["switch"])
        if role != "bmc":
            data["oversubscription"] = knobs.oversubscription.get(role, network.oversubscription)
        made.append(data | _subnet(name, facts))
    return made


def _subnet(name: str, facts: Facts) -> Data:
    return {"subnet": facts.subnets[name]} if name in facts.subnets else {}


def _control(found: Frame, knobs: Knobs, facts: Facts) -> Data:
    practice = sizing_practice.load()
    data: Data = {}
    if found.ask.scheduler == "slurm":
        servers = {"server": practice.controller, "count": practice.slurm_controllers}
        data["slurm"] = {"controllers": servers, "partition": POOL}
    if knobs.ufm:
        data["ufm"] = {"servers": {"server": practice.subnet_manager, "count": practice.subnet_managers}}
    return data | {"ntp_servers": [services(facts)]}


def _software(found: Frame, facts: Facts) -> Data:
    """The reference bill of the vendor; what a server does not run is not installed on it."""
    return {"apt_mirror": f"http://{services(facts)}:8080/apt", **compat.reference(found.vendor)}


def services(facts: Facts) -> str:
    """The second address of the in-band subnet, which serves time and packages."""
    network = facts.subnets[FABRICS["inband"]].partition("/")[0]
    return f"{network.rpartition('.')[0]}.2"
