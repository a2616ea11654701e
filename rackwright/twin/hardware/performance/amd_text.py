"""Load tests of AMD accelerators as ROCm's tools print them, in the sections of our driver."""

from __future__ import annotations

import json
from collections.abc import Sequence

from rackwright.model.evidence.load import Burn, BurnedDevice, Copies, DeviceMemorySpeed, Gemm, MemoryBandwidth, Sample

GEMM_HEAD = (
    "[0]:transA,transB,grouped_gemm,batch_count,m,n,k,alpha,lda,stride_a,beta,ldb,stride_b,ldc,stride_c,ldd,stride_d,"
    "a_type,b_type,c_type,d_type,compute_type,scaleA,scaleB,scaleC,scaleD,amaxD,activation_type,bias_vector,bias_type,"
    "rotating_buffer,hipblaslt-Gflops,hipblaslt-GB/s,us"
)
STREAM_KERNELS = ("Mul", "Add", "Triad", "Dot")
TABLE = "Unidirectional copy peak bandwidth GB/s [Local read / Remote write] (GPU-Executor: GFX)"


def burn(seen: Burn) -> str:
    """hipblaslt-bench, run after run, and what amd-smi showed."""
    runs = [_gemm(one, gemm, rate) for one in seen.devices for gemm in one.gemms for rate in gemm.tflops]
    looks = [_sample(one, sample) for one in seen.devices for sample in one.samples.looks()]
    return _who(seen.devices) + "".join([*runs, *looks])


def memory(seen: MemoryBandwidth) -> str:
    """BabelStream, run after run."""
    version = seen.tool.removeprefix("BabelStream").strip()
    return _who(seen.devices) + "".join(
        _stream(one, rate, version) for one in seen.devices for rate in one.copy_gbytes_per_s
    )


def copies(seen: Copies) -> str:
    """TransferBench p2p with one socket."""
    version = seen.tool.removeprefix("TransferBench").strip()
    said = {(one.source, one.target): one.gbytes_per_s for one in seen.copies}
    gpus = sorted({end for ends in said for end in ends if end is not None})
    ends: list[int | None] = [None, *gpus]
    names = [f"GPU {end:02d}" if end is not None else "CPU 00" for end in ends]
    rows = [
        f" {name}  ->  "
        + "  ".join(repr(said[source, target]) if (source, target) in said else "N/A" for target in ends)
        for source, name in zip(ends, names, strict=True)
    ]
    told = [{"tool": "AMDSMI Tool", "amdgpu_version": seen.driver_version}]
    lines = [
        f"TransferBench v{version}",
        "Bytes Per Direction 268435456",
        TABLE,
        " SRC+EXE\\DST    " + "    ".join(names),
    ]
    return f"# version\n{json.dumps(told)}\n# transferbench\n" + "\n".join([*lines, *rows, ""])


def _who(devices: Sequence[BurnedDevice] | Sequence[DeviceMemorySpeed]) -> str:
    listed = [{"gpu": one.index, "bdf": one.pci_bus_id.removeprefix("0000"), "uuid": one.uuid} for one in devices]
    static = [
        {"gpu": one.index, "asic": {"asic_serial": "N/A"}, "board": {"product_serial": one.serial}} for one in devices
    ]
    return f"# list\n{json.dumps(listed)}\n# static\n{json.dumps({'gpu_data': static})}\n"


def _gemm(one: BurnedDevice, gemm: Gemm, rate: float) -> str:
    kind = f"{gemm.precision}_r"
    edge, square = gemm.size, gemm.size**2
    cells = ["T", "N", 0, 1, edge, edge, edge, 1, edge, square, 0, edge, square, edge, square, edge, square]
    cells += [kind] * 4 + ["f32_r", 0, 0, 0, 0, 0, "none", 0, kind, 0, rate * 1000, 0.0, 0.0]
    until = round(gemm.began + gemm.seconds, 2)
    head = f"# gemm device={one.index} precision={gemm.precision} from={gemm.began!r} until={until!r}"
    return f"{head}\n{GEMM_HEAD}\n    {','.join(map(str, cells))}\n"


def _sample(one: BurnedDevice, sample: Sample) -> str:
    row = {
        "gpu": one.index,
        "power": {"socket_power": _unit(sample.power_watts, "W"), "throttle_status": "UNTHROTTLED"},
        "clock": {"gfx_0": {"clk": _unit(sample.sm_clock_mhz, "MHz")}},
        "temperature": {"hotspot": _unit(sample.temperature_celsius, "C")},
    }
    return f"# sample second={sample.second!r}\n{json.dumps({'gpu_data': [row]})}\n"


def _unit(value: float | None, unit: str) -> object:
    return "N/A" if value is None else {"value": value, "unit": unit}


def _stream(one: DeviceMemorySpeed, rate: float, version: str) -> str:
    head = f"# stream device={one.index} bytes={one.bytes}\nBabelStream\n"
    if version:
        head += f"Version: {version}\n"
    rows = [("Copy", rate * 1000), *((name, rate * 950) for name in STREAM_KERNELS)]
    table = "\n".join(f"{name:<12}{speed!r}   0.00102     0.00105     0.00103" for name, speed in rows)
    return f"{head}Implementation: HIP\nFunction    MBytes/sec  Min (sec)   Max         Average\n{table}\n"
