"""The tables of a design: names, columns and types, in one place because they are public interface."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl

BACKPLANE = "nvlink"
"""Kind of the cables that come with a rack."""

SCHEMAS: dict[str, dict[str, Any]] = {
    # One row per rack. kind: compute (accelerator pools), management (switches, control servers), fabric.
    # Heat into liquid and into air together is the peak load; the flows carry it at the temperature rises of the site.
    "racks": {
        "rack": pl.String,
        "hall": pl.String,
        "row": pl.Int32,
        "position": pl.Int32,
        "sku": pl.String,
        "rack_units": pl.Int32,
        "kind": pl.String,
        "weight_kg": pl.Float64,
        "peak_watts": pl.Int64,
        "liquid_watts": pl.Int64,
        "air_watts": pl.Int64,
        "coolant_liters_per_minute": pl.Float64,
        "airflow_cfm": pl.Float64,
    },
    # One row per thing with rack units. unit: lowest U, counted from 1 at the bottom. kind: server, switch, pdu.
    # role: accelerator (pool nodes), slurm, kubernetes, ufm for servers; leaf, spine, core, management, nvswitch for switches.
    "devices": {
        "device": pl.String,
        "kind": pl.String,
        "role": pl.String,
        "sku": pl.String,
        "rack": pl.String,
        "unit": pl.Int32,
        "rack_units": pl.Int32,
        "fabric": pl.String,
        "pool": pl.String,
        "scalable_unit": pl.Int32,
        "index": pl.Int32,
        "peak_watts": pl.Int64,
        "weight_kg": pl.Float64,
    },
    # One row per machine with an operating system and a BMC: accelerator nodes and control servers.
    "nodes": {
        "node": pl.String,
        "pool": pl.String,
        "role": pl.String,
        "sku": pl.String,
        "rack": pl.String,
        "unit": pl.Int32,
        "scalable_unit": pl.Int32,
        "index": pl.Int32,
        "accelerators": pl.Int32,
        "inband_address": pl.String,
        "bmc_address": pl.String,
        "scheduler": pl.String,
    },
    # One row per port that exists. cable is null when the port is free. number: 1-based position on the device within
    # its fabric (switches: over all ports); rail: 0-based rail of a compute port, null elsewhere; reserved: what a host
    # port of a leaf is kept free for (ufm, storage, exits, growth).
    "ports": {
        "device": pl.String,
        "port": pl.String,
        "number": pl.Int32,
        "fabric": pl.String,
        "gbps": pl.Int32,
        "rail": pl.Int32,
        "cable": pl.String,
        "reserved": pl.String,
    },
    # One row per cable. a is nearer to the node. kind: node_leaf, leaf_spine, spine_core, uplink (management), isl
    # (between leaves), global (between groups), nvlink. rail and plane are 0-based, null where there is none.
    # routed_meters: along the trays with slack; length_meters: the standard length to order.
    "cables": {
        "cable": pl.String,
        "fabric": pl.String,
        "kind": pl.String,
        "a_device": pl.String,
        "a_port": pl.String,
        "b_device": pl.String,
        "b_port": pl.String,
        "gbps": pl.Int32,
        "rail": pl.Int32,
        "plane": pl.Int32,
        "routed_meters": pl.Float64,
        "length_meters": pl.Float64,
        "sku": pl.String,
    },
    # One row per address. family: 4 or 6. network: that of table networks, called after its fabric ("inband", "oob").
    "addresses": {
        "address": pl.String,
        "prefix": pl.Int32,
        "family": pl.Int8,
        "network": pl.String,
        "device": pl.String,
        "interface": pl.String,
    },
    # One row per rack circuit (one per feed and rack, more where one is not enough). parent: busway or feed. Watts: what
    # it may carry; peak loads with all alive, in sum and by phase (between lines on low voltages: L1-L2, L2-L3, L3-L1);
    # ratings of its supplies; load on a busy day; peak load after the worst declared loss, which worst_loss names.
    "circuits": {
        "circuit": pl.String,
        "rack": pl.String,
        "feed": pl.String,
        "usable_watts": pl.Float64,
        "load_watts": pl.Float64,
        "l1_watts": pl.Float64,
        "l2_watts": pl.Float64,
        "l3_watts": pl.Float64,
        "nameplate_watts": pl.Float64,
        "design_watts": pl.Float64,
        "worst_watts": pl.Float64,
        "worst_loss": pl.String,
        "parent": pl.String,
    },
    # One row per power supply, rectifiers of power shelves included: which circuit it hangs on, on which phase, and in
    # which outlet of the rack PDU (null without one, and where none is left).
    "psus": {
        "device": pl.String,
        "psu": pl.Int32,
        "watts": pl.Int32,
        "circuit": pl.String,
        "feed": pl.String,
        "phase": pl.String,
        "outlet": pl.String,
    },
    # One row per element between feed and circuit. kind: feed, ups, busway, pdu, shelf. parent: the element that feeds
    # it, null at the top. Watts: what it can carry, carries with all alive, and carries after the worst loss that must be
    # survived, which worst_loss names; ratings of the supplies behind it, and load on a busy day. UPS modules of a feed work
    # in parallel: what they feed names the feed as its parent. A PDU or a shelf hangs on its circuit. unit: lowest rack
    # unit of a shelf, null elsewhere; shelves fill their rack from the top.
    "power": {
        "element": pl.String,
        "kind": pl.String,
        "parent": pl.String,
        "feed": pl.String,
        "rack": pl.String,
        "sku": pl.String,
        "capacity_watts": pl.Float64,
        "load_watts": pl.Float64,
        "worst_watts": pl.Float64,
        "worst_loss": pl.String,
        "nameplate_watts": pl.Float64,
        "design_watts": pl.Float64,
        "unit": pl.Int32,
    },
    # One row per machine of the cooling plant. kind: cdu, crah. loop: the group that carries its load together.
    # Capacity at the design approach or air temperature; flow in litres per minute (cdu) or CFM (crah).
    "cooling": {
        "unit": pl.String,
        "kind": pl.String,
        "sku": pl.String,
        "hall": pl.String,
        "loop": pl.String,
        "capacity_watts": pl.Float64,
        "load_watts": pl.Float64,
        "worst_watts": pl.Float64,
        "flow": pl.Float64,
        "flow_capacity": pl.Float64,
        "worst_flow": pl.Float64,
    },
    # One row per network that hosts have addresses or keys on. rail and plane are null where there is one only.
    "networks": {
        "network": pl.String,
        "fabric": pl.String,
        "rail": pl.Int32,
        "plane": pl.Int32,
        "pool": pl.String,
        "subnet": pl.String,
        "subnet6": pl.String,
        "vlan": pl.Int32,
        "vni": pl.Int32,
        "partition_key": pl.Int32,
    },
    # One row per loss that was simulated. domain: power, cooling, fabric. kind: feed, ups, pdu, psu, cdu, pump, crah,
    # switch, link, plane. element: what was lost; for kinds with many equal members the one that hurts most.
    # remaining_share: of the capacity, flow or bandwidth that is left where it hurts most. must_survive: declared so.
    "losses": {
        "domain": pl.String,
        "kind": pl.String,
        "element": pl.String,
        "nodes_down": pl.Int32,
        "accelerators_down": pl.Int32,
        "remaining_share": pl.Float64,
        "survives": pl.Boolean,
        "must_survive": pl.Boolean,
        "says": pl.String,
    },
    # One row per part number to buy, and per length of a cable. quantity: in service (unit: piece, liter); spares: on the
    # shelf. included_in: what they are bought inside of, then only spares cost. price: of one, null where none is known;
    # total: of all that is bought, null where something is bought without a price.
    "bill": {
        "sku": pl.String,
        "length_meters": pl.Float64,
        "kind": pl.String,
        "manufacturer": pl.String,
        "model": pl.String,
        "unit": pl.String,
        "quantity": pl.Int64,
        "spares": pl.Int64,
        "included_in": pl.String,
        "price": pl.Float64,
        "price_source": pl.String,
        "total": pl.Float64,
    },
}


def empty(name: str) -> Callable[[], pl.DataFrame]:
    """Makes the table `name` without rows: what a design without such things has."""
    return lambda: pl.DataFrame(schema=SCHEMAS[name])
