"""A control plane of three servers goes up by one minor release, server by server: ``make upgrade`` (its log: build/upgrade/log.txt)."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

from rackwright.twin.kubernetes.programs import RELEASE
from tests.conftest import ROOT
from tests.patience import until
from tests.upgrade import releases
from tests.upgrade.cluster import Cluster, running
from tests.upgrade.server import Server

SECRET = ("secret", "kept", "--namespace=default")
NAMESPACE = ("get", "namespace", "kube-system", "--output=jsonpath={.metadata.uid}")


class Log:
    """Lines with seconds, on the screen and in a file."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file, self._start = path.open("w", encoding="utf-8"), time.monotonic()

    def __call__(self, text: str) -> None:
        line = f"{time.monotonic() - self._start:6.0f} s  {text}"
        print(line, flush=True)
        print(line, file=self._file, flush=True)


class Client:
    """Somebody who reads one object twice a second through the shared address, whatever happens to the servers."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster, self._end = cluster, threading.Event()
        self.answers: Counter[bool] = Counter()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        reader = self._cluster.servers[-1]
        while not self._end.wait(0.5):
            done = reader.call(*reader.kubectl, "--request-timeout=5s", "get", *SECRET, "--output=name")
            self.answers[done.returncode == 0] += 1

    def stop(self) -> None:
        """Read no more."""
        self._end.set()
        self._thread.join()


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--log", type=Path, default=ROOT / "build" / "upgrade" / "log.txt")
    log = Log(path := parser.parse_args().log)
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        folder = Path(name)
        programs, before = releases.gather(folder / "programs")
        log(f"from {before} to {RELEASE}; what stands in for container runtime and kubelet: tests/upgrade/__init__.py")
        with running(folder, programs) as cluster:
            try:
                prove(cluster, before, RELEASE.removeprefix("v"), log)
            except BaseException:
                keep(folder, cluster, path.parent)
                raise
    spent = os.times()
    log(f"proven; {spent.children_user + spent.children_system:.0f} processor seconds")
    return 0


def prove(cluster: Cluster, before: str, after: str, log: Log) -> None:
    """Found with one release, go to the other, and look at what is left."""
    found_cluster(cluster, before, log)
    cluster.kubectl("create", "secret", "generic", *SECRET[1:], "--from-literal=word=plain-as-day")
    identity, client = cluster.kubectl(*NAMESPACE), Client(cluster)
    refuse_while_one_is_away(cluster, after, log)
    for at, server in enumerate(cluster.servers):
        server.take(after, **cluster.options())
        assert upgraded(server, after)["changed"]
        log(f"{server.name} is at {server.release()}, etcd {server.etcd_release()}")
        assert [peer.release() for peer in cluster.servers] == [after] * (at + 1) + [before] * (2 - at)
    assert not any(upgraded(server, after)["changed"] for server in cluster.servers)
    for server in cluster.servers:
        server.take_kubelet(after)
    until(lambda: cluster.kubelets() == {after})
    log(f"once more changes nothing; all kubelets report {after}")
    client.stop()
    log(f"a client read {client.answers[True]} times meanwhile, and got no answer {client.answers[False]} times")
    assert identity == cluster.kubectl(*NAMESPACE)
    assert cluster.kubectl("get", *SECRET, "--output=jsonpath={.data.word}") == "cGxhaW4tYXMtZGF5"
    look_at_pods(cluster, after, log)


def found_cluster(cluster: Cluster, release: str, log: Log) -> None:
    """The control plane of a release, act by act as the tasks of the role go."""
    founder, *others = cluster.servers
    for server in cluster.servers:
        server.take(release, **cluster.options())
        server.take_kubelet(release)
    founder.act("found", version=release)
    log(f"{founder.name} has founded a cluster with {release}")
    handed = founder.act("let-in")
    keys = {name: handed[name] for name in ("token", "ca_sha256", "certificate_key", "encryption")}
    for server in others:
        more = {"endpoint": cluster.endpoint, "name": server.name, "address": server.address}
        server.act("join", version=release, founder=founder.name, **more, **keys)
        log(f"{server.name} has joined")
    founder.act("shut", token=keys["token"])
    until(lambda: cluster.ready() == 3)
    log("three servers are ready")


def refuse_while_one_is_away(cluster: Cluster, after: str, log: Log) -> None:
    """No server is touched while another one is not ready."""
    first, away = cluster.servers[0], cluster.servers[2]
    away.run("touch", "/run/kubelet-is-away")
    until(lambda: cluster.ready() == 2)
    first.take(after, **cluster.options())
    answer = upgraded(first, after, may_fail=True)
    assert f"{away.name} of the control plane is not ready" in answer.get("msg", ""), answer
    log(f"refused: {answer['msg']}")
    away.run("rm", "/run/kubelet-is-away")
    until(lambda: cluster.ready() == 3)


def upgraded(server: Server, after: str, *, may_fail: bool = False) -> dict[str, Any]:
    """What the act of the role returned for one server."""
    requested = {"version": after, "endpoint": server.endpoint, "address": server.address}
    return server.act("upgrade", may_fail=may_fail, first=server.name.endswith("1"), **requested)


def look_at_pods(cluster: Cluster, after: str, log: Log) -> None:
    """Every component of every server runs in the new release."""
    rows = "{range .items[*]}{.metadata.name} {.spec.containers[0].image} {.status.phase}{'\\n'}{end}"
    words = ("get", "pods", "--namespace=kube-system", "--selector=tier=control-plane", f"--output=jsonpath={rows}")
    pods = sorted(cluster.kubectl(*words).splitlines())
    for line in pods:
        log(line)
    assert sum(line.endswith(f":v{after} Running") for line in pods) == 9, pods


def keep(folder: Path, cluster: Cluster, target: Path) -> None:
    """Logs of everything, for whoever looks why it failed."""
    for path in folder.glob("*/*.log"):
        (target / f"{path.parent.name}-{path.name}").write_bytes(path.read_bytes())
    for server in cluster.servers:
        for name in ("etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler"):
            text = server.call("tail", "-n200", f"/var/log/{name}.log").stdout
            (target / f"{server.name}-{name}.log").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
