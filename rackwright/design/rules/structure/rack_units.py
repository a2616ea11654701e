"""What stands in a rack fits between its lowest and its highest unit."""

from __future__ import annotations

import polars as pl

from rackwright.design.rules.rule import Judged, Rule, finding
from rackwright.model.design import Design


def judge(design: Design) -> Judged:
    """Per rack."""
    inside = design.devices.partition_by("rack", as_dict=True)
    for rack in design.racks.iter_rows(named=True):
        devices = inside.get((rack["rack"],), design.devices.clear())
        height = rack["rack_units"]
        outside = devices.filter((pl.col("unit") < 1) | (pl.col("unit") + pl.col("rack_units") - 1 > height))
        used = int(devices["rack_units"].sum())
        wrong = [f"{name} at U{unit}" for name, unit in zip(outside["device"], outside["unit"], strict=True)]
        observed = f"{used}U in {len(devices)} devices" + (f"; outside: {', '.join(wrong[:3])}" if wrong else "")
        expected = f"at most {height}U, from U1 to U{height}"
        good = not wrong and used <= height
        source = f"SKU {rack['sku']}"
        yield rack["rack"], finding(good, observed, expected, source, f"Rack {rack['rack']} holds {observed}")


RULE = Rule("rack_units", "Devices fit into their racks", judge)
