"""The declared software of nodes: one bill of exact versions per node class, and where it is installed from."""

from __future__ import annotations

from typing import Any, Literal

from rackwright.model.base import Name, Record
from rackwright.model.texts import Fingerprint, Image, OptionName, UrlOrNothing, Version

OperatingSystem = Literal[
    "debian-12", "ubuntu-22.04", "ubuntu-24.04", "rhel-9", "rocky-9", "almalinux-9", "dgx-os-6", "dgx-os-7"
]  # fmt: skip
DEFAULT_SYSTEM: OperatingSystem = "debian-12"
RPM_SYSTEMS: tuple[OperatingSystem, ...] = ("rhel-9", "rocky-9", "almalinux-9")


BASES: dict[str, OperatingSystem] = {"dgx-os-6": "ubuntu-22.04", "dgx-os-7": "ubuntu-24.04"}
"""Systems that are another one with packages of its vendor besides (NVIDIA DGX OS user guides 6 and 7, introduction; read 2026-11-25)."""


class Bill(Record):
    """Exact versions of one node class, without epoch and package revision; empty where nothing is required.

    Which fields a node class must give follows from the roles that its nodes are in (``roles/*/meta/rackwright.yml``).
    """

    os: OperatingSystem | None = None
    """Operating system of the nodes; debian-12 when empty."""
    kernel: Version = ""
    """Kernel release (``6.1.0-49-amd64``); the running one stays and is held when empty."""

    driver: Version = ""
    """NVIDIA driver."""
    fabric_manager: Version = ""
    """Fabric manager of NVSwitch platforms; must equal `driver`."""
    imex: Version = ""
    """IMEX daemon of multi-node NVLink; must equal `driver`, which it does when empty."""
    nvlsm: Version = ""
    """NVLink subnet manager of NVLink 5 boards; versioned apart from the driver."""
    cuda: Version = ""
    """CUDA toolkit, major and minor."""
    nccl: Version = ""
    """NCCL library (``2.30.4``); its build is the one for `cuda`."""
    nccl_tests: Version = ""
    """nccl-tests, the bandwidth tests of NCCL."""
    nvbandwidth: Version = ""
    """nvbandwidth, the memory copy test."""
    dcgm: Version = ""
    """NVIDIA DCGM."""
    container_toolkit: Version = ""
    """NVIDIA container toolkit."""
    gdrcopy: Version = ""
    """GDRCopy: kernel module and library."""
    gds: Version = ""
    """GPUDirect Storage (nvidia-fs)."""
    mig_manager: Version = ""
    """nvidia-mig-manager with nvidia-mig-parted."""

    doca: Version = ""
    """DOCA-OFED; the distribution's own RDMA stack when empty."""

    amdgpu: Version = ""
    """AMD kernel driver (``30.20.1`` from ROCm 7.1 on)."""
    rocm: Version = ""
    """ROCm; must be a release that was tested with `amdgpu`."""
    amd_container_toolkit: Version = ""
    """AMD container toolkit."""

    ascend_driver: Version = ""
    """Ascend NPU driver."""
    ascend_firmware: Version = ""
    """Firmware of Ascend NPUs; goes with `ascend_driver`."""
    cann: Version = ""
    """CANN toolkit of Ascend NPUs."""
    ascend_docker_runtime: Version = ""
    """Ascend container runtime."""

    vendor_driver: Version = ""
    """Driver of accelerators that the role accelerator_vendor installs; its packages come from `Software.file_mirror`."""
    vendor_toolkit: Version = ""
    """Their user-space toolkit (SynapseAI, MUSA, SUPA, NeuWare, DTK)."""

    slurm: Version = ""
    """Slurm in packages of SchedMD (``25.11.4``), which `rackwright mirror build` makes; that of the distribution when empty."""
    enroot: Version = ""
    """enroot, which runs containers of Slurm jobs without privileges."""
    pyxis: Version = ""
    """pyxis, the plugin of Slurm for containers (``srun --container-image``), built for the Slurm of the nodes; needs `enroot`."""
    containerd: Version = ""
    """containerd, the container runtime."""
    kubernetes: Version = ""
    """kubeadm, kubelet and kubectl."""
    gpu_operator: Version = ""
    """NVIDIA GPU Operator that takes the node over; what it must not install again follows from the rest of the bill."""
    node_exporter: Version = ""
    """Prometheus node exporter."""
    dcgm_exporter: Version = ""
    """Exporter of DCGM for Prometheus."""
    vendor_exporter: Version = ""
    """Exporter of an accelerator that is not NVIDIA's."""

    images: list[Image] | None = None
    """Container images that jobs will run (``nvcr.io/nvidia/pytorch:26.06-py3``), checked against the driver."""
    options: dict[OptionName, Any] = {}
    """Options of single roles, by name (``boot_cmdline_extra``), as their argument specifications have them."""

    @property
    def system(self) -> OperatingSystem:
        """The operating system, declared or the default."""
        return self.os or DEFAULT_SYSTEM

    @property
    def base(self) -> OperatingSystem:
        """The distribution that packages are made for."""
        return BASES.get(self.system, self.system)

    @property
    def packager(self) -> Literal["dpkg", "rpm"]:
        """Whose database the packages of the nodes are in."""
        return "rpm" if self.system in RPM_SYSTEMS else "dpkg"


class Software(Bill):
    """The software of the site: its mirrors, the bill of every node, and the differences of single pools."""

    source: Literal["mirror", "vendor"] = "mirror"
    """Where hosts install from: ``mirror``, the site's own alone; ``vendor``, the repositories of the vendors and of the distribution
    themselves, which hosts must reach then, and the mirror for what nobody publishes."""
    apt_mirror: UrlOrNothing = ""
    """Base URL of the package mirror that nodes install from (rpm repositories of RHEL and Rocky included); needed unless `source` is ``vendor``."""
    vendor_keys: dict[Name, list[Fingerprint]] = {}
    """Fingerprints of the keys that sign vendor repositories, by name (``doca``), in place of those that rackwright knows."""
    file_mirror: UrlOrNothing = ""
    """Base URL of vendor files that no repository carries (.run, .tar.gz); the apt mirror when empty."""
    pools: dict[Name, Bill] = {}
    """Differences in the bill of a pool; a field left out is the site's."""

    def bill(self, pool: str) -> Bill:
        """The bill of `pool`: the site's, with the versions that the pool declares itself."""
        common = {name: getattr(self, name) for name in Bill.model_fields}
        pool_bill = self.pools.get(pool, Bill())
        declared = {name: value for name, value in pool_bill if name in pool_bill.model_fields_set}
        declared["options"] = {**self.options, **pool_bill.options}
        return Bill(**{**common, **declared})
