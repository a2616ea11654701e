"""Faults of power, clocks and temperature of a GPU at rest."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults.changes import change_gpu, set_gpu, set_gpu_health
from rackwright.twin.faults.fault import Fault

FAULTS = (
    Fault(
        name="gpu-busy-idle",
        summary="A GPU draws much power without a program",
        apply=change_gpu(
            5, lambda gpu: replace(gpu, health=replace(gpu.health, power_watts=gpu.power_limit_watts // 2))
        ),
        checks={"gpu.power_idle"},
        names={"GPU {gpu[5]}"},
    ),
    Fault(
        name="gpu-clocks-lowered",
        summary="Someone lowered the clocks of a GPU for applications",
        apply=set_gpu_health(1, application_clock_mhz=1410),
        checks={"gpu.clocks"},
        names={"GPU {gpu[1]}"},
    ),
    Fault(
        name="gpu-hot",
        summary="A GPU is hot although nothing runs on it",
        apply=set_gpu(3, temperature_celsius=72),
        checks={"gpu.temperature"},
        names={"GPU {gpu[3]}"},
    ),
    Fault(
        name="gpu-memory-hot",
        summary="The memory of a GPU is hot",
        apply=set_gpu_health(2, memory_celsius=88),
        checks={"gpu.temperature_memory"},
        names={"GPU {gpu[2]}"},
    ),
    Fault(
        name="gpu-power-capped",
        summary="Someone lowered the power limit of a GPU",
        apply=change_gpu(3, lambda gpu: replace(gpu, power_limit_watts=gpu.power_limit_watts * 5 // 7)),
        checks={"gpu.power_limit"},
        names={"GPU {gpu[3]}"},
    ),
    Fault(
        name="gpu-slower-bin",
        summary="The highest clock that a GPU allows is lower than that of its neighbours",
        apply=set_gpu_health(6, clock_sm_mhz=1755),
        checks={"gpu.clocks"},
        names={"GPU {gpu[6]}"},
    ),
    Fault(
        name="gpu-threshold-lowered",
        summary="The temperature at which a GPU slows down is far too low",
        apply=set_gpu_health(4, margin_celsius=9),
        checks={"gpu.temperature_margin"},
        names={"GPU {gpu[4]}"},
    ),
    Fault(
        name="gpu-warmer",
        summary="The heat sink of a GPU sits badly",
        apply=set_gpu(6, temperature_celsius=56),
        checks={"gpu.temperature_spread"},
        names={"GPU {gpu[6]}"},
        refused=False,
    ),
    Fault(
        name="power-brake",
        summary="A GPU is held back by the power brake",
        apply=set_gpu(7, throttle_reasons=("hw_power_brake_slowdown",)),
        checks={"gpu.throttle"},
        names={"GPU {gpu[7]}"},
    ),
    Fault(
        name="thermal-throttle",
        summary="A GPU slows down because it is too hot",
        apply=set_gpu(0, temperature_celsius=91, throttle_reasons=("hw_thermal_slowdown",)),
        checks={"gpu.throttle"},
        names={"GPU {gpu[0]}"},
    ),
)
