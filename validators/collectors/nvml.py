"""Every accelerator of the node, from the probe's dump of NVML: raw readings in NVML's units and codes, one JSON document.

A reading that the library does not support becomes None. A device that NVML counts and cannot reach any more is left out, so that its
absence is counted.
"""

import json

from rackwright.collect.collector import Collector, ParseError
from rackwright.collect.parsing import nvml_device
from rackwright.model.evidence.accelerator import Accelerators


def parse(output: str) -> Accelerators:
    """The document of the probe (``{"system": ..., "devices": [...]}``, every reading a value or an error)."""
    try:
        document = json.loads(output)
        system = document["system"]
        return Accelerators(
            driver_version=nvml_device.must(system, "driver_version"),
            cuda_driver_version=cuda_version(nvml_device.must(system, "cuda_driver_version")),
            devices=[nvml_device.device(device) for device in document["devices"] if not nvml_device.lost(device)],
        )
    except ParseError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ParseError(1, output, f"the probe's NVML dump ({type(error).__name__}: {str(error)[:80]})") from None


def cuda_version(code: int) -> str:
    """CUDA version, such as ``13.0`` for 13000: 1000 * major + 10 * minor (nvmlSystemGetCudaDriverVersion)."""
    return f"{code // 1000}.{code % 1000 // 10}"


COLLECTOR = Collector(
    produces=Accelerators, parse=parse, seconds=60, roles=("accelerator",), library="nvml", vendors=("nvidia",)
)
