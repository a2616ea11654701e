"""Faults of GPUs that only load shows: burn-in, copies, training, serving."""

from __future__ import annotations

from rackwright.twin.faults.changes import set_every_gpu_performance, set_gpu_performance, set_performance
from rackwright.twin.faults.fault import Fault

FAULTS = (
    Fault(
        name="copy-from-gpu-slow",
        summary="Copies from one GPU are slow although its link has all lanes",
        apply=set_gpu_performance(4, host_read=0.6),
        checks={"copy.device_to_host"},
        names={"GPU {gpu[4]}"},
    ),
    Fault(
        name="copy-to-gpu-slow",
        summary="Copies to one GPU are slow although its link has all lanes",
        apply=set_gpu_performance(5, host_write=0.6),
        checks={"copy.host_to_device"},
        names={"GPU {gpu[5]}"},
    ),
    Fault(
        name="gpu-always-wrong",
        summary="A GPU computes the same wrong product every time",
        apply=set_gpu_performance(7, wrong_always=True),
        checks={"burn.agreement"},
        names={"GPU {gpu[7]}"},
    ),
    Fault(
        name="gpu-drops-requests",
        summary="A GPU loses its context again and again under a server, and requests to it fail",
        apply=set_gpu_performance(4, failed_requests=5),
        checks={"serving.answers"},
        names={"GPU {gpu[4]}"},
    ),
    Fault(
        name="gpu-fades",
        summary="A GPU becomes slower minute by minute and gives no reason",
        apply=set_gpu_performance(1, fall=0.15),
        checks={"burn.steady"},
        names={"GPU {gpu[1]}"},
    ),
    Fault(
        name="gpu-fp8-slow",
        summary="A GPU is slow in FP8 alone",
        apply=set_gpu_performance(5, precisions={"fp8": 0.5}),
        checks={"burn.gemm"},
        names={"GPU {gpu[5]}"},
        needs="nvidia",
    ),
    Fault(
        name="gpu-hot-under-load",
        summary="A GPU gets too hot while it works, and slows down",
        apply=set_gpu_performance(6, fall=0.2, heat_celsius=22, reasons=("hw_thermal_slowdown",)),
        checks={"burn.throttle"},
        names={"GPU {gpu[6]}"},
    ),
    Fault(
        name="gpu-links-slow",
        summary="The NVLinks of one GPU retransmit so much that it is slow to all others",
        apply=set_gpu_performance(2, links=0.6),
        checks={"copy.device_to_device"},
        names={"GPU {gpu[2]}"},
    ),
    Fault(
        name="gpu-miscomputes",
        summary="A GPU computes the same product differently from time to time",
        apply=set_gpu_performance(4, mismatches=12),
        checks={"burn.errors"},
        names={"GPU {gpu[4]}"},
    ),
    Fault(
        name="gpu-overflows",
        summary="The products of a GPU overflow in a training",
        apply=set_gpu_performance(3, not_numbers=True),
        checks={"training.learns"},
        names={"GPU {gpu[3]}"},
    ),
    Fault(
        name="gpu-power-held-back",
        summary="A GPU does not draw the power that it was bought with",
        apply=set_gpu_performance(2, power=0.7, clock=0.97),
        checks={"burn.power_reached"},
        names={"GPU {gpu[2]}"},
    ),
    Fault(
        name="gpu-slow-clock",
        summary="A GPU holds a lower clock under load than its neighbours",
        apply=set_gpu_performance(3, clock=0.85),
        checks={"burn.gemm"},
        names={"GPU {gpu[3]}"},
    ),
    Fault(
        name="host-memory-slow",
        summary="Host memory runs too slowly for the copies of all GPUs",
        apply=set_performance(host=0.75),
        checks={"copy.host_to_device", "copy.device_to_host"},
        names={"GPU {gpu[0]}"},
    ),
    Fault(
        name="power-brake-under-load",
        summary="The power brake holds all GPUs of a node back while they work",
        apply=set_every_gpu_performance(clock=0.6, power=0.6, reasons=("hw_power_brake_slowdown",)),
        checks={"burn.throttle"},
        names={"hw_power_brake_slowdown"},
    ),
)
