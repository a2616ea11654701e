"""The rpm packages that onboarding leaves on a node of the twin, from its software bill: the names are listed here, versions are those of ``twin/mirror/packages``.

What is held is what the roles lock, dependencies of the driver included; packages of the image are not.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from rackwright.model.design import Node
from rackwright.model.site import Software
from rackwright.model.software import Bill
from rackwright.twin.hardware.parts import kernel
from rackwright.twin.mirror import definition, releases

Versions = dict[tuple[str, str], str]
CALLED = {
    "libnccl2": "libnccl",
    "gdrdrv-dkms": "gdrcopy-kmod",
    "nvidia-kernel-open-dkms": "kmod-nvidia-open-dkms",
}
"""What packages that faults name as Debian does are called here."""
DRIVER = (
    "nvidia-open", "kmod-nvidia-open-dkms", "nvidia-driver", "nvidia-driver-libs", "nvidia-driver-cuda", "nvidia-driver-cuda-libs",
    "nvidia-kmod-common", "nvidia-modprobe", "nvidia-persistenced", "libnvidia-ml", "libnvidia-gpucomp", "libnvidia-cfg",
)  # fmt: skip
"""nvidia-open with what it depends on."""
TOOLKIT = (
    "nvidia-container-toolkit", "nvidia-container-toolkit-base", "libnvidia-container-tools", "libnvidia-container1",
)  # fmt: skip


def packages(node: Node, bill: Bill) -> dict[str, tuple[str, bool]]:
    """Every package of the bill on the node, with its version and whether it is held."""
    versions = _offered_versions(bill.model_dump_json())
    _, version = kernel.installed(bill)
    every = {"kernel-core": (version, True), "chrony": (_version(versions, "chrony", ""), False)}
    if node.scheduler == "slurm" or node.role == "slurm":
        every["munge"] = (_version(versions, "munge", ""), False)
        every |= {name: (_version(versions, name, bill.slurm), bool(bill.slurm)) for name in ("slurm", "slurm-slurmd")}
        if bill.pyxis:
            every |= dict.fromkeys(("enroot", "enroot+caps"), (f"{bill.enroot}-1.el8", False))
            every["nvslurm-plugin-pyxis"] = (_version(versions, "nvslurm-plugin-pyxis", bill.pyxis), True)
    named = [(name, field) for field, names in _names(node, bill) if getattr(bill, field) for name in names]
    return every | {name: (_version(versions, name, str(getattr(bill, field))), True) for name, field in named}


def _names(node: Node, bill: Bill) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Packages by field of the bill."""
    vendor = node.accelerator.vendor if node.accelerator else ""
    yield "containerd", ("containerd.io",)
    yield "doca", ("doca-ofed",)
    if node.scheduler == "kubernetes":
        yield "kubernetes", ("kubelet", "kubeadm", "kubectl")
    if vendor == "nvidia":
        yield from _nvidia(node, bill)
    if vendor == "amd":
        yield from (("amdgpu", ("amdgpu-dkms",)), ("rocm", ("rocm-core",)))


def _nvidia(node: Node, bill: Bill) -> Iterator[tuple[str, tuple[str, ...]]]:
    major = bill.cuda.split(".")[0]
    if bill.driver:
        endings = releases.suffixes(bill.driver)
        suffix = endings["suffix"]
        yield "driver", DRIVER
        yield "imex", (f"nvidia-imex{suffix}",)
        if node.server.fabric_manager:
            yield "fabric_manager", (endings["fabric_manager_rpm"], f"libnvidia-nscq{suffix}")
    yield "nvlsm", ("nvlsm",)
    yield "nccl", ("libnccl",)
    yield "dcgm", ("datacenter-gpu-manager-4-core", f"datacenter-gpu-manager-4-cuda{major}")
    yield "container_toolkit", TOOLKIT
    yield "gdrcopy", ("gdrcopy-kmod", "gdrcopy")
    yield "nvbandwidth", ("nvbandwidth",)
    yield "nccl_tests", ("nccl-tests",)


@lru_cache(maxsize=64)
def _offered_versions(bill: str) -> Versions:
    """Name -> upstream version -> version on the mirror; the empty version is the last release of the family. `bill` is the JSON of a bill."""
    software = Software.model_construct(**Bill.model_validate_json(bill).model_dump(), apt_mirror="", pools={})
    versions: Versions = {}
    for package in definition.packages(software, software.system):
        versions |= {(package.name, package.upstream): package.version, (package.name, ""): package.version}
    return versions


def _version(versions: Versions, name: str, upstream: str) -> str:
    """The version on the mirror; if vendor and bill number differently (AMD, DOCA), the only one there."""
    return versions.get((name, upstream)) or versions[name, ""]
