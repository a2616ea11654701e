"""Shared libraries of the NVIDIA driver on one host, with their sizes: `find` below the folders of the linker."""

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.container import DriverLibraries, Library

COMMAND = (
    "find", "/usr/lib", "/usr/lib64", *(f"/usr/lib/{machine}-linux-gnu/nvidia/current" for machine in ("x86_64", "aarch64")),
    "-maxdepth", "2", "-type", "f",
    "(", "-name", "libcuda.so.*", "-o", "-name", "libnvidia-*.so.*", "-o", "-name", "libnvcuvid.so.*", ")",
    "-printf", "%s\\t%p\\n",
)  # fmt: skip
"""Files alone: links point at them. The second folder is that of Red Hat systems, the others are those of Debian's packaging, where
nvidia-alternative chooses among drivers; what is missing gives status 1."""
COLUMNS = 2


def parse(output: str) -> DriverLibraries:
    """One file per line: size in bytes, path."""
    libraries = []
    for number, line in enumerate(output.splitlines(), start=1):
        if not line.strip():
            continue
        fields = line.split("\t")
        if len(fields) != COLUMNS or not fields[0].isdecimal():
            raise ParseError(number, line, "a size and a path with a tab between")
        libraries.append(Library(path=fields[1], bytes=int(fields[0])))
    return DriverLibraries(libraries=libraries)


COLLECTOR = Collector(
    produces=DriverLibraries,
    parse=parse,
    seconds=20,
    roles=("accelerator",),
    command=COMMAND,
    accepts=(0, 1),
    vendors=("nvidia",),
)
