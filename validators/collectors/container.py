"""What the container library of NVIDIA sees: `nvidia-container-cli info` (libnvidia-container, src/cli/info.c)."""

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.container import Container


def parse(output: str) -> Container:
    """``Key: value`` lines: versions first, then a block per device."""
    single: dict[str, str] = {}
    uuids = []
    for number, line in enumerate(output.splitlines(), start=1):
        key, separator, value = line.partition(":")
        if not separator and line.strip():
            raise ParseError(number, line, "a key and a value of nvidia-container-cli info")
        if key.strip() == "GPU UUID":
            uuids.append(value.strip())
        elif separator:
            single.setdefault(key.strip(), value.strip())
    if "NVRM version" not in single:
        raise ParseError(1, output, "NVRM version of nvidia-container-cli info")
    return Container(driver_version=single["NVRM version"], cuda_version=single.get("CUDA version", ""), uuids=uuids)


COLLECTOR = Collector(
    produces=Container,
    parse=parse,
    seconds=20,
    roles=("accelerator",),
    command=("nvidia-container-cli", "info"),
    vendors=("nvidia",),
)
