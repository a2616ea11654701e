"""The packages that onboarding leaves on a node of the twin, from its software bill.

Names and revisions are those of ``twin/mirror/packages``, with their sources.
"""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase

from rackwright.model.design import Node
from rackwright.model.software import Bill
from rackwright.twin import systems
from rackwright.twin.hardware.parts import bill_rpm, kernel
from rackwright.twin.mirror import definition, releases

DRIVER = {
    "debian": ("nvidia-open", "nvidia-driver", "nvidia-driver-cuda", "nvidia-kernel-open-dkms", "libnvidia-ml1", "libcuda1",
               "nvidia-modprobe", "nvidia-persistenced"),
    "ubuntu": ("nvidia-open", "nvidia-driver{branch}-open", "nvidia-dkms{branch}-open", "nvidia-kernel-common{branch}",
               "libnvidia-compute{branch}", "nvidia-utils{branch}", "nvidia-compute-utils{branch}", "nvidia-modprobe"),
}  # fmt: skip
"""Packages of the driver by ID of the system."""
REVISIONS = {"debian": "1", "ubuntu": "1ubuntu1"}
IMAGE = ("nvidia-*", "libnvidia-*", "cuda*", "datacenter-gpu-manager*")
"""Of what the image of a maker brings, the names that the collector asks for."""
DRIVER_OF_IMAGE = "nvidia-driver-*"
Found = tuple[str, str, bool]


def packages(node: Node, bill: Bill) -> dict[str, tuple[str, bool]]:
    """Every package of the bill on the node, with its version and whether it is held."""
    if bill.packager == "rpm":
        return bill_rpm.packages(node, bill)
    vendor = node.accelerator.vendor if node.accelerator else ""
    packages = [*_image_packages(bill), *_common_packages(node, bill)]
    if vendor == "nvidia":
        packages += [*_driver(node, bill), *_nvidia(bill)]
    if vendor == "amd":
        packages += [*_amd(bill)]
    return {name: (version, held) for name, version, held in packages}


def _common_packages(node: Node, bill: Bill) -> Iterator[Found]:
    system = systems.load(bill.system)
    yield "chrony", system.packages["chrony"], False
    release, version = kernel.installed(bill)
    yield f"linux-image-{release}", version, False
    if node.scheduler == "slurm" or node.role == "slurm":
        yield "munge", system.packages["munge"], False
        names = ("slurm-smd", "slurm-smd-slurmd") if bill.slurm else ("slurm-wlm-basic-plugins", "slurmd")
        yield from (
            (name, f"{bill.slurm}-1" if bill.slurm else system.packages[name], bool(bill.slurm)) for name in names
        )
        if bill.pyxis:
            built_for = f"+slurm{bill.slurm}" if bill.slurm else ""
            yield from ((name, f"{bill.enroot}-1", False) for name in ("enroot", "enroot+caps"))
            yield "nvslurm-plugin-pyxis", f"{bill.pyxis}-1{built_for}", True
    if bill.containerd:
        yield "containerd.io", f"{bill.containerd}-1~{system.id}.{system.version}~{system.codename}", True
    if bill.kubernetes and (node.scheduler == "kubernetes" or node.role == "kubernetes"):
        yield from ((name, f"{bill.kubernetes}-1.1", True) for name in ("kubelet", "kubeadm", "kubectl"))
    if bill.doca:
        yield "doca-ofed", bill.doca, True


def _image_packages(bill: Bill) -> Iterator[Found]:
    """Packages of the maker's image that remain after onboarding; driver and DCGM are those of the bill."""
    present = systems.load(bill.system).packages
    driver = next(
        (version.split("-")[0] for name, version in present.items() if fnmatchcase(name, DRIVER_OF_IMAGE)), ""
    )
    for name, version in present.items():
        replaced = (bill.driver and version.split("-")[0] == driver) or (
            bill.dcgm and name.startswith("datacenter-gpu-manager")
        )
        if not replaced and any(fnmatchcase(name, glob) for glob in IMAGE):
            yield name, version, False


def _driver(node: Node, bill: Bill) -> Iterator[Found]:
    if not bill.driver:
        return
    endings = releases.suffixes(bill.driver)
    name, suffix = systems.load(bill.system).id, endings["suffix"]
    for part in DRIVER[name]:
        yield part.format(**endings), f"{bill.driver}-{REVISIONS[name]}", True
    if node.server.fabric_manager and bill.fabric_manager:
        yield f"nvidia-fabricmanager{suffix}", f"{bill.fabric_manager}-1", True
        yield f"libnvidia-nscq{suffix}", f"{bill.driver}-1", True
    if bill.imex:
        yield f"nvidia-imex{suffix}", f"{bill.imex}-1", True
    if bill.nvlsm:
        yield "nvlsm", f"{bill.nvlsm}-1", True


def _nvidia(bill: Bill) -> Iterator[Found]:
    major = bill.cuda.split(".")[0]
    if bill.nccl:
        yield "libnccl2", f"{bill.nccl}-1+cuda{bill.cuda}", True
    if bill.dcgm:
        names = ("datacenter-gpu-manager-4-core", f"datacenter-gpu-manager-4-cuda{major}")
        yield from ((name, f"1:{bill.dcgm}-1", True) for name in names)
    if bill.container_toolkit:
        toolkit = ["nvidia-container-toolkit", "nvidia-container-toolkit-base"]
        toolkit += ["libnvidia-container-tools", "libnvidia-container1"]
        yield from ((name, f"{bill.container_toolkit}-1", True) for name in toolkit)
    if bill.gdrcopy:
        yield from ((name, f"{bill.gdrcopy}-1", True) for name in ("gdrdrv-dkms", "libgdrapi"))
    for name, version in (("nvbandwidth", bill.nvbandwidth), ("nccl-tests", bill.nccl_tests)):
        if version:
            yield name, f"{version}-1", True


def _amd(bill: Bill) -> Iterator[Found]:
    if bill.amdgpu:
        yield "amdgpu-dkms", definition.package_version("amdgpu", bill.amdgpu), True
    if bill.rocm:
        yield "rocm-core", definition.package_version("rocm", bill.rocm), True
