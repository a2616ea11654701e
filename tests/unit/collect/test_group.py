import asyncio
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from rackwright import design, spec
from rackwright.collect import GroupTest, Store, group, load, load_merged, open_rounds, verify
from rackwright.collect import collector as collectors
from rackwright.collect.collector import Collector
from rackwright.collect.launchers import mpi, slurm
from rackwright.collect.launchers.launcher import Launch
from rackwright.collect.launchers.remote import RemoteHost
from rackwright.collect.output import Output
from rackwright.collect.probe.answer import BOOT
from rackwright.model.base import Record
from tests.build import site_design
from tests.patience import until
from tests.unit.collect.conftest import serve
from tests.unit.gate.test_real_slurm import slurm as real_slurm  # noqa: F401 - a fixture

NOW = datetime(2026, 11, 21, 8, 0, tzinfo=UTC)


class Rate(Record):
    subject: str = ""
    gbps: float


class Rates(Record):
    tool: str
    rates: list[Rate]


PAIR = Collector(
    produces=Rates,
    parse=lambda text: Rates(tool="pair 1", rates=[Rate(gbps=float(text))]),
    seconds=60,
    roles=("accelerator",),
    command=("pair", "--gpus", "{accelerators}", "for r in {rails}; do echo ${r%%=*}; done", "{shared}"),
    scope="group",
    load=True,
)


@pytest.fixture
def pair(monkeypatch):
    library = {**collectors.library(), "pair": PAIR}
    monkeypatch.setattr(collectors, "library", lambda *_roots: library)


class Fake:
    """Answers with the number of the first node; the second node of the site is dead."""

    def __init__(self):
        self.now, self.most, self.launched = 0, 0, []

    async def launch(self, request):
        self.launched.append(request)
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(0.01)
        self.now -= 1
        error = "slurm-01: the node does not answer" if "train-002" in request.nodes else ""
        return Output(
            "slurm-01", "", "", b"" if error else request.nodes[0][-1:].encode(), rc=None if error else 0, error=error
        )


def group_of(*nodes):
    return GroupTest("pair", nodes, "pair " + "+".join(nodes), {"shared": "/mnt"})


NODES = [f"train-00{number}" for number in range(1, 9)]


def test_a_round_is_stored_raw_and_read_for_each_node(tmp_path, pair):
    store, launcher, through = Store(tmp_path / "evidence"), Fake(), []
    with open_rounds(
        site_design(), NODES, ["pair"], launcher, store, at_once=2, on_event=through.append, now=lambda: NOW
    ) as tests:
        first = tests.round([group_of(*NODES[number : number + 2]) for number in (0, 2, 4, 6)])
        second = tests.round([group_of("train-001", "train-003")])
    assert [bool(read.error) for _, read in first] == [True, False, False, False]
    assert second[0][1].value.rates == [Rate(subject="pair train-001+train-003", gbps=1)]
    assert launcher.most == 2
    assert len(through) == 5
    assert verify(store) == []
    evidence = load(store, store.latest("group"))
    assert evidence == load_merged(store)
    assert [rate.gbps for rate in evidence["train-003"].get(Rates).rates] == [3, 1]
    assert evidence["train-003"].get(Rates).tool == "pair 1"
    assert [rate.gbps for rate in evidence["train-001"].get(Rates).rates] == [1]
    assert "pair train-001+train-002: slurm-01: the node does not answer" in evidence["train-001"].errors["pair"]
    assert evidence["train-002"].get(Rates) is None


def test_braces_are_filled_from_the_design_and_the_shell_keeps_its_own(pair):
    launch = group.launch(site_design(), group_of("train-001"), collectors.library())
    assert launch.command[2] == "8"
    assert launch.command[3].startswith("for r in mlx5_0=0 mlx5_3=1 ")
    assert launch.command[3].endswith("mlx5_11=7; do echo ${r%%=*}; done")
    assert launch.command[4] == "/mnt"
    with pytest.raises(ValueError, match="pair needs a word for shared"):
        group.launch(site_design(), GroupTest("pair", ("train-001",), "x"), collectors.library())


def test_where_nothing_else_is_said_every_rail_sends_to_the_same_rail_of_the_next_node():
    three = ("train-001", "train-004", "train-002")
    launch = group.launch(site_design(), GroupTest("rail_ring", three, "x"), collectors.library())
    flows = launch.command[2].partition("for flow in ")[2].partition(";")[0].split()
    assert len(flows) == 3 * 8
    assert flows[0] == "train-001/mlx5_0/0/train-004/mlx5_0/0"
    assert flows[-1] == "train-002/mlx5_11/7/train-001/mlx5_11/7"


def test_tests_of_a_round_share_no_node(tmp_path, pair):
    with (
        open_rounds(site_design(), NODES, ["pair"], Fake(), Store(tmp_path / "e")) as tests,
        pytest.raises(ValueError, match="train-002 would take part in two tests at once"),
    ):
        tests.round([group_of("train-001", "train-002"), group_of("train-002", "train-003")])


def test_a_run_that_is_cut_off_leaves_what_was_measured(tmp_path, pair):
    store = Store(tmp_path / "evidence")
    with pytest.raises(KeyboardInterrupt), open_rounds(site_design(), NODES, ["pair"], Fake(), store) as tests:  # noqa: PT012
        tests.round([group_of("train-003", "train-004")])
        raise KeyboardInterrupt
    evidence = load_merged(store)
    assert evidence["train-003"].get(Rates) is not None
    assert "took part in no test" in evidence["train-001"].errors["pair"]


def test_mpirun_starts_one_task_on_each_node():
    argv = mpi.mpirun(Launch("x", ("train-001", "train-002"), ("tool", "a b"), 60, 8))
    assert argv[: argv.index("sh")] == [
        "mpirun", "--allow-run-as-root", "--tag-output", "--host", "train-001:1,train-002:1", "-np", "2", "--map-by", "ppr:1:node", "--bind-to",
        "none",
    ]  # fmt: skip
    assert argv[-3:] == ["train-001,train-002", "tool", "a b"]


@pytest.mark.parametrize("space", [b"", b" "])
def test_pieces_of_mpirun_are_put_together_by_rank(space):
    """As Open MPI 4.1 prints them, torn in the middle of a line; version 5 has a space behind each tag."""
    tag = [b"[1,%d]<stdout>:%s" % (rank, space) for rank in range(11)]
    pieces = (
        b"warning\n"
        + tag[10]
        + b"last\n"
        + tag[0]
        + b"one\n"
        + tag[0]
        + b"tw"
        + tag[1]
        + b"three\n"
        + tag[0]
        + b"o [2,x]\n"
    )
    assert mpi.split_by_rank(pieces) == (b"warning\n", {0: b"one\ntwo [2,x]\n", 1: b"three\n", 10: b"last\n"})
    assert mpi.split_by_rank(b"no tag\n") == (b"no tag\n", {})
    assert mpi.split_by_rank(b"") == (b"", {})


@pytest.fixture(scope="module")
def controller(real_slurm, tmp_path_factory):  # noqa: F811
    real_slurm(["scontrol", "update", "NodeName=train-001,train-002", "State=RESUME"])
    configuration = real_slurm(["sh", "-c", "echo $SLURM_CONF"])[1].strip()
    extra = f"SetEnv SLURM_CONF={configuration} PATH={os.environ['PATH']}:/usr/sbin\n"
    with serve(tmp_path_factory.mktemp("controller"), extra) as running:
        yield running


def started(controller, *nodes, command, seconds=30):
    host = RemoteHost("slurm-01", "127.0.0.1", controller.access, controller.port)
    return asyncio.run(slurm.SlurmLauncher(host, "train").launch(Launch("x", nodes, command, seconds, 2)))


@pytest.mark.slurm
@pytest.mark.skipif(os.geteuid() != 0, reason="slurmd needs root")
def test_a_real_slurm_runs_one_task_on_each_node_with_its_accelerators(controller):
    script = "echo $SLURM_PROCID of $SLURM_NTASKS on $SLURMD_NODENAME; scontrol show hostnames $SLURM_JOB_NODELIST"
    output = started(controller, "train-001", "train-002", command=("sh", "-c", script))
    assert (output.rc, output.error) == (0, ""), output
    lines = [
        line
        for number, node in enumerate(("train-001", "train-002"))
        for line in (f"# task node={node}", f"{number} of 2 on {node}", "train-001", "train-002")
    ]
    assert output.stdout.decode().split("\n") == [*lines, ""]
    assert output.boots == (Path(BOOT).read_text().strip(),) * 2


@pytest.mark.slurm
@pytest.mark.skipif(os.geteuid() != 0, reason="slurmd needs root")
def test_a_node_that_slurm_does_not_give_fails_its_test_alone(controller, real_slurm, monkeypatch):  # noqa: F811
    real_slurm(["scontrol", "update", "NodeName=train-002", "State=DRAIN", "Reason=fan"])
    try:
        with monkeypatch.context() as impatient:
            impatient.setattr(slurm, "START_SECONDS", 1.0)
            output = started(controller, "train-001", "train-002", command=("true",))
        alone = started(controller, "train-001", command=("echo", "good"))
    finally:
        real_slurm(["scontrol", "update", "NodeName=train-002", "State=RESUME"])
    assert output.rc == 1
    assert b"srun" in output.stderr
    assert alone.stdout == b"good\n"


@pytest.mark.slurm
@pytest.mark.skipif(os.geteuid() != 0, reason="slurmd needs root")
def test_a_line_that_a_real_srun_tears_is_whole_again_and_errors_name_their_node(controller, tmp_path):
    # srun ends the other tasks when one fails: each ignores that until it has printed all, and fails no sooner than both are so far
    script = (
        f'trap "" TERM; cd {tmp_path}; touch $SLURM_PROCID; until [ -e 0 ] && [ -e 1 ]; do sleep 0.1; done; '
        'for n in 1023 1024 1025 2048 5000; do printf "%0${n}d\\n" $SLURM_PROCID; done; printf end; echo broken >&2; exit 3'
    )
    output = started(controller, "train-001", "train-002", command=("sh", "-c", script))
    assert output.rc == 3
    printed = "".join(f"{0:0{count}d}\n" for count in (1023, 1024, 1025, 2048, 5000)) + "end\n"
    assert output.stdout.decode().startswith(f"# task node=train-001\n{printed}# task node=train-002\n")
    lines = output.stderr.decode().splitlines()
    assert {"train-001: broken", "train-002: broken"} <= set(lines)
    assert all(line.startswith(("train-00", "srun: error: ")) for line in lines if line), lines


@pytest.mark.parametrize("cut", [False, True])
def test_what_is_started_ends_at_its_limit_and_when_nobody_holds_it(sshd, tmp_path, monkeypatch, cut):
    monkeypatch.setattr("rackwright.collect.launchers.remote.START_SECONDS", 0.0)
    mark = tmp_path / "pid"
    host = RemoteHost("train-001", "127.0.0.1", sshd.access, sshd.port)
    launch = Launch("x", ("train-001",), (), 3600 if cut else 1, 8)
    argv = ["sh", "-c", f"echo $$ > {mark}; echo early; sleep 3600"]

    async def run():
        task = asyncio.create_task(host.run(launch, argv, "tool"))
        if not cut:
            return await task
        await _until(lambda: mark.exists() and mark.read_text())
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return None

    output = asyncio.run(run())
    if not cut:
        assert (output.error, output.stdout) == ("tool did not end within 1 s", b"early\n")
    asyncio.run(_until(lambda: _ended(Path("/proc", mark.read_text().strip(), "status"))))


def _ended(status):
    try:
        return "State:\tZ" in status.read_text()
    except (FileNotFoundError, ProcessLookupError):  # the latter when it ends between open and read
        return True


async def _until(ready):
    await asyncio.to_thread(until, ready)


def test_a_host_that_is_dead_is_a_sentence(sshd):
    host = RemoteHost("slurm-01", "127.0.0.1", sshd.access, 1)
    output = asyncio.run(host.run(Launch("x", ("train-001",), (), 5, 8), ["true"], "srun"))
    assert output.error.startswith("slurm-01: 127.0.0.1 port 1 cannot be reached")


def test_perftest_takes_the_memory_of_the_vendors_own_accelerators():
    loaded = spec.load(Path(__file__).parents[2] / "roles" / "sites" / "vendors.yaml")
    vendors = design.expand(loaded.site, loaded.catalog)
    assert group.command_words(vendors, "amd-001")["memory"] == '--use_rocm="$g"'
    assert group.command_words(site_design(), "train-001")["memory"] == '--use_cuda="$g" --use_cuda_dmabuf'
