from collections import defaultdict
from pathlib import Path

import pytest

from rackwright.twin import faults

pytestmark = [pytest.mark.twin, pytest.mark.fabric, pytest.mark.slurm, pytest.mark.engine]
GOLDEN = Path(__file__).parent.parent / "golden" / "fault_matrix.txt"
HEALTHY = 1
HEAD = """\
# What every fault of the twin turns red: the fault, the outcome, the check. Checks that pass are left out.
# At the end the checks that no fault turns to fail or degraded; cases beside the check are what shows that they can fail.
"""


@pytest.fixture(scope="module")
def done(example_site, tmp_path_factory):
    from tests.rehearsal.conftest import Rehearsal

    names = list(faults.of_acceptance())
    nodes = sum(fault.nodes for fault in faults.of_acceptance().values()) + HEALTHY
    words = [word for name in names for word in ("--fault", name)]
    return Rehearsal(example_site, tmp_path_factory.mktemp("matrix")).run("--nodes", str(nodes), *words)


def test_every_fault_is_found_and_nothing_else(done):
    assert done.code == 0, done.out + done.err
    assert "exactly the 18 affected nodes were refused, and the other one ran a job" in done.out
    assert "Traceback" not in done.out + done.err


def test_the_matrix_of_faults_and_checks(done, golden):
    bad = defaultdict(list)
    checks = set()
    for node in done.report["nodes"]:
        for verdict in node["verdicts"]:
            checks.add(verdict["check"])
            if verdict["outcome"] != "pass":
                bad[node["node"]].append(f"{verdict['outcome']:<13} {verdict['check']}")
    lines, red = [], set()
    start = iter(node["node"] for node in done.report["nodes"] if node["role"] == "accelerator")
    for fault in faults.of_acceptance().values():
        hit = [bad.pop(next(start), []) for _ in range(fault.nodes)]
        assert all(sorted(one) == sorted(hit[0]) for one in hit), f"{fault.name} hits its nodes differently"
        lines += [f"{fault.name:<24} {one}" for one in sorted(hit[0])]
        red |= {one.split()[1] for one in hit[0] if one.startswith(("fail", "degraded"))}
    healthy = [one for node in bad if node.startswith("train") for one in bad[node]]
    assert healthy == []
    lines += [f"{'no fault':<24} {'':<13} {check}" for check in sorted(checks - red)]
    golden(GOLDEN, HEAD + "\n".join(line.rstrip() for line in lines) + "\n")


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("bmc-password-refused", "refused the account (HTTP 401)"),
        ("ssh-hangs", "accepted the connection and then said nothing: its sshd hangs, restart it"),
    ],
)
def test_a_node_that_cannot_be_asked_is_refused_with_the_cause(done, fault, words):
    sentence = next(one.fault.summary for one in _injected() if one.fault.name == fault)
    hit = next(one.nodes[0] for one in _injected() if one.fault.name == fault)
    assert f"injected  {sentence} ({hit})." in done.out
    [node] = [one for one in done.report["nodes"] if one["node"] == hit]
    assert words in node["reason"]
    assert any(line.strip().startswith(f"{hit}: ") and words[:40] in line for line in done.err.splitlines())


def _injected():
    count = sum(fault.nodes for fault in faults.of_acceptance().values())
    return faults.choose(list(faults.of_acceptance()), [f"train-{number:03d}" for number in range(1, count + 1)])


def test_remarks_fit_a_terminal(done):
    remarks = [line for line in done.err.splitlines() if line.startswith("    ")]
    assert len(remarks) > 18
    assert max(map(len, remarks)) <= 120
