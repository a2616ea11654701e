"""Parts of several devices: what a node counts is what its driver shows."""

from rackwright import catalog, design, spec
from rackwright.design import sizing
from rackwright.onboard import role_refusals


def test_devices_share_what_a_part_has_once():
    part = catalog.load().accelerators["ascend-910c"]
    die = part.per_device()
    assert (part.devices, part.memory_gib, die.memory_gib) == (2, 128, 64)
    assert (die.bf16_dense_tflops, die.memory_gbytes_per_s, die.tdp_watts) == (400, 1600, 350)
    assert (die.scale_up_links, die.scale_up_gbytes_per_s, die.scale_up_gbytes_per_s_per_link) == (7, 196, 28)
    single = catalog.load().accelerators["h100-sxm"]
    assert single.per_device() is single


def test_a_node_counts_devices_and_a_site_counts_parts(tmp_path):
    """Atlas 900 A3, eight modules of two dies: npu-smi, hccn_tool, HCCL and schedulers count 16; `check` refused it for that."""
    request = sizing.SizeRequest(64, "atlas-900-a3", "roce-rail-200", scheduler="slurm")
    (tmp_path / "site.yaml").write_text(sizing.site_text(sizing.size_site(request, catalog.load())))
    loaded = spec.load(tmp_path / "site.yaml")
    expanded = design.expand(loaded.site, loaded.catalog)
    node = expanded.nodes("accelerator")[0]
    assert (node.accelerators, node.server.accelerators, expanded.totals["accelerators"]) == (16, 8, 64)
    assert role_refusals.problems(expanded) == []
