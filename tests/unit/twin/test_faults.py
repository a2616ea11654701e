import pytest

from rackwright import gate
from rackwright.base import errors
from rackwright.twin import faults
from rackwright.twin.hardware import state
from tests.build import site_design

NODES = [f"train-{number:03d}" for number in range(1, 9)]


@pytest.fixture(scope="module")
def healthy() -> state.State:
    return state.build(site_design(), [*NODES, "slurm-01", "ufm-01"])


def test_the_default_faults_hit_three_different_nodes() -> None:
    expected = faults.expected_checks(faults.assign_nodes(faults.DEFAULT, NODES))
    assert {node: sorted(checks) for node, checks in expected.items()} == {
        "train-001": ["gpu.row_remap"],
        "train-002": ["fabric.cabling"],
        "train-003": ["fabric.cabling"],
    }


@pytest.mark.parametrize(
    "name", sorted(name for name, fault in faults.load_faults().items() if "roce" not in fault.needs.split())
)
def test_a_fault_changes_its_nodes_and_nothing_else(name: str, healthy: state.State) -> None:
    injected = faults.assign_nodes([name], NODES)
    broken = faults.apply_faults(healthy, injected)
    changed = {node for node in healthy.machines if healthy.machines[node] != broken.machines[node]}
    before, after = set(healthy.cables), set(broken.cables)
    changed |= {cable.a.device for cable in before ^ after}
    hit = set(injected[0].nodes)
    assert not changed & set(NODES) - hit if injected[0].fault.elsewhere else changed == hit
    assert len(broken.cables) == len(healthy.cables)


def test_swapped_cables_keep_their_rails(healthy: state.State) -> None:
    broken = faults.apply_faults(healthy, faults.assign_nodes(["fabric-cables-swapped"], NODES))
    ends = {(cable.a.device, cable.a.port): cable.b for cable in healthy.cables}
    now = {(cable.a.device, cable.a.port): cable.b for cable in broken.cables}
    compute = [nic.name for nic in healthy.machines["train-001"].nics if nic.role == "compute"]
    storage = [nic.name for nic in healthy.machines["train-001"].nics if nic.role == "storage"]
    assert compute
    for port in compute:
        assert now["train-001", port] == ends["train-002", port]
        assert now["train-002", port] == ends["train-001", port]
    assert storage
    assert all(now["train-001", port] == ends["train-001", port] for port in storage)


def test_joined_faults_share_the_first_of_their_nodes() -> None:
    injected = faults.assign_nodes(["drive-worn+fabric-cables-swapped", "psu-failed"], NODES[:3])
    assert {injection.fault.name: injection.nodes for injection in injected} == {
        "drive-worn": ("train-001",),
        "fabric-cables-swapped": ("train-001", "train-002"),
        "psu-failed": ("train-003",),
    }
    assert faults.expected_checks(injected)["train-001"] == {"drives.wear", "fabric.cabling"}
    with pytest.raises(errors.UsageError, match="need 3 accelerator nodes and the twin has 2"):
        faults.assign_nodes(["drive-worn+fabric-cables-swapped", "psu-failed"], NODES[:2])


def test_an_unknown_fault_suggests_the_nearest() -> None:
    with pytest.raises(errors.UsageError, match="did you mean `gpu-missing`"):
        faults.assign_nodes(["gpu-mising"], NODES)


def test_too_few_nodes_for_the_faults() -> None:
    with pytest.raises(errors.UsageError, match="need 3 accelerator nodes and the twin has 2"):
        faults.assign_nodes(faults.DEFAULT, NODES[:2])


def test_every_expected_check_exists() -> None:
    import fnmatch

    from rackwright.base import content

    base = content.folder("validators", "checks")
    ids = [".".join(path.relative_to(base).with_suffix("").parts) for path in base.rglob("*.py")]
    for fault in faults.load_faults().values():
        for pattern in fault.checks:
            assert fnmatch.filter(ids, pattern), f"{fault.name} expects {pattern}"


@pytest.mark.parametrize("name", sorted(name for name, fault in faults.acceptance_faults().items() if fault.refused))
def test_a_fault_that_refuses_a_node_is_not_left_to_advice(name: str) -> None:
    advisory = set(next(iter(gate.load_gates().values())).advisory)
    assert not faults.load_faults()[name].checks & advisory
