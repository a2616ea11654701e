"""Parts of a small liquid-cooled site, each with room to spare; keywords change what a test is about."""

from __future__ import annotations

from typing import Any

SOURCE = {"doc": "test", "date": "2026-11-21", "level": "derived", "covers": ["*"]}


def part(kind: str, sku: str, **fields: Any) -> dict[str, Any]:
    return {"kind": kind, "sku": sku, "manufacturer": "Test", "model": sku, "sources": [SOURCE], **fields}


def wet_server(**change: Any) -> dict[str, Any]:
    """10 kW, of which 8 kW go into the coolant."""
    fields = {
        "rack_units": 4, "weight_kg": 100.0, "depth_mm": 900, "peak_watts": 10_000,
        "psus": {"count": 2, "watts_each": 10_000, "needed": 1}, "max_supply_air_celsius": 35.0,
        "liquid": {"share": 0.8, "max_supply_celsius": 45.0, "pressure_drop_kpa": 60.0},
        "cpu_sockets": 2, "cores_per_socket": 8, "memory_gib": 64,
        "ports": [{"role": "bmc", "count": 1, "gbps": 1, "names": ["bmc"], "adapter": "x"}],
    }  # fmt: skip
    return part("server", "wet", **(fields | change))


def cdu(**change: Any) -> dict[str, Any]:
    fields = {
        "capacities": [{"approach_kelvin": 2.0, "kw": 50.0}, {"approach_kelvin": 4.0, "kw": 100.0}],
        "liters_per_minute": 150.0, "pressure_kpa": 200.0, "pumps": 2, "pumps_needed": 1, "power_watts": 2000,
        "min_supply_celsius": 20.0, "max_supply_celsius": 45.0,
    }  # fmt: skip
    return part("cdu", "test-cdu", **(fields | change))


def crah(**change: Any) -> dict[str, Any]:
    return part("crah", "test-crah", **({"kw": 50.0, "airflow_cfm": 8000.0, "fan_watts": 1000} | change))


def coolant(**change: Any) -> dict[str, Any]:
    fields = {
        "density_kg_per_m3": 1025.0, "heat_capacity_j_per_kg_k": 3900.0, "viscosity_mpa_s": 1.5,
        "freezes_at_celsius": -10.0,
    }  # fmt: skip
    return part("coolant", "test-glycol", **(fields | change))


def swap(data: dict[str, Any], new: dict[str, Any]) -> None:
    """Puts `new` in the place of the part with its SKU."""
    data["catalog"] = [new if entry["sku"] == new["sku"] else entry for entry in data["catalog"]]


def wet_site(example: dict[str, Any]) -> dict[str, Any]:
    """A site of two halls: eight wet servers in four racks, two CDUs, two CRAHs, all with room to spare."""
    data = example
    hall = data["facility"]["halls"][0] | {"rows": 1, "racks_per_row": 8}
    data["facility"] |= {
        "halls": [hall, hall | {"name": "hall-2"}],
        "liquid": {
            "cdus": [{"sku": "test-cdu", "count": 2}], "coolant": "test-glycol", "supply_celsius": 32.0,
            "delta_t_kelvin": 10.0, "facility_water": {"supply_celsius": 28.0, "delta_t_kelvin": 8.0},
            "leak_detection": "rack-and-row",
        },
        "air": {"crahs": [{"sku": "test-crah", "count": 2}], "containment": "hot-aisle"},
    }  # fmt: skip
    pool = {
        "name": "train",
        "server": "wet",
        "count": 8,
        "servers_per_rack": 2,
        "scheduler": "none",
        "scalable_unit": 8,
    }
    bmc = next(fabric for fabric in data["fabrics"] if fabric["role"] == "bmc")
    data |= {"pools": [pool], "fabrics": [bmc], "storage": [], "catalog": [wet_server(), cdu(), crah(), coolant()]}
    data["control"] = {"ntp_servers": ["10.64.0.2"]}
    return data
