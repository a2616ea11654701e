"""The packages that onboarding leaves on a node of the twin, from its software bill.

Names and revisions are those of ``twin/mirror/packages``, with their sources.
"""

from __future__ import annotations

from collections.abc import Iterator

from rackwright.model.design import Node
from rackwright.model.software import Bill
from rackwright.twin.hardware.parts import kernel

PLAIN_NAMES_FROM = 580
"""Driver branch from which the package names of fabric manager and NSCQ have no branch (``twin/mirror/versions.yaml``)."""
Found = tuple[str, str, bool]


def packages(node: Node, bill: Bill) -> dict[str, tuple[str, bool]]:
    """Every package of the bill on the node, with its version and whether it is held."""
    vendor = node.accelerator.vendor if node.accelerator else ""
    packages = [*_common(node, bill)]
    if vendor == "nvidia":
        packages += [*_driver(node, bill), *_nvidia(bill)]
    if vendor == "amd":
        packages += [*_amd(bill)]
    return {name: (version, held) for name, version, held in packages}


def _common(node: Node, bill: Bill) -> Iterator[Found]:
    yield "chrony", "4.3-2+deb12u1", False
    release, version = kernel.installed(bill)
    yield f"linux-image-{release}", version, False
    if node.scheduler == "slurm" or node.role == "slurm":
        yield from ((name, "22.05.8-4+deb12u3", False) for name in ("slurm-wlm-basic-plugins", "slurmd"))
        yield "munge", "0.5.15-2", False
    if bill.containerd:
        yield "containerd.io", f"{bill.containerd}-1~debian.12~bookworm", True
    if bill.kubernetes and node.scheduler == "kubernetes":
        yield from ((name, f"{bill.kubernetes}-1.1", True) for name in ("kubelet", "kubeadm", "kubectl"))
    if bill.doca:
        yield "doca-ofed", bill.doca, True


def _driver(node: Node, bill: Bill) -> Iterator[Found]:
    branch = bill.driver.split(".")[0]
    suffix = "" if branch.isdecimal() and int(branch) >= PLAIN_NAMES_FROM else f"-{branch}"
    parts = [
        "nvidia-open",
        "nvidia-driver",
        "nvidia-driver-cuda",
        "nvidia-kernel-open-dkms",
        "libnvidia-ml1",
        "libcuda1",
    ]
    parts += ["nvidia-modprobe", "nvidia-persistenced"]
    for name in parts if bill.driver else []:
        yield name, f"{bill.driver}-1", True
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
        yield "amdgpu-dkms", f"1:{bill.amdgpu}-1", True
    if bill.rocm:
        yield "rocm-core", f"{bill.rocm}-1", True
