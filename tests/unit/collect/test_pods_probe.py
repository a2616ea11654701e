"""The probe by pods: a stand-in for kubectl runs it here; on a cluster it is run by ``tests/twin/test_kubernetes.py``."""

import asyncio
import json
import os
import stat
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from rackwright.collect import collector, probe_build
from rackwright.collect.gather import now_utc, record_run
from rackwright.collect.launchers import manifest, pod_status, pods, probe_manifest
from rackwright.collect.launchers.launcher import Launch
from rackwright.collect.output import Ask, Output
from rackwright.collect.store.recording import Store
from rackwright.collect.transports import fleet
from rackwright.collect.transports.connection_limits import Patience
from tests.patience import PATIENCE
from tests.unit.collect.conftest import access_for

NAME = Ask("name", 10, ("sh", "-c", "echo hello; echo $LC_ALL >&2"))
LONG = Ask("long", 10, ("sh", "-c", "head -c 100000 /dev/urandom | base64 -w 0"))
READY = {"conditions": [{"type": "Ready", "status": "True"}]}
SCHEMA = "1.34"


@pytest.fixture(scope="module")
def zipapp(tmp_path_factory):
    return probe_build.build_probe(tmp_path_factory.mktemp("probe")).read_bytes()


class Cluster:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.way = pods.Cluster("busybox:1.37", "run-1", "acceptance")

    def fate(self, **fate) -> None:
        names = [name for name in fate if name.startswith("gpu")]
        nodes = [{"metadata": {"name": name.replace("_", "-")}, "status": READY} for name in names]
        fates = {name.replace("_", "-"): how for name, how in fate.items()}
        (self.folder / "fate.json").write_text(json.dumps({"nodes": nodes, **fates}))

    def ask(self, zipapp, *hosts, **patience):
        async def all_of_them():
            source = self.way.ask(hosts, access_for(self.folder), zipapp, replace(Patience(), **patience))
            return [arrival async for arrival in source]

        return asyncio.run(all_of_them())

    @property
    def calls(self) -> list[list[str]]:
        return [json.loads(line) for line in (self.folder / "calls").read_text().splitlines()]

    @property
    def remaining(self) -> list[str]:
        return [path.name for path in self.folder.glob("*-rackwright-*.json")]


@pytest.fixture
def cluster(tmp_path, monkeypatch):
    program = tmp_path / "bin" / "kubectl"
    program.parent.mkdir()
    source = Path(__file__).with_name("kubectl_stand_in.py").read_text()
    program.write_text(f"#!{sys.executable} -IS\n{source}")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("KUBECTL_STATE", str(tmp_path))
    monkeypatch.setattr(pods, "LOOK_SECONDS", 0.1)
    monkeypatch.setattr(pods, "PULL_SECONDS", PATIENCE)
    return Cluster(tmp_path)


@pytest.fixture
def nobody_waits(cluster, monkeypatch):
    """A pod that did not start before it was looked at for the first time is given up."""
    monkeypatch.setattr(pods, "START_SECONDS", 0.0)
    monkeypatch.setattr(pods, "PULL_SECONDS", 0.0)


def host(name, *asks, **settings):
    return fleet.FleetHost(name, "10.0.0.1", asks or (NAME,), **settings)


def errors(arrivals):
    return {
        arrival.host.node: {output.collector: output.error for output in arrival.outputs}
        for arrival in arrivals
        if arrival.through
    }


def test_every_node_answers_and_nothing_is_left(cluster, zipapp):
    cluster.fate(gpu_001="Succeeded", gpu_002="Succeeded")
    arrivals = cluster.ask(zipapp, host("gpu-001", NAME, LONG), host("gpu-002"))
    assert errors(arrivals) == {"gpu-001": {"name": "", "long": ""}, "gpu-002": {"name": ""}}
    [output] = next(arrival for arrival in arrivals if arrival.host.node == "gpu-002").outputs
    assert (output.stdout, output.stderr, output.rc) == (b"hello\n", b"C\n", 0)
    label = f"--selector=rackwright.io/probe={probe_manifest.label('run-1')}"
    assert cluster.calls[-1] == ["delete", "jobs,configmaps", label, "--ignore-not-found", "--wait=false"]
    assert cluster.remaining == []


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("unschedulable", "takes no pod: Unschedulable: 0/3 nodes are available: 1 too small."),
        ("no image", "takes no pod: ImagePullBackOff: Back-off pulling image"),
        ("no pod", "takes no pod: its Job made no pod"),
        ("pending", "its container was not created, and nobody says why"),
        ("Failed", "the probe on gpu-001 ended early (Error, exit status 127; sh: python3: not found)"),
        ("deleted", "was deleted by somebody, or evicted"),
    ],
)
def test_a_node_that_takes_no_pod_says_why_and_costs_itself_alone(cluster, zipapp, how, words, request):
    if how not in ("Failed", "deleted"):
        request.getfixturevalue("nobody_waits")
    cluster.fate(gpu_001=how, gpu_002="Succeeded")
    arrivals = cluster.ask(zipapp, host("gpu-001"), host("gpu-002"))
    reasons = errors(arrivals)
    assert reasons["gpu-002"] == {"name": ""}
    assert words in reasons["gpu-001"]["name"]
    # Which is first depends on the load of the machine; both answer.
    assert sorted({arrival.host.node for arrival in arrivals}) == ["gpu-001", "gpu-002"]
    assert cluster.remaining == []


@pytest.mark.usefixtures("nobody_waits")
def test_the_events_of_a_job_without_a_pod_are_told(cluster, zipapp):
    cluster.fate(gpu_001="no pod", events=True)
    assert "(Error creating: violates PodSecurity)" in errors(cluster.ask(zipapp, host("gpu-001")))["gpu-001"]["name"]


def test_a_node_that_the_cluster_does_not_have_or_that_is_not_ready_is_not_waited_for(cluster, zipapp):
    cluster.fate()
    assert "does not know gpu-009: join it" in errors(cluster.ask(zipapp, host("gpu-009")))["gpu-009"]["name"]
    assert not any(call[0] == "create" for call in cluster.calls)
    silent = {"type": "Ready", "status": "Unknown", "reason": "NodeStatusUnknown", "message": "Kubelet stopped posting"}
    reason = pod_status.not_ready({"status": {"conditions": [silent]}}, "gpu-001")
    assert reason.startswith("gpu-001 is not ready in Kubernetes (NodeStatusUnknown: Kubelet stopped posting)")
    cordoned = {"spec": {"unschedulable": True, "taints": [{"key": "a", "effect": "NoExecute"}]}, "status": READY}
    assert pod_status.not_ready(cordoned, "gpu-001") == ""


@pytest.mark.parametrize(("kind", "dead"), [("Job", ""), ("ConfigMap", ""), ("", "get")])
def test_a_cluster_that_refuses_is_one_sentence_per_node(cluster, zipapp, kind, dead):
    cluster.fate(gpu_001="Succeeded", create=kind, dead=dead)
    reason = errors(cluster.ask(zipapp, host("gpu-001")))["gpu-001"]["name"]
    assert f"{kind.lower()}s is forbidden" in reason if kind else "connection refused" in reason


def test_without_a_kubectl_every_node_has_one_sentence(cluster, zipapp, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    reason = errors(cluster.ask(zipapp, host("gpu-001")))["gpu-001"]["name"]
    assert reason == "Kubernetes does not answer: there is no kubectl on this machine"


@pytest.mark.usefixtures("nobody_waits")
def test_no_more_nodes_at_once_than_asked_for(cluster, zipapp):
    cluster.fate(gpu_001="Succeeded", gpu_002="Succeeded", gpu_003="unschedulable")
    arrivals = cluster.ask(zipapp, host("gpu-003"), host("gpu-001"), host("gpu-002"), at_once=1)
    assert [arrival.host.node for arrival in arrivals] == ["gpu-003", "gpu-001", "gpu-002"]
    assert [call[:2] for call in cluster.calls if call[0] == "create"] == [["create", "--filename=-"]] * 6


def test_answers_of_a_load_come_while_it_runs(cluster, zipapp):
    cluster.fate(gpu_001="Running")
    arrivals = cluster.ask(zipapp, host("gpu-001", NAME, replace(NAME, collector="other"), cooldown=0.0))
    assert [(arrival.through, [output.collector for output in arrival.outputs]) for arrival in arrivals] == [
        (False, ["name"]), (False, ["other"]), (True, []),
    ]  # fmt: skip
    assert any(call[0] == "logs" and "--follow" in call for call in cluster.calls)


def test_whoever_goes_away_early_leaves_nothing(cluster, zipapp):
    cluster.fate(gpu_001="Succeeded", gpu_002="unschedulable")

    async def first():
        source = cluster.way.ask([host("gpu-001"), host("gpu-002")], access_for(cluster.folder), zipapp)
        arrival = await anext(source)
        await source.aclose()
        return arrival.host.node

    assert asyncio.run(first()) == "gpu-001"
    assert cluster.remaining == []


def test_an_interrupted_run_waits_for_what_is_put_away(tmp_path):
    begun, away = threading.Event(), []

    async def source():
        try:
            yield "host", "gpu-001", [Output("gpu-001", "name", "")], True
            begun.set()
            await asyncio.sleep(PATIENCE)
        finally:
            await asyncio.sleep(0)
            away.append("cleared")

    def event(name, _data) -> None:
        if name == "host":
            begun.wait(PATIENCE)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        record_run(Store(tmp_path), {"owed": {}}, [source()], event, now_utc, collector.library(), 1)
    assert away == ["cleared"]


def test_the_objects_are_those_of_the_published_schema():
    import kubernetes_validate  # its grammars take 1.4 s of processor time in every worker

    launch = Launch("all_reduce a+b", ("a", "b"), ("tool",), 600, 8)
    documents = [
        probe_manifest.config_map("run-1", 1, "acceptance", b"probe"),
        probe_manifest.job("run-1", 1, "gpu-001", "{}", 90.4, "busybox", "acceptance"),
        manifest.job_manifest(launch, "run-1", "busybox", "acceptance", "nvidia.com/gpu"),
    ]
    for document in documents:
        kubernetes_validate.validate(document, SCHEMA, strict=True)
    wrong = json.loads(json.dumps(documents[1]).replace('"privileged"', '"privilegd"'))
    with pytest.raises(kubernetes_validate.ValidationError, match="privilegd"):
        kubernetes_validate.validate(wrong, SCHEMA, strict=True)


def test_a_pod_of_the_probe_holds_nothing_knows_nothing_and_ends():
    document = probe_manifest.job("run-1", 1, "gpu-001", "{}", 90.4, "busybox", "acceptance")
    spec, pod = document["spec"], document["spec"]["template"]["spec"]
    assert (spec["activeDeadlineSeconds"], spec["backoffLimit"]) == (90, 0)
    assert spec["ttlSecondsAfterFinished"] > 0
    assert pod["automountServiceAccountToken"] is False
    assert "resources" not in pod["containers"][0]
    assert "env" not in pod["containers"][0]
    assert pod["tolerations"] == [{"operator": "Exists"}]
    names = {probe_manifest.name("run-1", f"node gpu-{number:03d}") for number in range(500)}
    assert len(names) == 500
    assert max(map(len, names)) < 64
