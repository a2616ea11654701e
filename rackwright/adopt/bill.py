"""The software that runs on nodes, as fields of the software bill."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from rackwright import compat
from rackwright.adopt.majority import NodeDifference, differences, usual
from rackwright.adopt.node_texts import line
from rackwright.adopt.reading import NodeReading
from rackwright.compare.software import matches, upstream_version
from rackwright.model.evidence.host import Host, Packages
from rackwright.model.hostlist import natural_key
from rackwright.model.software import OperatingSystem
from rackwright.model.vendor import Vendor

FURTHER = {
    "containerd": ("containerd", "containerd.io"),
    "kubernetes": ("kubelet",),
    "doca": ("doca-ofed", "doca-ofed-userspace", "doca-all"),
    "nvlsm": ("nvlsm",),
    "enroot": ("enroot",),
    "pyxis": ("nvslurm-plugin-pyxis",),
}
"""Packages of components that no check compares, by the names of distributions and vendors, in addition to those of the
limits.
"""
SYSTEMS: tuple[OperatingSystem, ...] = get_args(OperatingSystem)
OF_THE_HOST = ("os", "kernel")
NOT_INSTALLED = "not installed"
TOOLKIT = re.compile(r"\d+\.\d+")
AMD_RELEASE = re.compile(r"\d+\.\d+\.\d+\.(\d{1,2})(\d\d)(\d\d)(?:\d\d)?")
"""Version of AMD's driver package: the kernel module, then its release: ``6.16.6.30200100`` is 30.20.1,
``6.12.12.60402`` is 6.4.2.
"""
NCCL_BUILD = re.compile(r"\+cuda(\d+\.\d+)")
LEGACY = ("mlnx-ofed-kernel-dkms", "mlnx-ofed-kernel-utils", "mlnx-ofa_kernel")
"""Packages of MLNX_OFED, the predecessor of DOCA-OFED, for which the bill has no field."""


@dataclass(frozen=True)
class PoolBill:
    """The software of most nodes of a pool."""

    versions: Mapping[str, str]
    """Version by field of the bill."""
    not_installed: frozenset[str]
    """Fields whose packages would have been read, but are not installed."""
    unfit: tuple[str, ...]
    """One sentence for each running software that a bill cannot express."""
    differences: tuple[NodeDifference, ...]


def pool_bill(
    readings: Sequence[NodeReading], components: Mapping[str, Sequence[str]], vendors: Mapping[str, Vendor]
) -> PoolBill:
    """The usual version of every field, and the nodes with another one. `components` are package names by field."""
    named = {**FURTHER, **components}
    by_host = {reading.host: _versions(reading, named, vendors.get(reading.vendor)) for reading in readings}
    printed = {*OF_THE_HOST, *(field for vendor in vendors.values() for field in vendor.bill_fields.values())}
    fields = sorted({field for versions in by_host.values() for field in versions})
    differing: list[NodeDifference] = []
    versions: dict[str, str] = {}
    for field in fields:
        values = {
            reading.host: by_host[reading.host].get(field, NOT_INSTALLED)
            for reading in readings
            # A node that lacks a field would have reported it if its packages were read.
            if field in by_host[reading.host] or (field not in printed and reading.get(Packages) is not None)
        }
        common = usual(values.values())
        if common and common != NOT_INSTALLED:
            versions[field] = common
        differing += differences(field.replace("_", " "), values)
    listed = any(reading.get(Packages) for reading in readings)
    absent = frozenset(field for field in named if field not in versions) if listed else frozenset()
    return PoolBill(versions, absent, tuple(_unsupported_versions(readings, versions)), tuple(differing))


def _versions(reading: NodeReading, components: Mapping[str, Sequence[str]], vendor: Vendor | None) -> dict[str, str]:
    """Versions of one node, by field."""
    return {field: line(version) for field, version in _read_versions(reading, components, vendor).items()}


def _read_versions(
    reading: NodeReading, components: Mapping[str, Sequence[str]], vendor: Vendor | None
) -> dict[str, str]:
    by_field = _packaged(reading.get(Packages), components)
    host = reading.get(Host)
    if host is not None:
        by_field |= {"kernel": host.kernel, "os": f"{host.os_id}-{host.os_version}"}
    tool = reading.accelerators
    if tool is None or vendor is None:
        return by_field
    firmware = usual(device.vbios for device in tool.devices if device.vbios)
    read = {"driver": tool.driver_version, "toolkit": tool.cuda_driver_version, "firmware": firmware}
    for what, field in vendor.bill_fields.items():
        version = read[what]
        if version and what == "driver" and compat.numbered_apart(vendor.sku):
            version = compat.release_of(vendor.sku, version)
        if version and (what != "toolkit" or field not in by_field):
            by_field[field] = version
    return by_field


def _packaged(packages: Packages | None, components: Mapping[str, Sequence[str]]) -> dict[str, str]:
    by_field = {}
    for field, patterns in components.items():
        named = [
            upstream_version(package.version)
            for name, package in (packages.packages if packages else {}).items()
            if matches(name, patterns)
        ]
        newest = max(named, key=natural_key, default="")
        if field == "cuda" and (match := TOOLKIT.match(newest)):
            newest = match[0]
        if field == "amdgpu" and (match := AMD_RELEASE.fullmatch(newest)):
            newest = ".".join(str(int(number)) for number in match.groups())
        if newest:
            by_field[field] = newest
    if "cuda" not in by_field and (match := _nccl_build(packages, components)):
        by_field["cuda"] = match[1]
    return by_field


def _nccl_build(packages: Packages | None, components: Mapping[str, Sequence[str]]) -> re.Match[str] | None:
    """The CUDA version that NCCL is built for (``2.30.4-1+cuda13.0``): toolkits are often installed without the package
    manager.
    """
    versions = [
        package.version
        for name, package in (packages.packages if packages else {}).items()
        if matches(name, components.get("nccl", ()))
    ]
    return NCCL_BUILD.search(versions[0]) if versions else None


def operating_system(text: str) -> OperatingSystem | None:
    """The system of the bill for ``ID-VERSION_ID`` of os-release (``rhel-9.4``); None for one that roles do not
    support.
    """
    distribution, _, release = text.rpartition("-")
    major = f"{distribution}-{release.partition('.')[0]}"
    return next((system for system in SYSTEMS if system in (text, major)), None)


def _unsupported_versions(readings: Sequence[NodeReading], versions: Mapping[str, str]) -> list[str]:
    sentences = []
    system = versions.get("os", "")
    if system and operating_system(system) is None:
        sentences.append(f"the nodes run {system}, not one of {', '.join(SYSTEMS)}")
    packages = [listed.packages for reading in readings if (listed := reading.get(Packages))]
    legacy = usual(
        upstream_version(by_field[name].version) for by_field in packages for name in LEGACY if name in by_field
    )
    if legacy:
        sentences.append(f"MLNX_OFED {legacy} is installed; the bill has a field for DOCA-OFED alone")
    return sentences
