"""Records of GEMM burns, memory tests, the vendor's diagnostic and gpu-burn on the accelerators of a machine."""

from __future__ import annotations

import hashlib

from rackwright import compare
from rackwright.model.check import Expectation
from rackwright.model.evidence import load
from rackwright.twin.hardware.performance import model
from rackwright.twin.hardware.state import Gpu, State, TwinMachine

TOOL = "rackwright-burn 1, cuBLAS 13.0.2"
SECONDS, STEPS, SIZE = 150.0, 10, 16384
"""Seconds and intervals of one precision, edge of the matrices."""
POWER_SHARE, WARM = 0.989, 65
CAPPED_MHZ, CAPPED_FP8_MHZ = 1470, 1335
"""A healthy part at its power cap: draw as a share of it, degrees Celsius, clock in most precisions and in FP8, as recorded of an H200
(tests/cases/collectors/gemm_burn/h200_sxm.yaml)."""
COPIES, COPY_BYTES = 5, 8 << 30
PATTERNS = ("0x00000000", "0xffffffff", "0x55555555", "0xaaaaaaaa", "0x0f0f0f0f", "address")
TESTED = 0.95
TESTS = {
    "Deployment": ("software",),
    "Integration": ("pcie",),
    "Hardware": ("memory", "diagnostic"),
    "Stress": ("targeted_stress", "targeted_power"),
}
STRESS_SHARE = 0.9
"""gpu-burn's single-precision kernels reach less than cuBLAS does at its best."""


def identity(gpu: Gpu) -> dict[str, object]:
    """How records name an accelerator."""
    return {"index": gpu.index, "uuid": gpu.uuid, "serial": gpu.serial, "pci_bus_id": gpu.pci_bus_id}


def burn(state: State, about: Expectation, machine: TwinMachine) -> load.Burn:
    """The record of ``rackwright-burn gemm``."""
    row = compare.limit(about, "burn.precisions")
    precisions = compare.words(row) if row else ["bf16"]
    return load.Burn(
        tool=TOOL, devices=[_burned(state, about, machine, gpu, precisions) for gpu in model.working(machine)]
    )


def _burned(
    state: State, about: Expectation, machine: TwinMachine, gpu: Gpu, precisions: list[str]
) -> load.BurnedDevice:
    gemms = [_gemm(state, about, machine, gpu, name, number) for number, name in enumerate(precisions)]
    samples = [_sample(machine, gpu, number, precisions) for number in range(STEPS * len(precisions))]
    return load.BurnedDevice.model_validate({**identity(gpu), "gemms": gemms, "samples": load.Samples.of(samples)})


def _gemm(state: State, about: Expectation, machine: TwinMachine, gpu: Gpu, precision: str, number: int) -> load.Gemm:
    speed = machine.performance.gpu(gpu.index)
    peak = (about.node.accelerator.bf16_dense_tflops if about.node.accelerator else None) or 1.0
    best = model.most(about, "burn.gemm_tflops", peak, precision=precision)
    rate = best * model.clock(machine, gpu) * speed.precisions.get(precision, 1.0)
    right = hashlib.sha256(f"{precision} {SIZE} {about.node.server.accelerator}".encode()).hexdigest()
    return load.Gemm(
        precision=precision,  # type: ignore[arg-type]
        size=SIZE,
        began=number * SECONDS,
        seconds=SECONDS,
        tflops=[
            round(
                rate * (1 - speed.fall * step / (STEPS - 1)) * model.noise(state, gpu.serial, precision, str(step)), 2
            )
            for step in range(STEPS)
        ],
        mismatches=speed.mismatches,
        digest=hashlib.sha256(gpu.serial.encode()).hexdigest() if speed.wrong_always else right,
    )


def _sample(machine: TwinMachine, gpu: Gpu, number: int, precisions: list[str]) -> load.Sample:
    speed = machine.performance.gpu(gpu.index)
    clock = model.clock(machine, gpu) * (1 - speed.fall * number / (STEPS * len(precisions)))
    capped = CAPPED_FP8_MHZ if precisions[number // STEPS] == "fp8" else CAPPED_MHZ
    fault = [*gpu.throttle_reasons, *speed.reasons]
    return load.Sample(
        second=number * SECONDS / STEPS,
        power_watts=round(gpu.power_limit_watts * POWER_SHARE * speed.power * min(1.0, clock + 0.02), 1),
        sm_clock_mhz=round(capped * clock),
        temperature_celsius=WARM
        + speed.heat_celsius
        + (max(0, gpu.temperature_celsius - WARM) if model.hot(gpu) else 0),
        throttle_reasons=list(dict.fromkeys(["sw_power_cap", *fault])),
    )


def memory(state: State, about: Expectation, machine: TwinMachine) -> load.MemoryBandwidth:
    """The record of ``rackwright-burn hbm``."""
    part = about.node.accelerator
    best = model.most(about, "hbm.copy_gbytes_per_s", part.memory_gbytes_per_s if part else 1.0)
    return load.MemoryBandwidth(
        tool=TOOL,
        devices=[
            load.DeviceMemorySpeed.model_validate(
                {
                    **identity(gpu),
                    "bytes": COPY_BYTES,
                    "copy_gbytes_per_s": [
                        round(
                            best * machine.performance.gpu(gpu.index).memory * model.noise(state, gpu.serial, str(n)), 1
                        )
                        for n in range(COPIES)
                    ],
                }
            )
            for gpu in model.working(machine)
        ],
    )


def corruption(machine: TwinMachine) -> load.Corruption:
    """The record of ``rackwright-burn patterns``."""
    return load.Corruption(tool=TOOL, devices=[_patterns(machine, gpu) for gpu in model.working(machine)])


def _patterns(machine: TwinMachine, gpu: Gpu) -> load.DevicePatterns:
    lost = machine.performance.gpu(gpu.index).corrupt_words
    size = int(gpu.memory_bytes * TESTED) // (1 << 20) * (1 << 20)
    runs = [
        load.PatternRun(
            pattern=name,
            bytes=size,
            mismatches=lost if name == "0x55555555" else 0,
            first_address=size // 3 // 4 * 4 if lost and name == "0x55555555" else None,
        )
        for name in PATTERNS
    ]
    return load.DevicePatterns.model_validate({**identity(gpu), "memory_bytes": gpu.memory_bytes, "runs": runs})


def diagnosis(machine: TwinMachine, versions: tuple[str, str]) -> load.Diagnosis:
    """The record of ``dcgmi diag``; `versions` are those of DCGM and of the driver."""
    results = [
        _result(machine, gpu, category, test)
        for category, tests in TESTS.items()
        for test in tests
        for gpu in model.working(machine)
    ]
    count = len(model.working(machine))
    return load.Diagnosis(
        tool=f"dcgmi {versions[0]}", driver_version=versions[1], level="3", devices=count, results=results
    )


def _result(machine: TwinMachine, gpu: Gpu, category: str, test: str) -> load.Diagnostic:
    diagnostic = machine.performance.gpu(gpu.index).diagnostic
    bad = diagnostic is not None and diagnostic[0] == test
    return load.Diagnostic(
        test=test,
        category=category,
        part=f"GPU {gpu.index}",
        status="fail" if bad else "pass",
        messages=[diagnostic[2]] if bad and diagnostic else [],
        error_code=100 if bad else None,
        error_category=diagnostic[1] if bad and diagnostic else "",
    )


def stress(state: State, about: Expectation, machine: TwinMachine) -> load.Stress:
    """The record of gpu-burn."""
    part = about.node.accelerator
    peak = (
        next(
            (
                throughput.tflops
                for throughput in part.throughput
                if (throughput.precision, throughput.sparsity) == ("fp32", "dense")
            ),
            1.0,
        )
        if part
        else 1.0
    )
    return load.Stress(
        tool="gpu-burn",
        devices=[
            load.StressedDevice(
                index=gpu.index,
                product_name=gpu.product_name,
                uuid=gpu.uuid,
                gflops=round(
                    peak * 1000 * STRESS_SHARE * model.clock(machine, gpu) * model.noise(state, gpu.serial, "stress")
                ),
                errors=machine.performance.gpu(gpu.index).stress_errors,
                temperature_celsius=WARM + machine.performance.gpu(gpu.index).heat_celsius,
                faulty=machine.performance.gpu(gpu.index).stress_errors > 0,
            )
            for gpu in model.working(machine)
        ],
    )
