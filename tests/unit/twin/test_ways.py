"""A cable that loses packets slows whatever may take it, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rackwright import catalog
from rackwright.design import sizing
from rackwright.twin import faults
from rackwright.twin.campaign.play import Stage, collect_evidence, judge_scene
from rackwright.twin.hardware import state
from rackwright.twin.hardware.performance import rails, together, ways
from rackwright.twin.hardware.state import CableEnd
from tests import build

NODES = ("train-001", "train-002", "train-003")
NAME = "leaf-cable-lossy"


@pytest.fixture(scope="module")
def lossy():
    return faults.apply_faults(state.build(build.site_design(), NODES), faults.assign_nodes([NAME], NODES))


def ends(*adapters):
    return [CableEnd(node, adapter) for node, adapter in zip(NODES, adapters, strict=False)]


@pytest.mark.parametrize(
    ("near", "far", "share"),
    [("mlx5_0", "mlx5_0", 1.0), ("mlx5_0", "mlx5_3", 0.6), ("mlx5_9", "mlx5_0", 0.6), ("mlx5_3", "mlx5_4", 1.0)],
)
def test_what_crosses_its_leaf_to_another_is_slow(lossy, near, far, share):
    assert ways.delivered_share(lossy, *ends(near, far)) == share


def test_one_that_is_not_plugged_slows_nothing(lossy):
    (cable,) = lossy.lossy
    out = replace(lossy, cables=tuple(replace(built, connected=built.cable != cable.cable) for built in lossy.cables))
    assert ways.delivered_share(out, *ends("mlx5_0", "mlx5_3")) == 1.0


def test_where_nothing_joins_two_leaves_any_more_nothing_is_left(lossy):
    (cable,) = lossy.lossy
    leaf = cable.a.device
    cut = [built.a.device == leaf and built.cable != cable.cable for built in lossy.cables]
    alone = replace(
        lossy, cables=tuple(replace(built, connected=not out) for built, out in zip(lossy.cables, cut, strict=True))
    )
    assert ways.delivered_share(alone, *ends("mlx5_0", "mlx5_3")) == 0.6
    none = replace(alone, cables=tuple(replace(built, connected=built.a.device != leaf) for built in alone.cables))
    trunk = next(built for built in none.cables if built.a.device in none.switches and built.connected)
    none = replace(
        none, cables=tuple(replace(built, delivered_share=0.5) if built is trunk else built for built in none.cables)
    )
    assert ways.delivered_share(none, *ends("mlx5_0", "mlx5_3")) == 0.0


def test_only_rails_that_cross_it_show_it(lossy):
    design = build.site_design()
    slow = {
        (flow.adapter, flow.peer_adapter)
        for flow in rails.ring(lossy, design, NODES[0]).flows
        if flow.gbits_per_s < 300
    }
    assert slow == {("mlx5_0", "mlx5_3"), ("mlx5_11", "mlx5_0")}
    assert min(rail.gbits_per_s for rail in rails.bandwidth(lossy, design, NODES[0]).rails) > 380
    assert together.site(lossy, design, NODES)["members"][NODES[0]]["slow_with"] == {}


def test_collectives_between_units_cross_it_on_their_own_rails():
    """Nodes of two units: the same rail of each hangs on another leaf."""
    ask = sizing.SizeRequest(
        accelerators=64 * 8, server="dgx-h100", fabric="ndr-rail", storage="better", scheduler="slurm", site="two",
        racks_per_row=None, hall_kw=20000, ufm=False,
    )  # fmt: skip
    design = sizing.size_site(ask, catalog.load()).design
    every = [node.name for node in design.nodes("accelerator")]
    names = [*every[:2], every[-1]]
    built = faults.apply_faults(state.build(design, names), faults.assign_nodes([NAME], names))
    apart = together.site(built, design, names)["members"][names[0]]["slow_with"]
    assert apart == {every[-1]: 0.6}


def test_no_check_of_a_node_sees_it():
    """Only tests from rail to rail find it, and no campaign plays it."""
    assert not faults.load_faults()[NAME].judged
    assert NAME not in faults.acceptance_faults("infiniband")
    stage = Stage(build.site_design(), NODES, "2026-11-22T00:00:00Z", passes=True)
    broken = faults.apply_faults(stage.healthy, faults.assign_nodes([NAME], NODES))
    assert judge_scene(stage, collect_evidence(stage, broken)) == judge_scene(
        stage, collect_evidence(stage, stage.healthy)
    )
