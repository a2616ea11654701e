"""The Kubernetes control plane: add-ons that are known and supported, and kubelets that its API server serves."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rackwright.base.errors import Problem
from rackwright.catalog import Catalog
from rackwright.compat import kubernetes_addons, kubernetes_lock
from rackwright.compat.kubernetes_addons import AddOnEntry
from rackwright.compat.version import compare
from rackwright.model.control import AddOn, Kubernetes
from rackwright.model.site import Site
from rackwright.spec.crosscheck.problem import problem, unknown_name

MINOR = re.compile(r"v?(\d+)\.(\d+)(\.|$)")


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:  # noqa: ARG001 - every check has the same shape
    """Add-ons, queues and kubelets; no problem without a control plane."""
    kubernetes = site.control.kubernetes
    if kubernetes is None:
        return
    table, unpinned = (
        kubernetes_addons.load().by_name(),
        {entry.name: entry.why for entry in kubernetes_lock.load().unpinned},
    )
    for name, addon in kubernetes.addons.items():
        path = f"control.kubernetes.addons.{name}"
        if name in unpinned and addon.enabled:
            message, step = (
                f"{name} cannot be pinned: {unpinned[name]}",
                "take it out, and install it without rackwright",
            )
            yield problem(path, "not_pinned", message, "a component with a release and a digest", name, step)
        elif name not in table and name not in unpinned:
            yield from unknown_name(path, "add-on", name, list(table))
        elif addon.enabled:
            yield from _addon(path, addon, table[name], kubernetes)
    if site.tenants or site.classes:
        yield from _queued(kubernetes)
    if kubernetes.version:
        yield from _kubelets(kubernetes.version, site)


def _addon(path: str, addon: AddOn, entry: AddOnEntry, kubernetes: Kubernetes) -> Iterator[Problem]:
    step = "name a release that is listed, or set enabled: false"
    if not addon.version:
        message, expected = f"nothing says which release of {entry.name} runs", "its version"
        yield problem(path, "no_version", message, expected, "no version", "give version, or set enabled: false")
        return
    release = entry.release(addon.version)
    if release is None:
        ranges = [f"{row.from_}{f' to before {row.before}' if row.before else ' or newer'}" for row in entry.releases]
        message, expected = f"rackwright knows no such release of {entry.name}", " or ".join(ranges)
        yield problem(f"{path}.version", "unknown_release", message, expected, addon.version, step)
    elif (
        release.kubernetes_from
        and MINOR.match(kubernetes.version)
        and compare(kubernetes.version, release.kubernetes_from) < 0
    ):
        message = f"{entry.name} {addon.version} does not run on this Kubernetes"
        expected = f"Kubernetes {release.kubernetes_from} or newer ({release.source})"
        yield problem(
            f"{path}.version",
            "unsupported",
            message,
            expected,
            kubernetes.version,
            "choose an older release, or upgrade",
        )


def _queued(kubernetes: Kubernetes) -> Iterator[Problem]:
    """Components whose jobs the queues of another one would break."""
    locked = kubernetes_lock.load().by_name()
    for name in kubernetes.addons:
        for queueing, unfit in locked[name].not_beside.items() if name in locked else ():
            version = kubernetes.addon_version(queueing) if kubernetes.addon_version(name) else ""
            if version and compare(version, unfit.before) < 0:
                message, expected = (
                    f"jobs of {name} cannot be queued: {unfit.why}",
                    f"{queueing} {unfit.before} or newer ({unfit.source})",
                )
                step = f"take {name} out, and run these jobs by another operator; or raise {queueing}"
                yield problem(
                    f"control.kubernetes.addons.{name}", "not_beside", message, expected, f"{queueing} {version}", step
                )


def _kubelets(server: str, site: Site) -> Iterator[Problem]:
    """Nodes whose kubelet is newer than the API server, or too old for it."""
    table = kubernetes_addons.load()
    control = MINOR.match(server)
    if control is None:
        message, expected = "this is not a release of Kubernetes", "a release such as 1.34.2"
        yield problem(
            "control.kubernetes.version", "not_a_release", message, expected, server, "write the whole release"
        )
        return
    for pool in site.pools_of("kubernetes"):
        version = site.software.bill(pool.name).kubernetes
        kubelet = MINOR.match(version)
        if kubelet is None:
            continue
        behind = int(control[2]) - int(kubelet[2])
        if kubelet[1] != control[1] or not 0 <= behind <= table.kubelet_minors_behind:
            least = f"{control[1]}.{int(control[2]) - table.kubelet_minors_behind}"
            message = f"the API server does not serve the kubelets of pool {pool.name}"
            expected = f"{least} to {control[1]}.{control[2]}, for an API server of {server} ({table.kubelet_source})"
            step = "change control.kubernetes.version, or kubernetes in the bill of the pool"
            yield problem("control.kubernetes.version", "kubelet_skew", message, expected, f"kubelet {version}", step)
