"""The declared software of nodes: one bill of exact versions per node class, and where it is installed from."""

from __future__ import annotations

from typing import Any, Literal

from rackwright.model.base import Name, Record

OperatingSystem = Literal["debian-12", "ubuntu-22.04", "ubuntu-24.04", "rhel-9", "rocky-9", "almalinux-9"]
DEFAULT_SYSTEM: OperatingSystem = "debian-12"
RPM_SYSTEMS: tuple[OperatingSystem, ...] = ("rhel-9", "rocky-9", "almalinux-9")


class Bill(Record):
    """Exact versions of one node class, without epoch and package revision; empty where nothing is required.

    Which fields a node class must give follows from the roles that its nodes are in (``roles/*/meta/rackwright.yml``).
    """

    os: OperatingSystem | None = None
    """Operating system of the nodes; debian-12 when empty."""
    kernel: str = ""
    """Kernel release (``6.1.0-49-amd64``); the running one stays and is held when empty."""

    driver: str = ""
    """NVIDIA driver."""
    fabric_manager: str = ""
    """Fabric manager of NVSwitch platforms; must equal `driver`."""
    imex: str = ""
    """IMEX daemon of multi-node NVLink; must equal `driver`, which it does when empty."""
    nvlsm: str = ""
    """NVLink subnet manager of NVLink 5 boards; versioned apart from the driver."""
    cuda: str = ""
    """CUDA toolkit, major and minor."""
    nccl: str = ""
    """NCCL library (``2.30.4``); its build is the one for `cuda`."""
    nccl_tests: str = ""
    """nccl-tests, the bandwidth tests of NCCL."""
    nvbandwidth: str = ""
    """nvbandwidth, the memory copy test."""
    dcgm: str = ""
    """NVIDIA DCGM."""
    container_toolkit: str = ""
    """NVIDIA container toolkit."""
    gdrcopy: str = ""
    """GDRCopy: kernel module and library."""
    gds: str = ""
    """GPUDirect Storage (nvidia-fs)."""
    mig_manager: str = ""
    """nvidia-mig-manager with nvidia-mig-parted."""

    doca: str = ""
    """DOCA-OFED; the distribution's own RDMA stack when empty."""

    amdgpu: str = ""
    """AMD kernel driver (``30.20.1`` from ROCm 7.1 on)."""
    rocm: str = ""
    """ROCm; must be a release that was tested with `amdgpu`."""
    amd_container_toolkit: str = ""
    """AMD container toolkit."""

    ascend_driver: str = ""
    """Ascend NPU driver."""
    ascend_firmware: str = ""
    """Firmware of Ascend NPUs; goes with `ascend_driver`."""
    cann: str = ""
    """CANN toolkit of Ascend NPUs."""
    ascend_docker_runtime: str = ""
    """Ascend container runtime."""

    vendor_driver: str = ""
    """Driver of Gaudi, Moore Threads, Biren, Cambricon and Hygon; its packages come from `Software.file_mirror`."""
    vendor_toolkit: str = ""
    """Their user-space toolkit (SynapseAI, MUSA, SUPA, NeuWare, DTK)."""

    containerd: str = ""
    """containerd, the container runtime."""
    kubernetes: str = ""
    """kubeadm, kubelet and kubectl."""
    gpu_operator: str = ""
    """NVIDIA GPU Operator that takes the node over; what it must not install again follows from the rest of the bill."""
    node_exporter: str = ""
    """Prometheus node exporter."""
    dcgm_exporter: str = ""
    """Exporter of DCGM for Prometheus."""
    vendor_exporter: str = ""
    """Exporter of an accelerator that is not NVIDIA's."""

    images: list[str] | None = None
    """Container images that jobs will run (``nvcr.io/nvidia/pytorch:26.06-py3``), checked against the driver."""
    options: dict[str, Any] = {}
    """Options of single roles, by name (``boot_cmdline_extra``), as their argument specifications have them."""

    @property
    def system(self) -> OperatingSystem:
        """The operating system, said or not."""
        return self.os or DEFAULT_SYSTEM

    @property
    def packager(self) -> Literal["dpkg", "rpm"]:
        """Whose database the packages of the nodes are in."""
        return "rpm" if self.system in RPM_SYSTEMS else "dpkg"


class Software(Bill):
    """The software of the site: its mirrors, the bill of every node, and the differences of single pools."""

    apt_mirror: str
    """Base URL of the package mirror that nodes install from (rpm repositories of RHEL and Rocky included)."""
    file_mirror: str = ""
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
