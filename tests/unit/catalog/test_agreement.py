"""Parts agree with themselves and with each other. Each rule is a function over the catalog, so that it can be shown to fail."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from rackwright import catalog
from rackwright.catalog import Catalog
from rackwright.model.sku import Accelerator, Server, Switch

SPARSE_GAIN = (1.9, 2.1)
"""Structured sparsity doubles the rate (NVIDIA, A100 whitepaper, 2:4 sparsity); a little is lost by rounding."""
DENSE_FP4_RAISED = {"b300", "gb300"}
"""Blackwell Ultra: FP4 is 108 dense and 144 sparse per DGX B300."""
FAMILIES = [
    (("b200", "gb200"), "bf16_dense_tflops"),
    (("h100-sxm", "h200-sxm"), "bf16_dense_tflops"),
    (("mi300x", "mi325x"), "bf16_dense_tflops"),
    (("b200", "b300", "gb200", "gb300"), "scale_up_gbytes_per_s"),
]
"""Accelerators of one chip, and what must therefore be the same."""


def links(parts: Catalog) -> Iterator[str]:
    """The sum of the scale-up links is their number times their rate."""
    for accelerator in parts.accelerators.values():
        count, rate = accelerator.nvlink_links or accelerator.scale_up_links, accelerator.nvlink_gbytes_per_s_per_link
        rate = rate or accelerator.scale_up_gbytes_per_s_per_link
        if count and not math.isclose(count * rate, accelerator.scale_up_gbytes_per_s):
            yield f"{accelerator.sku}: {count} x {rate} is not {accelerator.scale_up_gbytes_per_s}"
        if (accelerator.scale_up == "nvlink") != bool(accelerator.nvlink_links or accelerator.announced):
            yield f"{accelerator.sku}: {accelerator.nvlink_links} NVLinks, but scale-up is {accelerator.scale_up}"


def rates(accelerator: Accelerator) -> dict[str, dict[str, float]]:
    """Dense and sparse rate by precision; BF16 dense stands in its own field."""
    by_form: dict[str, dict[str, float]] = {}
    for rate in accelerator.throughput:
        by_form.setdefault(rate.precision, {})[rate.sparsity] = rate.tflops
    if accelerator.bf16_dense_tflops:
        by_form.setdefault("bf16", {}).setdefault("dense", accelerator.bf16_dense_tflops)
    return by_form


def throughput(parts: Catalog) -> Iterator[str]:
    """No precision twice, sparse about twice dense, a shorter number never slower than a longer one."""
    for accelerator in parts.accelerators.values():
        keys = [(rate.precision, rate.sparsity) for rate in accelerator.throughput]
        if len(set(keys)) != len(keys) or ("bf16", "dense") in keys:
            yield f"{accelerator.sku}: a rate stands twice"
        by_form = rates(accelerator)
        for precision, both in by_form.items():
            gain = both["sparse"] / both["dense"] if len(both) == 2 else None
            raised = precision == "fp4" and accelerator.sku in DENSE_FP4_RAISED
            if gain and not (1.3 < gain < 1.4 if raised else SPARSE_GAIN[0] <= gain <= SPARSE_GAIN[1]):
                yield f"{accelerator.sku}: sparse {precision} is {gain:.2f} times dense"
        for precision in ("int8", "int4"):
            if (precision in by_form) == (precision in accelerator.unpublished_rates):
                yield f"{accelerator.sku}: {precision} has neither a rate nor the reason why none is published, or both"
        dense = [by_form[name]["dense"] for name in ("bf16", "fp8", "fp4") if "dense" in by_form.get(name, {})]
        if dense != sorted(dense):
            yield f"{accelerator.sku}: fewer bits are slower: {dense}"


def sisters(parts: Catalog) -> Iterator[str]:
    """Parts of one chip agree."""
    for skus, name in FAMILIES:
        values = {getattr(parts.accelerators[sku], name) for sku in skus}
        if len(values) != 1:
            yield f"{name} of {', '.join(skus)}: {values}"


def power(parts: Catalog) -> Iterator[str]:
    """The supplies that must run carry the peak, fewer of them do not have to, and usual is no more than peak."""
    for machine in [*parts.servers.values(), *parts.switches.values()]:
        if machine.psus.count and not machine.psus.needed * machine.psus.watts_each >= machine.peak_watts:
            yield f"{machine.sku}: {machine.psus.needed} supplies do not carry {machine.peak_watts} W"
        if not 0 <= machine.psus.needed <= machine.psus.count:
            yield f"{machine.sku}: needs {machine.psus.needed} of {machine.psus.count} supplies"
        if machine.typical_watts and machine.typical_watts > machine.peak_watts:
            yield f"{machine.sku}: usual draw over the peak"


def servers(parts: Catalog) -> Iterator[str]:
    """Accelerators are known, fit into the peak draw and are not those of a cloud; ports are named once each."""
    for server in parts.servers.values():
        names = [name for group in server.ports for name in group.names]
        if len(set(names)) != len(names):
            yield f"{server.sku}: a port name stands twice"
        if any(len(group.names) != group.count or group.count % group.per_rail for group in server.ports):
            yield f"{server.sku}: ports and names or rails do not add up"
        if not any(group.role == "bmc" for group in server.ports):
            yield f"{server.sku}: no BMC"
        part = parts.accelerators.get(server.accelerator or "")
        if (part is None) != (server.accelerators == 0):
            yield f"{server.sku}: unknown accelerator {server.accelerator}"
        elif part and part.tdp_watts * server.accelerators > server.peak_watts:
            yield f"{server.sku}: its accelerators alone draw more than {server.peak_watts} W"
        elif part and not part.tdp_watts:
            yield f"{server.sku}: {part.sku} is only rented"
        if server.liquid is None and server.peak_watts > 1000 and not server.airflow_cfm:
            yield f"{server.sku}: no airflow"


def instances(parts: Catalog) -> Iterator[str]:
    """The accelerator of an instance is known."""
    for instance in parts.instances.values():
        if instance.accelerator not in parts.accelerators:
            yield f"{instance.sku}: unknown accelerator {instance.accelerator}"
        for topology in instance.topologies:
            chips = math.prod(map(int, topology.split("x")))
            if instance.instances_of(topology) * instance.accelerators != chips:
                yield f"{instance.sku}: {chips} chips of {topology} are no whole instances"


RULES = [links, throughput, sisters, power, servers, instances]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_catalog_agrees(rule: Callable[[Catalog], Iterator[str]]):
    assert list(rule(catalog.load())) == []


def changed(parts: Catalog, kind: str, sku: str, **fields: Any) -> Catalog:
    table = getattr(parts, kind)
    return dataclasses.replace(parts, **{kind: {**table, sku: table[sku].model_copy(update=fields)}})


@pytest.mark.parametrize(
    ("rule", "kind", "sku", "fields"),
    [
        (links, "accelerators", "h100-sxm", {"scale_up_gbytes_per_s": 900}),
        (links, "accelerators", "mi300x", {"scale_up_links": 8}),
        (links, "accelerators", "b200", {"scale_up": "none"}),
        (throughput, "accelerators", "h100-sxm", {"bf16_dense_tflops": 1979}),
        (throughput, "accelerators", "h100-sxm", {"throughput": []}),
        (throughput, "accelerators", "h100-sxm", {"unpublished_rates": {}}),
        (sisters, "accelerators", "h200-sxm", {"bf16_dense_tflops": 990}),
        (power, "servers", "dgx-b200", {"peak_watts": 16501}),
        (power, "servers", "dgx-b200", {"typical_watts": 14301}),
        (servers, "servers", "dgx-b200", {"accelerator": "b2000"}),
        (servers, "servers", "dgx-b200", {"accelerator": "tpu-v7"}),
        (servers, "servers", "dgx-b200", {"peak_watts": 7999}),
        (servers, "servers", "dgx-b200", {"ports": []}),
        (instances, "instances", "p5.48xlarge", {"accelerator": "h100"}),
        (instances, "instances", "ct5p-hightpu-4t", {"topologies": ["1x2x1"]}),
    ],
)
def test_each_rule_can_fail(rule: Callable[[Catalog], Iterator[str]], kind: str, sku: str, fields: dict[str, Any]):
    if fields == {"throughput": []}:  # the same rate twice
        rate = catalog.load().accelerators[sku].throughput[0]
        fields = {"throughput": [rate, rate]}
    assert [
        finding for finding in rule(changed(catalog.load(), kind, sku, **fields)) if finding.startswith((sku, "bf16"))
    ]


@pytest.mark.parametrize("sku", sorted(catalog.load().accelerators))
def test_conflicts_name_fields_that_exist(sku):
    part = catalog.load().accelerators[sku]
    for conflict in part.conflicts:
        value: Any = part.model_dump()
        for step in conflict.field.split("."):
            value = value[int(step)] if isinstance(value, list) else value[step]
        assert value


def test_the_machines_that_sites_are_built_from_are_there():
    parts = catalog.load()
    counts = {sku: (server.rack_units, server.accelerators) for sku, server in parts.servers.items()}
    assert (counts["dgx-h200"], counts["dgx-b300"], counts["gb200-nvl72"]) == ((8, 8), (10, 8), (1, 4))
    assert parts.servers["dgx-b300"].ports[0].gbps == 800
    assert {server.psus.count for server in parts.servers.values() if server.sku.endswith("nvl72")} == {0}
    vendors = {part.vendor for part in parts.accelerators.values()}
    assert vendors >= {
        "nvidia",
        "amd",
        "intel",
        "huawei",
        "biren",
        "moore-threads",
        "cambricon",
        "hygon",
        "metax",
        "google",
    }
    assert all(isinstance(part, (Server, Switch)) for part in [*parts.servers.values(), *parts.switches.values()])


def test_a_rack_of_eighteen_trays_draws_what_it_is_designed_for():
    """GB200 NVL72: 120 to 135 kW; GB300 NVL72: up to 142 kW, nine switch trays and management included."""
    parts = catalog.load()
    trays = 9 * parts.switches["nvlink5-switch-tray"].peak_watts
    shelf = parts.power_shelves[parts.racks["rack-nvl72"].power_shelf]
    for sku, low, high in (("gb200-nvl72", 120_000, 135_000), ("gb300-nvl72", 132_000, 142_000)):
        server = parts.servers[sku]
        assert server.typical_watts < server.peak_watts
        assert low <= 18 * server.peak_watts + trays <= high
        assert 18 * server.peak_watts + trays <= 8 * shelf.psus * shelf.watts_each
    half = 8 * shelf.psus * shelf.watts_each * shelf.needed_share
    assert 18 * parts.servers["gb200-nvl72"].peak_watts + trays <= half, "one of two feeds carries it"
