"""Installed packages of the software bill, and which of them are held: by the database of dpkg, or by that of rpm where dpkg has none.

dpkg: one `dpkg-query` tells all of it, and ends with status 1 when one of the patterns matches nothing, which is no error here; a hold is its selection,
as `apt-mark` sets it. rpm: `rpm --query` (rpm(8)), and as holds the list of dnf's versionlock plug-in (dnf-plugins-core, versionlock.py), under headers.
"""

import shlex
from collections import Counter
from fnmatch import fnmatchcase

from rackwright.collect.collector import Collector, ParseError
from rackwright.collect.parsing import sections
from rackwright.model.evidence.host import Package, Packages

PATTERNS = (
    "nvidia-*", "libnvidia-*", "xserver-xorg-video-nvidia*", "xorg-x11-drv-nvidia*", "kmod-nvidia*", "cuda*", "libcuda*",
    "libnccl*", "libnvsdm*", "datacenter-gpu-manager*", "doca-*", "mlnx-*", "mft*", "rdma-core", "linux-image-*", "kernel-core",
    "containerd*", "slurm*", "munge", "chrony", "kubelet", "kubeadm", "kubectl", "nvlsm", "gdrdrv-dkms", "libgdrapi", "gdrcopy*",
    "nvbandwidth", "nccl-tests", "amdgpu-dkms", "rocm-core", "enroot*", "nvslurm-plugin-pyxis",
)  # fmt: skip

GONE = {"not-installed", "config-files"}
"""Status words of packages that dpkg remembers and the node does not have."""

FORMAT = "${Package}\\t${Version}\\t${db:Status-Want}\\t${db:Status-Status}\\n"
RPM_FORMAT = "%{INSTALLTIME}\\t%{NAME}\\t%|EPOCH?{%{EPOCH}}:{0}|\\t%{VERSION}-%{RELEASE}\\t%{ARCH}\\n"
COLUMNS, RPM_COLUMNS = 4, 5
RPM, LOCKS = "rpm", "versionlock"
"""Headers of the two parts of what is read where rpm is the package manager."""
INSTALL_ONLY = {"kernel-core"}
"""Of the patterns, what dnf installs beside older versions (dnf.conf(5), installonlypkgs)."""
TWICE = "installed twice"
"""Status of an rpm package whose older version is still there: a transaction was interrupted (dnf(8), check --duplicates)."""
LOCK_LIST = "/etc/dnf/plugins/versionlock.list"
"""`locklist` of versionlock.conf as its package ships it."""

DPKG_QUERY = shlex.join(["dpkg-query", "--show", f"--showformat={FORMAT}", *PATTERNS])
RPM_QUERY = shlex.join(["rpm", "--query", "--all", "--queryformat", RPM_FORMAT, *PATTERNS])
# The database decides, not the program: EPEL has a dpkg for EL, and Debian an rpm.
SCRIPT = (
    f"if [ -s /var/lib/dpkg/status ]; then exec {DPKG_QUERY}; fi; "
    f"echo '== {RPM}'; {RPM_QUERY} || exit 2; echo '== {LOCKS}'; cat {LOCK_LIST} 2>/dev/null; true"
)


def parse(output: str) -> Packages:
    """One package per line, dpkg's as they are and rpm's under headers."""
    return _of_rpm(output) if output.startswith(f"{sections.HEADER}{RPM}\n") else _of_dpkg(output)


def _of_dpkg(output: str) -> Packages:
    """Name, version, wanted, status; packages that are not there are left out."""
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


def _of_rpm(output: str) -> Packages:
    """Time of installation, name, epoch, version and release, architecture; of several of one name the one that was installed last."""
    parts = sections.read(output)
    rows = [_row(output, index, line) for index, line in enumerate(parts[RPM])]
    locks = [line.strip() for line in parts.get(LOCKS, []) if not line.strip().startswith(("#", "!"))]
    several = Counter((row[1], row[4]) for row in rows if row[1] not in INSTALL_ONLY)
    packages = {}
    for _, name, epoch, version, architecture in sorted(rows, key=lambda row: int(row[0])):
        full = version if epoch == "0" else f"{epoch}:{version}"
        held = any(fnmatchcase(form, lock) for form in _forms(name, epoch, version, architecture) for lock in locks)
        packages[name] = Package(
            version=full, held=held, status=TWICE if several[name, architecture] > 1 else "installed"
        )
    return Packages(packages=packages)


def _row(output: str, index: int, line: str) -> list[str]:
    fields = line.split("\t")
    if len(fields) != RPM_COLUMNS or not fields[0].isdecimal():
        number = sections.number(output, RPM, index)
        raise ParseError(number, line, "time, package, epoch, version and architecture with tabs between")
    return fields


def _forms(name: str, epoch: str, version: str, architecture: str) -> list[str]:
    """Forms in which a lock may name a package (dnf(8), specifying packages); the plug-in itself writes
    NAME-EPOCH:VERSION-RELEASE.*
    """
    exact = [name, f"{name}-{version}", f"{name}-{epoch}:{version}", f"{name}-{version.rpartition('-')[0]}"]
    return [*exact, *(f"{form}.{architecture}" for form in exact[:3])]


COLLECTOR = Collector(
    produces=Packages,
    parse=parse,
    seconds=20,
    roles=("accelerator", "slurm"),
    command=("sh", "-c", SCRIPT),
    accepts=(0, 1),
)
