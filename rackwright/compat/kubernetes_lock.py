"""The release of each component of the Kubernetes platform, from ``data/kubernetes_lock.yaml``: chart, digest, API
versions.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Self

from pydantic import Field, model_validator

from rackwright.compat.rule import read
from rackwright.model.base import Name, Record

UNPROVEN = "unproven"


class ChartModule(Record):
    """The Go module that contains a chart or manifests; tests take them from it, because their repository is out of
    reach.
    """

    path: str
    release: str
    digest: Annotated[str, Field(pattern=r"^h1:[A-Za-z0-9+/]{43}=$")]
    folder: str
    """Folder in the module."""


class Unfit(Record):
    """Releases of another component with which a component does not work."""

    before: str
    """The first release without this restriction."""
    why: str
    source: str


class LockedComponent(Record):
    """A pinned component."""

    name: Name
    title: str
    version: str
    """Release, without a v."""
    chart: str
    """Chart and its version, or the location of the manifests."""
    repository: str
    digest: Annotated[str, Field(pattern=r"^(sha256:[0-9a-f]{64}|h1:[A-Za-z0-9+/]{43}=|unproven)$")]
    """Digest of the chart, or of the Go module that carries its CRDs; unproven if no public source that could be read
    names one.
    """
    namespace: str = ""
    """Namespace in which its documentation installs the chart; empty if unknown."""
    rendered: bool = False
    """Whether tests send its chart, as helm renders it, or its manifests to an API server: they are in a Go module."""
    unrendered: str = ""
    """Why they do not: only the entry of such a component is proven."""
    module: ChartModule | None = None
    """Module of a rendered chart, or of manifests, if no test program is built from that module."""
    parts: dict[str, ChartModule] = {}
    """Further charts that the chart expects in its folder, by name."""
    kubernetes_from: str = ""
    """Least minor version of Kubernetes by the chart or the documentation; empty if none is published."""
    not_beside: dict[Name, Unfit] = {}
    """Components that would queue its jobs, but cannot -> the reason."""
    serves: dict[str, str] = {}
    """Kind of object -> apiVersion."""
    ready: str
    """When it is ready."""
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
        """The command that installs the chart, with a file of `values`; empty for manifests.

        `release` and `namespace` override the usual ones.
        """
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
    """A component that has no pinned release yet."""

    name: Name
    title: str
    why: str


class KubernetesLock(Record):
    """The content of ``data/kubernetes_lock.yaml``."""

    components: list[LockedComponent]
    unpinned: list[UnpinnedComponent]

    def by_name(self) -> Mapping[str, LockedComponent]:
        """The components by name."""
        return {component.name: component for component in self.components}

    def serving(self, api: str, kind: str) -> LockedComponent | None:
        """The component that provides a kind, by the group of its API; None if there is none."""
        group = api.partition("/")[0]
        return next((c for c in self.components if c.serves.get(kind, "").partition("/")[0] == group), None)


@cache
def load() -> KubernetesLock:
    """The content of ``data/kubernetes_lock.yaml``."""
    return KubernetesLock.model_validate(read("kubernetes_lock"))
