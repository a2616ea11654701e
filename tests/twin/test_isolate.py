"""A slow rail of one of four nodes and a lossy cable above their leaf, found by tests that Slurm starts: from ``isolate --run`` to the gate's memory."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

from rackwright.collect import Store
from rackwright.flow import sealed_history
from rackwright.twin import faults
from rackwright.twin.hardware import state
from tests import build
from tests.matrix.rows import tree_digest
from tests.patience import until
from tests.rotation import of_this_run
from tests.shell import Shell

ROOT = Path(__file__).parents[2]
pytestmark = [pytest.mark.twin, pytest.mark.slurm]
NODES = [f"train-{number:03d}" for number in range(1, 5)]
FAULTS = ("rail-slow", "leaf-cable-lossy")
SLOW = [link.port for link in build.site_design().links("train-001") if link.fabric == "compute"][4]
"""The fault slows the fifth rail of the first node."""


def verb(shell: Shell, work: Path, name: str, *words: str) -> tuple[int, dict]:
    command = [sys.executable, "-m", "rackwright", name, str(build.EXAMPLE), "--work", str(work), "--format", "json"]
    code, output = shell.run(f"{shlex.join([*command, *words])} 2>{work}/errors")
    assert "{" in output, output + (work / "errors").read_text()
    return code, json.loads(output[output.index("{") :])


@pytest.fixture(scope="module")
def pod(open_twin, tmp_path_factory):
    """Four nodes in service of Slurm, one of them with a slow rail, below a leaf with a cable that loses packets."""
    work = tmp_path_factory.mktemp("isolate")
    shell = open_twin("--nodes", "4", *(word for name in FAULTS for word in ("--fault", name)), work=work)
    code, recap = verb(
        shell, work, "onboard", "--nodes", ",".join(["slurm-01", *NODES]), "--reboot", "--drain-hook", "true"
    )
    assert code == 0, recap
    shell.say(f"ssh slurm-01 scontrol update nodename={','.join(NODES)} state=resume")
    states = f"ssh slurm-01 sinfo --noheader --Node --nodes {','.join(NODES)} --format %T"
    until(lambda: set(shell.say(states).split()) == {"idle"}, lambda: shell.say(states))
    return shell, work


def test_slurm_starts_the_tests_and_exactly_what_is_bad_is_named(pod):
    """The cable shows in tests from rail to rail alone, and adaptive routing makes it one of those of its leaf."""
    shell, work = pod
    code, output = verb(shell, work, "isolate", "--run", "--nodes", ",".join(NODES))
    assert code == 1
    assert output["not_run"] == []
    rail, cable = output["found"]
    assert (rail["kind"], rail["name"], rail["node"]) == ("rail", f"train-001/{SLOW}", "train-001")
    built = faults.apply_faults(state.build(build.site_design(), NODES), faults.assign_nodes(FAULTS, NODES))
    (lossy,) = built.lossy
    assert (cable["kind"], cable["node"]) == ("cable", None)
    assert lossy.cable in cable["one_of"]
    assert {name.rpartition(":")[0] for name in cable["one_of"]} == {lossy.a.device}
    assert sorted(output["cleared"]) == NODES[1:]
    assert output["coverage"]["complete"]
    store = Store(work / "evidence")
    [result] = sealed_history.read_history(store, store.runs()).isolations
    assert result.faulty == ["train-001"]
    assert [finding.names for finding in result.found] == [[f"train-001/{SLOW}"], cable["one_of"]]
    assert result.uncovered == []


# Three runs of a minute: one tree of three plays them, at a moment that is another with each (`make kills`: many).
if of_this_run((True, False, False), 1) != [False]:

    def test_a_run_that_is_killed_loses_nothing(pod):
        """The next run comes to what one without a kill does, and needs no hand."""
        shell, _ = pod
        seed = str(int(tree_digest(), 16) % 1_000_000)
        words = ["--verbs", "isolate --run", "--kills", "1", "--seed", seed, "--in-service"]
        output = shell.say(f"cd {ROOT} && {shlex.join([sys.executable, '-m', 'tests.kills', *words])}")
        [(_, played)] = json.loads(output[output.index("\n{\n") :]).items()
        assert (played["kills"], played["problems"]) == (1, {})


def test_mpirun_starts_them_where_no_scheduler_does(pod):
    """Nodes trust each other, as for any mpirun; one round is enough to see that both kinds of test run."""
    shell, work = pod
    first, second = NODES[1:3]
    stand_in = Path(__file__).with_name("mpirun_stand_in.py")
    shell.say(f"ssh {first} 'cat > /usr/local/bin/mpirun && chmod 755 /usr/local/bin/mpirun' < {stand_in}")
    shell.say(f"ssh {first} \"ssh-keygen -q -t ed25519 -N '' -f /root/.ssh/id_ed25519\"")
    for node in (first, second):
        shell.say(f"ssh {first} cat /root/.ssh/id_ed25519.pub | ssh {node} 'cat >> /root/.ssh/authorized_keys'")
    calls = work / "told.jsonl"
    words = ["--via", "mpi", "--unscheduled", "--minutes", "4", "--out", str(calls)]
    _, output = verb(shell, work, "isolate", "--run", "--nodes", f"{first},{second}", *words)
    assert (output["tests"], output["rounds"], output["not_run"]) == (1, 1, [])
    (line,) = map(json.loads, calls.read_text().splitlines())
    assert line["share"] > 0.95
    assert sorted(line["rail_shares"]) == [str(slot) for slot in range(8)]
