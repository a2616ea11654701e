"""What `dpkg-query` lists on a node of the twin, or `rpm --query` and the list of locks."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.host import Package, Packages
from rackwright.twin.hardware.parts import bill, bill_rpm
from rackwright.twin.hardware.state import NEWEST, OLDER, State

OTHER = {OLDER: "580.126.20", NEWEST: "595.91.07"}
"""Releases of the driver beside the wanted one (``twin/mirror/versions.yaml``)."""
REMOVED = "nvidia-driver-removed\t535.1-1\tdeinstall\tconfig-files\nnvidia-never-there\t\tunknown\tnot-installed\n"

BROKEN = {"dpkg": "half-configured", "rpm": "installed twice"}
"""What an interrupted installation leaves: dpkg(1), package states; dnf(8), check --duplicates."""
INSTALLED = 1795419109
"""Time of the installation, as `rpm` tells it."""


def observe(state: State, design: Design, node: str) -> Packages:
    """The packages of the bill, with what a fault did to them."""
    machine, system = state.machines[node], state.machines[node].system
    declared = design.site.software.bill(design.node(node).pool)
    planned = bill.packages(design.node(node), declared)
    called = bill_rpm.CALLED if declared.packager == "rpm" else {}
    versions = {called.get(name, name): version for name, version in machine.package_versions.items()}
    free = {called.get(name, name) for name in system.packages_free}
    packages = {}
    for name, (version, held) in planned.items():
        if name in system.packages_gone:
            continue
        moved = versions.get(name)
        status = machine.package_states.get(name, "").split(" ")[-1] or "installed"
        packages[name] = Package(
            version=_moved_release(version, moved) if moved else version,
            held=(held and name not in free) or machine.package_states.get(name, "").startswith("hold"),
            status=BROKEN[declared.packager] if name in system.packages_broken else status,
        )
    return Packages(packages=packages)


def _moved_release(version: str, planned: str) -> str:
    """`version` of a package with another release in it; its epoch and revision stay."""
    if planned not in OTHER:
        return planned
    epoch, _, body = version.rpartition(":")
    release, _, revision = body.partition("-")
    parts = (
        OTHER[planned]
        if release.startswith("580.")
        else f"{release.rsplit('.', 1)[0]}.{'0' if planned == OLDER else '99'}"
    )
    return f"{epoch + ':' if epoch else ''}{parts}-{revision}"


def render(record: Packages) -> bytes:
    """The listing that the collector parses to `record`; kernel-core is on every rpm system, and on no other."""
    if "kernel-core" in record.packages:
        return _render_rpm(record)
    lines = [
        f"{name}\t{package.version}\t{'hold' if package.held else 'install'}\t{package.status}\n"
        for name, package in record.packages.items()
    ]
    return ("".join(lines) + REMOVED).encode()


def _render_rpm(record: Packages) -> bytes:
    """Rows of `rpm --query`, and the lines that `dnf versionlock add` writes."""
    rows, locks = [], []
    for name, package in record.packages.items():
        epoch, _, version = package.version.rpartition(":")
        present = {INSTALLED: version}
        if package.status == BROKEN["rpm"]:
            present = {INSTALLED - 1: OTHER[OLDER] + "-1.el9", **present}
        rows += [f"{time}\t{name}\t{epoch or 0}\t{each}\tx86_64\n" for time, each in present.items()]
        locks += [f"\n# Added lock on Mon Nov 23 07:31:50 2026\n{name}-{epoch or 0}:{version}.*\n"] * package.held
    return "".join(["== rpm\n", *rows, "== versionlock\n", *locks]).encode()
