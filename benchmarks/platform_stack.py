"""Renders the platform of a large site, applies it twice to a real API server by the real engine, and prints seconds as JSON.

python -m benchmarks.platform_stack benchmarks/sites/2048-nodes.yaml
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from pathlib import Path

import yaml

from rackwright import design, spec
from rackwright.base.workspace import Workspace
from rackwright.flow import schedulers
from rackwright.platform.acceptance_guard import TAINT
from rackwright.platform.stack_plan import StackPlan, plan
from rackwright.provision.platform_up import apply_platform
from tests.conftest import KUBERNETES
from tests.kubernetes.control_plane import ControlPlane, running

TENANTS = {
    "tenants": [
        {"name": "research", "quota": [{"accelerator": "mi300x", "accelerators": 8192, "borrow": 4096}]},
        {"name": "product", "quota": [{"accelerator": "mi300x", "accelerators": 8192, "borrow": 4096}]},
    ],
    "classes": [
        {"name": "pretrain", "kind": "training", "priority": 500, "minimum": 512, "maximum": 4096, "domain": "fabric"},
        {"name": "batch", "kind": "batch-inference", "priority": 100, "preemptible": True, "maximum": 8},
    ],
}
PENDING = {"key": TAINT, "value": "pending", "effect": "NoSchedule"}


def labelled(plane: ControlPlane, stack_plan: StackPlan) -> int:
    """Nodes that carry every label of the plan, read back from the API server."""
    listed = json.loads(plane.do("get", "nodes", "--output=json"))["items"]
    labels = {entry["metadata"]["name"]: entry["metadata"]["labels"].items() for entry in listed}
    return sum(entry["metadata"]["labels"].items() <= labels[entry["metadata"]["name"]] for entry in stack_plan.nodes())


def main() -> None:
    """Share the site, render, start an API server, register the nodes, apply twice."""
    os.environ["PATH"] = f"{KUBERNETES / 'bin'}:{os.environ['PATH']}"
    with tempfile.TemporaryDirectory() as scratch, running(Path(scratch)) as plane:
        plane.define(KUBERNETES / "crds" / "kueue")
        data = yaml.safe_load(Path(sys.argv[1]).read_text(encoding="utf-8")) | TENANTS
        data["control"]["kubernetes"] |= {
            "version": "1.34.2",
            "network": {"plugin": "cilium", "version": "1.18.2", "pods": "10.240.0.0/13", "services": "10.96.0.0/16"},
            "addons": {"kueue": {"version": "0.14.0"}},
        }
        site = Path(scratch) / "site.yaml"
        site.write_text(yaml.safe_dump(data, sort_keys=False), encoding="utf-8")
        loaded = spec.load(site)
        planned = design.expand(loaded.site, loaded.catalog)
        started = time.monotonic()
        stack_plan = plan(planned, schedulers.kubernetes_resources(planned))
        figures: dict[str, object] = {"nodes": len(stack_plan.nodes()), "objects": len(stack_plan.objects())}
        figures["render"] = round(time.monotonic() - started, 2)
        names = [entry["metadata"]["name"] for entry in stack_plan.nodes()]
        nodes = [
            {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, "spec": {"taints": [PENDING]}}
            for name in names
        ]
        plane.do("create", "--filename=-", feed=json.dumps({"apiVersion": "v1", "kind": "List", "items": nodes}))
        kubeconfig = Path(scratch) / "kubeconfig"
        kubeconfig.write_text(plane.kubeconfig(), encoding="utf-8")
        os.environ["KUBECONFIG"] = str(kubeconfig)
        for step in ("apply", "again"):
            result = apply_platform(
                planned, stack_plan, Workspace(Path(scratch) / "work"), site_path=site, verb="up",
                on_event=lambda _kind, _data: None,
            )  # fmt: skip
            assert result.good, result.diagnostics or [entry for entry in result.objects.values() if entry.error][:3]
            figures[step] = round(result.seconds, 2)
        figures["labelled"] = labelled(plane, stack_plan)
        figures["changed_again"] = len(result.objects) - result.counts["same"]
        print(json.dumps(figures))


if __name__ == "__main__":
    main()
