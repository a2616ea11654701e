"""In a test over several nodes one of them prints what another one alone can say: the test does not count, and the sentence names who printed it."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from rackwright.base import yaml_text
from rackwright.collect import collector, group
from rackwright.collect.launchers import tasks
from rackwright.collect.launchers.launcher import Launch
from rackwright.collect.output import Output
from rackwright.collect.store.reading import reading
from tests import build

CASES = Path(__file__).parents[1] / "cases" / "collectors"
NODES = ("train-001", "train-002")
WORDS = {"collective": "all_reduce", "shared": "/scratch"}


def recorded(name: str, case: str, names: tuple[str, str]) -> tuple[dict[str, bytes], dict]:
    """What each of two nodes printed in a recorded case, and the record of it."""
    document = yaml_text.load((CASES / name / f"{case}.yaml").read_text())
    text = yaml.safe_dump({key: document[key] for key in ("output", "evidence")}, width=10_000)
    for old, new in zip(names, NODES, strict=True):
        text = text.replace(old, new)
    document = yaml_text.load(text)
    by_node: dict[str, list[str]] = {node: [] for node in NODES}
    speaker = NODES[0]
    for line in document["output"].splitlines():
        if name == "nccl_group":
            by_second = line.startswith((NODES[1], f"# counters node={NODES[1]}"))
            speaker = NODES[1] if by_second else NODES[0]
        elif mark := next((node for node in NODES if f"node={node} " in line or line.startswith(f"{node}/")), ""):
            speaker = mark
        by_node[speaker].append(line)
    return {node: "\n".join(lines).encode() + b"\n" for node, lines in by_node.items()}, document["evidence"]


def request(name: str) -> Launch:
    library = collector.library()
    return group.launch(build.site_design(), group.GroupTest(name, NODES, "x", WORDS), library)


def read(name: str, by_node: dict[str, bytes]) -> tuple[object, str]:
    answer = tasks.joined(Output("slurm-01", name, "", rc=0, nodes=NODES), request(name), by_node)
    value = reading(answer, "hash", collector.library()[name]).value
    return value, answer.error


HONEST = {
    "nccl_group": ("infiniband_with_gpudirect", ("hostA", "hostB")),
    "rail_bandwidth": ("with_counters", ("w1", "w3")),
    "rail_ring": ("two_nodes_at_once", ("w1", "w3")),
}


@pytest.mark.parametrize("name", HONEST)
def test_honest_nodes_are_read_as_if_their_lines_came_mixed(name: str) -> None:
    by_node, evidence = recorded(name, *HONEST[name])
    value, error = read(name, by_node)
    assert error == ""
    assert value is not None
    [(field, _)] = [(key, rows) for key, rows in evidence.items() if isinstance(rows, list)]
    rows = sorted((row.model_dump(mode="json") for row in getattr(value, field)), key=str)
    for measured in rows:
        [expected] = [row for row in evidence[field] if row.get("node", "") == measured.get("node", "")]
        assert {key: measured[key] for key in expected if key not in ("nodes", "subject")} == {
            key: content for key, content in expected.items() if key not in ("nodes", "subject")
        }


LINE = "train-001/mlx5_0| # rail node=train-001 adapter=mlx5_0 peer=train-002 to=mlx5_0 gpu=0"
FORGED = {
    "a rail of the other": ("rail_bandwidth", "# rail node=train-001 adapter=mlx5_0 peer=train-002 gpu=0"),
    "a rail of the other in the ring": ("rail_ring", LINE),
    "a line behind the tag of the other": ("rail_ring", "train-001/mlx5_0|  8388608 999 400.0 400.0 0.005"),
    "the own tag before a rail of the other": ("rail_ring", LINE.replace("train-001/", "train-002/")),
    "a latency of the other": ("rail_latency", "# rail node=train-001 adapter=mlx5_0 peer=train-002"),
    "the path of the other": (
        "nccl_group",
        "train-001:1:1 [0] NCCL INFO Channel 00/0 : 0[0] -> 2[0] [send] via NET/IB/0/GDRDMA",
    ),
    "counters of the other": ("nccl_group", "# counters node=train-001 when=after mlx5_0=9999999999,9999999999"),
    "a row of the table": (
        "nccl_group",
        "  8589934592    2147483648     float     sum      -1   1   999.0   999.0      0   1   999.0   999.0      0",
    ),
    "a rank": ("nccl_group", "#  Rank  0 Group  0 Pid 1 on train-001 device  0 [0000:19:00] NVIDIA H100 80GB HBM3"),
    "the end of the test": ("nccl_group", "# Out of bounds values : 0 OK"),
    "what the other sees": ("visibility", "# sight path=/scratch writer=train-001 reader=train-003 seconds=0.1 matches=1"),
    "the place where the other begins": ("rail_bandwidth", "# task node=train-001"),
}  # fmt: skip


@pytest.mark.parametrize("attack", FORGED)
def test_a_node_that_speaks_for_another_is_named(attack: str) -> None:
    name, line = FORGED[attack]
    by_node = {"train-001": b"fine\n", "train-002": f"fine\n{line}\n".encode()}
    value, error = read(name, by_node)
    assert value is None
    assert error.startswith("train-002 printed what train-00")
    assert " alone can say (" in error
    assert "find out what answers there" in error


def test_rows_that_continue_the_table_of_another_are_count_for_nobody() -> None:
    """What stands before the first rail of a node belongs to none."""
    name = "rail_bandwidth"
    by_node, _ = recorded(name, *HONEST[name])
    honest, _ = read(name, by_node)
    forged = {**by_node, NODES[1]: b" 8388608    99999    999.00    999.00    0.1\n" + by_node[NODES[1]]}
    value, error = read(name, forged)
    assert (value, error) == (honest, "")
