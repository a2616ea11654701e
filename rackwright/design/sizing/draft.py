"""The site file as plain data: every choice of `Knobs` and every number of `Facts` in the place the schema requires.

No decisions here.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from rackwright import compat
from rackwright.catalog import pathway_practice, sizing_practice, water_classes
from rackwright.catalog.fabric_presets import FabricPreset
from rackwright.design.sizing.facts import Facts, PlantUnits
from rackwright.design.sizing.knobs import RACK, Knobs, network_switch
from rackwright.design.sizing.request import POOL, Frame
from rackwright.design.sizing.tiers import tier
from rackwright.model.sku import Accelerator, Server
from rackwright.model.software import BASES, Bill

Data = dict[str, Any]
FABRICS = {"storage": "storage", "inband": "inband", "bmc": "oob"}
"""Names of the networks, by role."""


def draft_site(frame: Frame, knobs: Knobs, facts: Facts) -> Data:
    """The site."""
    ask = frame.ask
    mirror = f"http://{services(facts)}:8080/apt"
    fabrics = [_compute(frame, facts), *_scale_up(frame), *_networks(frame, knobs, facts)]
    return {
        "apiVersion": "rackwright/v1",
        "site": ask.site,
        "region": "region-1",
        "facility": _facility(frame, knobs, facts),
        "pools": [_pool(frame, knobs)],
        "fabrics": fabrics,
        "storage": [tier(frame, knobs, facts)],
        "control": _control(frame, knobs, facts),
        "software": {**software(mirror, frame.server, frame.accelerator, ask.scheduler, ask.system), **ask.versions},
        "acceptance": {"gates": "handover"},
        **({"site_folder": ask.site_folder} if ask.site_folder else {}),
    }


def _facility(frame: Frame, knobs: Knobs, facts: Facts) -> Data:
    practice = sizing_practice.load()
    rack = frame.preset.rack or RACK
    halls = [
        {
            "name": hall.name,
            "rows": hall.rows,
            "racks_per_row": hall.racks_per_row,
            "supply_air_celsius": practice.supply_air_celsius,
            "floor_load_kg_per_rack": facts.floor_kg,
            "rack": RACK if rack != RACK else rack,
            **_trays(facts.trays.get(hall.name, 1)),
        }
        for hall in facts.halls
    ]
    data: Data = {"halls": halls, "power": _power(knobs, facts)}
    if facts.cdus:
        data["liquid"] = _liquid(frame, facts)
    if facts.crahs:
        sets = [_unit(crah) for crah in facts.crahs]
        data["air"] = {"crahs": sets, "survive": {"crahs": 1}, "containment": "hot-aisle"}
    if facts.routes:
        data["routes"] = [{"halls": list(pair), "meters": meters} for pair, meters in facts.routes.items()]
    return data


def _trays(count: int) -> Data:
    usual = pathway_practice.load().tray
    tray = {"width_mm": usual.width_mm, "depth_mm": usual.depth_mm, "count": count}
    return {"cable_tray": tray} if count > 1 else {}


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
    if facts.caps:
        data["caps"] = [asdict(cap) for cap in facts.caps]
    if facts.ups:
        data["ups"] = {"sku": facts.ups[0], "per_feed": facts.ups[1]}
    if knobs.pdu:
        data["rack_pdu"] = circuit.pdu
    return data


def _liquid(frame: Frame, facts: Facts) -> Data:
    practice = sizing_practice.load()
    supply = supply_celsius(frame)
    approach = water_classes.load().practice.cdu_approach_kelvin
    return {
        "cdus": [_unit(cdu) for cdu in facts.cdus],
        "survive": {"cdus": 1, "pumps": 1},
        "coolant": "pg25",
        "supply_celsius": supply,
        "delta_t_kelvin": practice.coolant_delta_t_kelvin,
        "facility_water": {"supply_celsius": supply - approach, "delta_t_kelvin": practice.water_delta_t_kelvin},
        "leak_detection": "rack-and-row",
    }


def supply_celsius(frame: Frame) -> float:
    """Coolant temperature at the racks: the limit of the server less a margin, and no warmer than practice."""
    practice = sizing_practice.load()
    assert frame.server.liquid is not None, "only liquid-cooled servers have coolant"
    limit = frame.server.liquid.max_supply_celsius - practice.coolant_below_limit_kelvin
    return min(limit, practice.warmest_coolant_celsius)


def _unit(units: PlantUnits) -> Data:
    return {"sku": units.sku, "count": units.count, "hall": units.hall}


def _pool(frame: Frame, knobs: Knobs) -> Data:
    data: Data = {
        "name": POOL,
        "server": frame.server.sku,
        "count": frame.nodes,
        "servers_per_rack": knobs.servers_per_rack,
        "scheduler": frame.ask.scheduler,
        "scalable_unit": knobs.scalable_unit,
    }
    return data | ({"rack": frame.preset.rack} if frame.preset.rack else {})


def _compute(frame: Frame, facts: Facts) -> Data:
    preset = frame.preset
    data: Data = {"name": "compute", "role": "compute", "transport": preset.transport, "topology": preset.topology}
    data |= {"pools": [POOL], "switch": preset.switch}
    chosen = {
        "spine_switch": preset.spine_switch,
        "tiers": preset.tiers if frame.nodes >= (preset.scalable_unit or 0) else None,
        "planes": preset.planes if preset.planes > 1 else None,
        "leaf_group": preset.leaf_group if preset.leaf_group != "unit" else None,
        "rail_planes": preset.rail_planes or None,
    }
    data |= {key: value for key, value in chosen.items() if value is not None} | _airflow_face(frame, preset.switch)
    return data | {"oversubscription": 1.0} | _survive(preset) | _subnet("compute", facts)


def _survive(preset: FabricPreset) -> Data:
    return {} if preset.survive is None else {"survive": preset.survive.model_dump(exclude_defaults=True)}


def _airflow_face(frame: Frame, sku: str) -> Data:
    """Switches with exhaust at their ports have the ports to the hot aisle, like servers."""
    return {"ports_face": "rear"} if sku in frame.turned else {}


def _scale_up(frame: Frame) -> list[Data]:
    tray = frame.preset.scale_up_switch
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


def _networks(frame: Frame, knobs: Knobs, facts: Facts) -> list[Data]:
    fabrics = []
    for role, network in frame.networks.items():
        name = FABRICS[role]
        data: Data = {"name": name, "role": role, "transport": network.transport}
        data["topology"] = "management" if role == "bmc" else frame.preset.network_topology
        data |= {"pools": [POOL]} if role == "storage" else {}
        data["switch"] = network_switch(frame, knobs, role)
        data |= _airflow_face(frame, data["switch"])
        if role != "bmc":
            data["oversubscription"] = knobs.oversubscription.get(role, network.oversubscription)
            data |= {"leaf_group": "site"} if frame.preset.leaf_group == "site" else {}
            data |= _survive(frame.preset)
        fabrics.append(data | _subnet(name, facts))
    return fabrics


def _subnet(name: str, facts: Facts) -> Data:
    return {"subnet": facts.subnets[name]} if name in facts.subnets else {}


def _control(frame: Frame, knobs: Knobs, facts: Facts) -> Data:
    practice = sizing_practice.load()
    data: Data = {}
    if frame.ask.scheduler == "slurm":
        servers = {"server": practice.controller, "count": practice.slurm_controllers}
        data["slurm"] = {"controllers": servers, "partition": POOL}
    if frame.ask.scheduler == "kubernetes":
        endpoint = f"{_inband_address(facts, 4)}:6443"
        data["kubernetes"] = {"endpoint": endpoint, "ca_sha256": "0" * 64, "image": practice.pod_image}
    if knobs.ufm:
        data["ufm"] = {"servers": {"server": practice.subnet_manager, "count": practice.subnet_managers}}
    return data | {"ntp_servers": [services(facts)]}


def software(
    apt_mirror: str, server: Server, accelerator: Accelerator | None, scheduler: str, system: str | None = None
) -> Data:
    """`system`, else the first that the makers support, and the reference bill of vendor and scheduler.

    Software that a server does not run is not installed on it; control servers have the distribution that `system` is built on.
    """
    system = system or next(iter(compat.supported_systems(accelerator, server)), "")
    base = BASES.get(system, system)
    platform = compat.facts_of(Bill(), accelerator, server).get("platform", "")
    return {
        "apt_mirror": apt_mirror,
        **({"os": base} if base else {}),
        **compat.reference(accelerator.vendor if accelerator else "", scheduler, base, platform),
        **({"pools": {POOL: {"os": system}}} if system != base else {}),
    }


def services(facts: Facts) -> str:
    """The second address of the in-band subnet, which serves time and packages."""
    return _inband_address(facts, 2)


def _inband_address(facts: Facts, number: int) -> str:
    network = facts.subnets[FABRICS["inband"]].partition("/")[0]
    return f"{network.rpartition('.')[0]}.{number}"
