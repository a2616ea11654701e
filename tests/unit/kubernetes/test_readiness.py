from __future__ import annotations

from typing import Any

import pytest

from rackwright.kubernetes.readiness import NeverReadyError, unready


def entry(kind: str, *, annotations: dict[str, str] | None = None, spec: Any = None, **status: Any) -> dict[str, Any]:
    metadata = {"name": "x", "generation": 2, "annotations": annotations or {}}
    return {"kind": kind, "metadata": metadata, "spec": spec or {}, "status": status}


def condition(kind: str, status: str = "True", message: str = "") -> list[dict[str, str]]:
    return [{"type": kind, "status": status, "message": message}]


ROLLED_OUT = {"observedGeneration": 2, "updatedReplicas": 3, "readyReplicas": 3}


@pytest.mark.parametrize(
    ("observed", "expected"),
    [
        (entry("Deployment", spec={"replicas": 3}, **ROLLED_OUT), ""),
        (entry("Deployment", spec={"replicas": 3}, **{**ROLLED_OUT, "observedGeneration": 1}), "controller has not looked"),
        (entry("StatefulSet", spec={"replicas": 3}, **{**ROLLED_OUT, "updatedReplicas": 1}), "1 of 3 replicas"),
        (entry("DaemonSet", observedGeneration=2, desiredNumberScheduled=8, updatedNumberScheduled=8, numberReady=7), "7 of 8 pods"),
        (entry("Job", conditions=condition("Complete")), ""),
        (entry("Job"), "Complete is not set yet"),
        (entry("Pod", phase="Running", conditions=condition("Ready", "False", "no image")), "Ready is False: no image"),
        (entry("Namespace", phase="Terminating"), "it is Terminating"),
        (entry("CustomResourceDefinition", conditions=condition("Established")), ""),
        (entry("APIService", conditions=condition("Available", "False", "no endpoints")), "Available is False: no endpoints"),
        (entry("PersistentVolumeClaim", phase="Pending"), "it is Pending"),
        (entry("Service", spec={"type": "ClusterIP"}), ""),
        (entry("Service", spec={"type": "LoadBalancer"}), "no address"),
        (entry("ConfigMap"), ""),
        (entry("ClusterQueue", annotations={"pulumi.com/waitFor": "condition=Active"}, conditions=condition("Active")), ""),
        (entry("ClusterQueue", annotations={"pulumi.com/waitFor": "condition=Active=False"}, conditions=condition("Active")), "Active is True"),
        (entry("Deployment", annotations={"pulumi.com/skipAwait": "true"}), ""),
    ],
)  # fmt: skip
def test_an_object_is_ready_or_says_why_not(observed: dict[str, Any], expected: str) -> None:
    reason = unready(observed)
    assert expected in reason
    assert bool(reason) is bool(expected)


@pytest.mark.parametrize(
    "observed",
    [
        entry("Job", conditions=condition("Failed", message="BackoffLimitExceeded")),
        entry("Pod", phase="Failed"),
        entry("CustomResourceDefinition", conditions=condition("NamesAccepted", "False", "queues is in use")),
    ],
)
def test_what_failed_for_good_is_not_waited_for(observed: dict[str, Any]) -> None:
    with pytest.raises(NeverReadyError):
        unready(observed)
