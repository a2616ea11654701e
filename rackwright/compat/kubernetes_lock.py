"""The release of each component of the Kubernetes platform, read from ``data/kubernetes_lock.yaml``: chart, digest, API versions."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Self

from pydantic import Field, model_validator

from rackwright.compat.rule import read
from rackwright.model.base import Name, Record

UNPROVEN = "unproven"


class ChartModule(Record):
    """The Go module that a chart or manifests lie in: what tests take them from, as their repository is out of reach."""

    path: str
    release: str
    digest: Annotated[str, Field(pattern=r"^h1:[A-Za-z0-9+/]{43}=$")]
    folder: str
    """In the module."""


class Unfit(Record):
    """Releases of another component that a component does not work beside."""

    before: str
    """The first release that this does not hold for."""
    why: str
    source: str


class LockedComponent(Record):
    """A component, pinned."""

    name: Name
    title: str
    version: str
    """Release, without a v."""
    chart: str
    """Chart and its version, or where the manifests lie."""
    repository: str
    digest: Annotated[str, Field(pattern=r"^(sha256:[0-9a-f]{64}|h1:[A-Za-z0-9+/]{43}=|unproven)$")]
    """Of the chart, or of the Go module that carries its CRDs; unproven where no public source that could be read names one."""
    namespace: str = ""
    """Where its documentation installs the chart; empty where that was not read."""
    rendered: bool = False
    """Whether its chart, as helm renders it, or its manifests are sent to an API server in the tests: they are in a Go module."""
    unrendered: str = ""
    """Why they are not: of such a component nothing but its entry is proven."""
    module: ChartModule | None = None
    """Of a rendered chart, or of manifests, whose module no program of the tests is built from."""
    parts: dict[str, ChartModule] = {}
    """Charts that its own one wants in its folder, by name."""
    kubernetes_from: str = ""
    """Least minor version of Kubernetes, as the chart or the documentation has it; empty where none is published."""
    not_beside: dict[Name, Unfit] = {}
    """Components that queue its jobs, and cannot."""
    serves: dict[str, str] = {}
    """Kind of object -> apiVersion."""
    ready: str
    """When it works."""
    source: str
    date: str

    @model_validator(mode="after")
    def _rendered_or_not(self) -> Self:
        if self.rendered == bool(self.unrendered):
            raise ValueError(f"{self.name}: give rendered: true, or unrendered: why its chart is not")
        return self

    @property
    def proven(self) -> bool:
        """Whether a public source names the digest."""
        return self.digest != UNPROVEN

    def install_command(self, values: str = "", release: str = "", namespace: str = "") -> str:
        """How the chart is installed, with a file of `values`; empty for manifests. `release`, `namespace`: others than its usual ones."""
        chart, _, version = self.chart.rpartition(" ")
        if " " in chart or not version.removeprefix("v")[:1].isdecimal():
            return ""
        oci = self.repository.startswith("oci://")
        source = f"{self.repository}/{chart}" if oci else f"{chart} --repo {self.repository}"
        usual = f" --namespace {self.namespace} --create-namespace" if self.namespace else ""
        where = f" --namespace {namespace}" if namespace else usual
        return f"helm install {release or self.name} {source} --version {version}{where}" + (
            f" --values {values}" if values else ""
        )


class UnpinnedComponent(Record):
    """A component that has no release here yet."""

    name: Name
    title: str
    why: str


class KubernetesLock(Record):
    """Everything of ``data/kubernetes_lock.yaml``."""

    components: list[LockedComponent]
    unpinned: list[UnpinnedComponent]

    def by_name(self) -> Mapping[str, LockedComponent]:
        """The components."""
        return {component.name: component for component in self.components}

    def serving(self, api: str, kind: str) -> LockedComponent | None:
        """The component that brings a kind, by the group of its API."""
        group = api.partition("/")[0]
        return next((c for c in self.components if c.serves.get(kind, "").partition("/")[0] == group), None)


@cache
def load() -> KubernetesLock:
    """``data/kubernetes_lock.yaml`` as its record."""
    return KubernetesLock.model_validate(read("kubernetes_lock"))
