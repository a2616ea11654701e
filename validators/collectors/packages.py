"""Installed packages of the software bill, and which of them are held. A hold is dpkg's selection, as `apt-mark` sets it.

One `dpkg-query` tells all of it. It ends with status 1 when one of the patterns matches nothing, which is no error here.
"""

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.host import Package, Packages

PATTERNS = (
    "nvidia-*", "libnvidia-*", "xserver-xorg-video-nvidia*", "cuda*", "libcuda*", "libnccl*", "libnvsdm*",
    "datacenter-gpu-manager*", "doca-*", "mlnx-*", "mft*", "rdma-core", "linux-image-*", "containerd*",
    "slurm*", "munge", "chrony", "kubelet", "kubeadm", "kubectl", "nvlsm", "gdrdrv-dkms", "libgdrapi",
    "nvbandwidth", "nccl-tests", "amdgpu-dkms", "rocm-core",
)  # fmt: skip

GONE = {"not-installed", "config-files"}
"""Status words of packages that dpkg remembers and the node does not have."""

FORMAT = "${Package}\\t${Version}\\t${db:Status-Want}\\t${db:Status-Status}\\n"
COLUMNS = 4


def parse(output: str) -> Packages:
    """One package per line: name, version, wanted, status; packages that are not there are left out."""
    packages: dict[str, Package] = {}
    for number, line in enumerate(output.splitlines(), start=1):
        if not line.strip():
            continue
        fields = line.split("\t")
        if len(fields) != COLUMNS or not fields[0]:
            raise ParseError(number, line, "package, version, selection and status with tabs between")
        name, version, selection, status = fields
        if status not in GONE:
            # A second architecture of the same package comes later and does not replace the node's own.
            packages.setdefault(name, Package(version=version, held=selection == "hold", status=status))
    return Packages(packages=packages)


COLLECTOR = Collector(
    produces=Packages,
    parse=parse,
    seconds=20,
    roles=("accelerator", "slurm"),
    command=("dpkg-query", "--show", f"--showformat={FORMAT}", *PATTERNS),
    accepts=(0, 1),
)
