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


def burn(record: Burn) -> str:
    """hipblaslt-bench, run after run, and what amd-smi showed."""
    runs = [_gemm(device, gemm, rate) for device in record.devices for gemm in device.gemms for rate in gemm.tflops]
    looks = [_sample(device, sample) for device in record.devices for sample in device.samples.looks()]
    return _device_header(record.devices) + "".join([*runs, *looks])


def memory(record: MemoryBandwidth) -> str:
    """BabelStream, run after run."""
    version = record.tool.removeprefix("BabelStream").strip()
    return _device_header(record.devices) + "".join(
        _stream(device, rate, version) for device in record.devices for rate in device.copy_gbytes_per_s
    )


def copies(record: Copies) -> str:
    """TransferBench p2p with one socket."""
    version = record.tool.removeprefix("TransferBench").strip()
    speeds = {(copy.source, copy.target): copy.gbytes_per_s for copy in record.copies}
    gpus = sorted({end for ends in speeds for end in ends if end is not None})
    ends: list[int | None] = [None, *gpus]
    names = [f"GPU {end:02d}" if end is not None else "CPU 00" for end in ends]
    rows = [
        f" {name}  ->  "
        + "  ".join(repr(speeds[source, target]) if (source, target) in speeds else "N/A" for target in ends)
        for source, name in zip(ends, names, strict=True)
    ]
    answer = [{"tool": "AMDSMI Tool", "amdgpu_version": record.driver_version}]
    lines = [
        f"TransferBench v{version}",
        "Bytes Per Direction 268435456",
        TABLE,
        " SRC+EXE\\DST    " + "    ".join(names),
    ]
    return f"# version\n{json.dumps(answer)}\n# transferbench\n" + "\n".join([*lines, *rows, ""])


def _device_header(devices: Sequence[BurnedDevice] | Sequence[DeviceMemorySpeed]) -> str:
    listed = [
        {"gpu": device.index, "bdf": device.pci_bus_id.removeprefix("0000"), "uuid": device.uuid} for device in devices
    ]
    static = [
        {"gpu": device.index, "asic": {"asic_serial": "N/A"}, "board": {"product_serial": device.serial}}
        for device in devices
    ]
    return f"# list\n{json.dumps(listed)}\n# static\n{json.dumps({'gpu_data': static})}\n"


def _gemm(device: BurnedDevice, gemm: Gemm, rate: float) -> str:
    kind = f"{gemm.precision}_r"
    edge, square = gemm.size, gemm.size**2
    cells = ["T", "N", 0, 1, edge, edge, edge, 1, edge, square, 0, edge, square, edge, square, edge, square]
    cells += [kind] * 4 + ["f32_r", 0, 0, 0, 0, 0, "none", 0, kind, 0, rate * 1000, 0.0, 0.0]
    until = round(gemm.began + gemm.seconds, 2)
    head = f"# gemm device={device.index} precision={gemm.precision} from={gemm.began!r} until={until!r}"
    return f"{head}\n{GEMM_HEAD}\n    {','.join(map(str, cells))}\n"


def _sample(device: BurnedDevice, sample: Sample) -> str:
    row = {
        "gpu": device.index,
        "power": {"socket_power": _unit(sample.power_watts, "W"), "throttle_status": "UNTHROTTLED"},
        "clock": {"gfx_0": {"clk": _unit(sample.sm_clock_mhz, "MHz")}},
        "temperature": {"hotspot": _unit(sample.temperature_celsius, "C")},
    }
    return f"# sample second={sample.second!r}\n{json.dumps({'gpu_data': [row]})}\n"


def _unit(value: float | None, unit: str) -> object:
    return "N/A" if value is None else {"value": value, "unit": unit}


def _stream(device: DeviceMemorySpeed, rate: float, version: str) -> str:
    head = f"# stream device={device.index} bytes={device.bytes}\nBabelStream\n"
    if version:
        head += f"Version: {version}\n"
    rows = [("Copy", rate * 1000), *((name, rate * 950) for name in STREAM_KERNELS)]
    table = "\n".join(f"{name:<12}{speed!r}   0.00102     0.00105     0.00103" for name, speed in rows)
    return f"{head}Implementation: HIP\nFunction    MBytes/sec  Min (sec)   Max         Average\n{table}\n"
