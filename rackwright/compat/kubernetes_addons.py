"""Components of the Kubernetes platform, read from ``data/kubernetes_addons.yaml``: releases, API versions, support."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated

from pydantic import Field

from rackwright.compat import kubernetes_lock
from rackwright.compat.rule import read
from rackwright.compat.version import compare
from rackwright.model.base import Name, Record


class Release(Record):
    """Releases of an add-on with the same API."""

    from_: Annotated[str, Field(alias="from")]
    before: str = ""
    kubernetes_from: str = ""
    """Least minor version of Kubernetes; empty if none is published."""
    apis: dict[str, str] = {}
    """Kind of object -> apiVersion that all of these releases serve."""
    source: str
    date: str

    def covers(self, version: str) -> bool:
        """Whether a release is among these."""
        return compare(version, self.from_) >= 0 and (not self.before or compare(version, self.before) < 0)


class AddOnEntry(Record):
    """A component that a site may declare."""

    name: Name
    title: str
    releases: Annotated[list[Release], Field(min_length=1)]

    def release(self, version: str) -> Release | None:
        """The row of a release; None for unknown releases."""
        return next((release for release in self.releases if release.covers(version)), None)


class KubernetesAddOns(Record):
    """The content of ``data/kubernetes_addons.yaml``."""

    addons: list[AddOnEntry]
    kubelet_minors_behind: int
    """Number of minor versions by which a kubelet may be older than the API server."""
    kubelet_source: str
    kubelet_date: str

    def by_name(self) -> Mapping[str, AddOnEntry]:
        """The add-ons by name."""
        return {addon.name: addon for addon in self.addons}

    def api(self, addon: str, kind: str, version: str = "") -> str:
        """The apiVersion of `kind` in release `version` of `addon`; in the newest releases if `version` is empty."""
        entry = self.by_name()[addon]
        release = entry.release(version) if version else entry.releases[-1]
        assert release is not None, "check refuses releases that are not in the table"
        return release.apis[kind]


@cache
def load() -> KubernetesAddOns:
    """The content of ``data/kubernetes_addons.yaml``, with components that are only pinned: their release, and newer
    ones.
    """
    table = KubernetesAddOns.model_validate(read("kubernetes_addons"))
    pinned = [_of_lock(entry) for entry in kubernetes_lock.load().components if entry.name not in table.by_name()]
    return table.model_copy(update={"addons": [*table.addons, *pinned]})


def _of_lock(entry: kubernetes_lock.LockedComponent) -> AddOnEntry:
    release = Release.model_validate(
        {"from": entry.version, **entry.model_dump(include={"kubernetes_from", "source", "date"}), "apis": entry.serves}
    )
    return AddOnEntry(name=entry.name, title=entry.title, releases=[release])
