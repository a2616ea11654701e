"""Values of the charts that run vLLM and distribute requests to it, one release for each class of online inference that
serves a model.

The release of vLLM is named after the class, that of its pool CLASS-pool; both are in the namespace of its tenant.
Requests with the same beginning reach the replica that has it in its KV cache: by the router of the serving stack, and
by the endpoint picker of the inference pool, which gateways use.

Source: vllm-project/production-stack, helm at vllm-stack-0.1.12; llm-d/llm-d-router, config/charts at v0.10.0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from rackwright.model.capacity import PoolPart, of_class, parts
from rackwright.model.design import Design
from rackwright.model.tenancy import JobClass, ServedModel
from rackwright.platform.chart_values import Values
from rackwright.platform.labels import own_keys

ENGINE = "vllm-stack"
"""The add-on that runs vLLM."""
PORT = 8000
"""Port of vLLM in its pods (helm/values.yaml, servingEngineSpec.containerPort)."""
ONE_BY_ONE = {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 0, "maxUnavailable": 1}}
"""By default the chart would start new replicas beside the old ones, which hold the accelerators that the new ones wait
for.
"""
EXPERTS = "--enable-expert-parallel"
"""vLLM, Expert Parallel Deployment: groups of experts of size TP x DP."""


@dataclass(frozen=True)
class ServedClass:
    """A class whose model is served, and its place."""

    job: JobClass
    serving: ServedModel
    places: tuple[PoolPart, ...]
    resource: str
    """Extended resource of its accelerators."""

    @property
    def tenant(self) -> str:
        """Namespace of the release."""
        return self.job.tenants[0]

    def release(self, addon: str) -> str:
        """Name of the release of a chart."""
        return self.job.name if addon == ENGINE else f"{self.job.name}-pool"

    @property
    def labels(self) -> dict[str, str]:
        """Labels that only the pods of its replicas have (helm/templates/deployment-vllm-multi.yaml)."""
        return {"model": self.job.name, "helm-release-name": self.release(ENGINE)}


def served_classes(design: Design, resources: Mapping[str, str]) -> list[ServedClass]:
    """The served classes in the order of the site; `resources`: extended resource by accelerator SKU."""
    every = parts(design.site, design.servers, design.accelerators, "kubernetes")
    placed = [(job, of_class(job, design.site, every)) for job in design.site.classes]
    return [
        ServedClass(job, job.serving, tuple(places), resources[places[0].accelerator])
        for job, places in placed
        if job.serving is not None and places
    ]


def releases(design: Design, resources: Mapping[str, str]) -> Iterator[tuple[str, ServedClass, Values]]:
    """Add-on, class and values of each release that serves a model."""
    control = design.site.control.kubernetes
    for name, values_of in BY_CHART.items():
        if control and control.addon_version(name):
            for served in served_classes(design, resources):
                yield name, served, values_of(design, served)


def _vllm_stack(design: Design, served: ServedClass) -> Values:
    """Values for vLLM. Labels name the release, because its router searches the whole namespace for engines by them
    (helm/templates/deployment-router.yaml).

    Accelerators are requested as the queues count them. CPUs, memory, the account of Hugging Face and storage for
    weights are left to the user.
    """
    control = design.site.control.kubernetes
    assert control is not None
    watched = bool(control.addon_version("kube-prometheus-stack"))
    engine: Values = {
        "labels": {"environment": design.site.site, "release": served.job.name},
        "runtimeClassName": "",
        "strategy": dict(ONE_BY_ONE),
        "serviceMonitor": {"enabled": watched},
        "modelSpec": [_model(served)],
    }
    router: Values = {
        "tag": f"v{control.addon_version(ENGINE)}",
        "routingLogic": "prefixaware",
        "serviceMonitor": {"enabled": watched},
    }
    return {"servingEngineSpec": engine, "routerSpec": router}


def _model(served: ServedClass) -> Values:
    serving, (shape, *_) = served.serving, served.job.shapes
    repository, _, tag = serving.image.rpartition(":")
    held = {served.resource: str(shape.accelerators)}
    terms = {"key": own_keys()["part"], "operator": "In", "values": [part.name for part in served.places]}
    degrees = ["--pipeline-parallel-size", str(shape.pipeline)] if shape.pipeline > 1 else []
    return {
        "name": served.job.name,
        "repository": repository,
        "tag": tag,
        "modelURL": serving.model,
        "replicaCount": serving.replicas,
        "priorityClassName": served.job.name,
        "resources": {"requests": held, "limits": dict(held)},
        "nodeSelectorTerms": [{"matchExpressions": [terms]}],
        "vllmConfig": {
            "enablePrefixCaching": True,
            "tensorParallelSize": shape.tensor,
            "extraArgs": [*degrees, *([EXPERTS] if shape.expert > 1 else [])],
        },
    }


def _llm_d_router(_design: Design, served: ServedClass) -> Values:
    """Values for the router.

    The chart creates the InferencePool, which is named after the release, and its endpoint picker.
    """
    return {
        "router": {"modelServers": {"type": "vllm", "matchLabels": served.labels, "targetPorts": [{"number": PORT}]}}
    }


BY_CHART: Mapping[str, Callable[[Design, ServedClass], Values]] = {
    ENGINE: _vllm_stack,
    "llm-d-router": _llm_d_router,
}
"""Add-on -> function for its values for a served class."""
