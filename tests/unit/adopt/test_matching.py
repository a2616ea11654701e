"""Servers and accelerators of the catalog are recognised by what their nodes answer."""

from dataclasses import replace

import pytest

from rackwright import catalog
from rackwright.adopt.hardware import Hardware, RdmaAdapter
from rackwright.adopt.matching import match_accelerator, match_server
from rackwright.model.survey import Identity
from tests.matrix import rows
from tests.rotation import of_this_run
from tests.unit.adopt import answers as nodes

SERVERS = rows.servers()
BARE = Hardware("", "", "nvidia", "NVIDIA H100 80GB HBM3", 8, 8, (), 80, 700, 4, 2, 56, "", 2015, (), {})
KINDS = ("ConnectX-7", "ConnectX-6")


@pytest.mark.parametrize("sku", of_this_run(SERVERS, 7))
def test_every_server_is_recognised_by_its_nodes(sku):
    plan = nodes.sized_design(sku)
    grouping = nodes.grouped(nodes.node_readings(plan))
    (pool,) = grouping.pools
    assert (pool.server, pool.accelerator, pool.name) == (
        sku,
        plan.site.pools[0].server and catalog.load().servers[sku].accelerator,
        "train",
    )
    assert (pool.scheduler, pool.new_parts, pool.differences, grouping.left_out) == ("slurm", (), (), {})


@pytest.mark.parametrize(
    ("vendor", "printed", "sku"),
    [
        ("nvidia", "NVIDIA H100 80GB HBM3", "h100-sxm"),
        ("nvidia", "NVIDIA H200", "h200-sxm"),
        ("nvidia", "NVIDIA A10", "a10"),
        ("nvidia", "NVIDIA A100 80GB PCIe", None),
        ("huawei", "910B3", "ascend-910b"),
        ("amd", "AMD Instinct MI300X", "mi300x"),
        ("amd", "NVIDIA H200", None),
        ("nvidia", "NVIDIA H20", "h20-sxm"),
        ("nvidia", "NVIDIA H2", None),
        ("nvidia", "", None),
    ],
)
def test_accelerators_are_recognised_by_what_the_tool_prints(vendor, printed, sku):
    assert match_accelerator(replace(BARE, vendor=vendor, accelerator=printed), catalog.load()) == sku


@pytest.mark.parametrize(("memory", "sku"), [(21, "ascend-310p"), (43, "ascend-310p-duo")])
def test_cards_of_one_chip_are_told_apart_by_their_memory(memory, sku):
    hardware = replace(BARE, vendor="huawei", accelerator="310P3", memory_gib_each=memory)
    assert match_accelerator(hardware, catalog.load()) == sku


@pytest.mark.parametrize(
    ("product", "accelerator", "sku"),
    [
        ("DGXH100", "h100-sxm", "dgx-h100"),
        ("DGXA100 920-23687-2530-000", "a100-sxm-80", "dgx-a100"),
        ("AS -8125GS-TNMR2", "mi300x", "mi300x-8u"),
        ("SYS-821GE-TNHR", "h100-sxm", None),
        ("DGXH100", "h200-sxm", None),
    ],
)
def test_servers_are_recognised_by_the_name_of_their_firmware(product, accelerator, sku):
    match = match_server(replace(BARE, product=product), accelerator, catalog.load(), KINDS)
    assert (match.server.sku if match else None) == sku


def test_without_a_name_two_servers_with_the_same_parts_are_not_guessed_between():
    assert match_server(BARE, "h100-sxm", catalog.load(), KINDS) is None


def test_a_known_server_with_other_memory_processors_or_ports_deviates():
    adapters = tuple(RdmaAdapter(f"mlx5_{at}", "ConnectX-7", True, 400, "") for at in range(8))
    match = match_server(
        replace(BARE, product="DGXH100", memory_gib=1007, adapters=adapters), "h100-sxm", catalog.load(), KINDS
    )
    assert match is not None
    assert len(match.deviations) == 2
    assert "1007 GiB of memory, the catalog says 2048 GiB" in match.deviations[0]
    assert match.deviations[1].startswith("no port mlx5_9, mlx5_10, mlx5_11")


def test_fewer_accelerators_are_no_other_server():
    match = match_server(replace(BARE, product="DGXH100", accelerators=7, on_bus=7), "h100-sxm", catalog.load(), KINDS)
    assert match is not None
    assert match.deviations == ()


def test_an_identity_is_read_as_grep_prints_it():
    from rackwright.collect import survey

    text = "/sys/class/dmi/id/sys_vendor:Supermicro\n/sys/class/dmi/id/product_name:SYS-821GE-TNHR\n/sys/class/dmi/id/board_name:To be filled by O.E.M.\n"
    assert survey.read_identity(text) == Identity(manufacturer="Supermicro", product="SYS-821GE-TNHR", board="")
    assert survey.read_identity("") == Identity(manufacturer="", product="", board="")
