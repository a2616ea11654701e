"""Records of nvbandwidth: host links and links between accelerators."""

from __future__ import annotations

from rackwright.model.check import Expectation
from rackwright.model.evidence.load import Copies, Copy, Direction
from rackwright.twin.hardware.performance import model
from rackwright.twin.hardware.state import Gpu, State, TwinMachine


def copies(state: State, about: Expectation, machine: TwinMachine, driver: str) -> Copies:
    """The record of ``nvbandwidth -j``; the tool numbers the accelerators that it sees from 0, in the order of their places."""
    gpus = model.working(machine)
    peer = model.most(about, "copy.device_to_device_gbytes_per_s", model.pair(about))
    results = [_host(state, about, machine, gpu, number, "host_to_device") for number, gpu in enumerate(gpus)]
    results += [_host(state, about, machine, gpu, number, "device_to_host") for number, gpu in enumerate(gpus)]
    if machine.performance.peers:
        results += [
            _peer(state, machine, (a, gpus[a]), (b, gpus[b]), peer)
            for a in range(len(gpus))
            for b in range(len(gpus))
            if a != b
        ]
    return Copies(tool="nvbandwidth 0.9", driver_version=driver, copies=results)


def _host(state: State, about: Expectation, machine: TwinMachine, gpu: Gpu, number: int, direction: Direction) -> Copy:
    speed = machine.performance.gpu(gpu.index)
    down = direction == "host_to_device"
    best = (
        model.most(about, "copy.host_to_device_gbytes_per_s", model.HOST_PEAK)
        if down
        else model.most(about, "copy.device_to_host_gbytes_per_s", model.HOST_PEAK)
    )
    share = (speed.host_write if down else speed.host_read) * model.lanes(machine, gpu, about)
    rate = round(best * share * model.noise(state, gpu.serial, direction), 2)
    source, target = (None, number) if down else (number, None)
    return Copy(direction=direction, source=source, target=target, gbytes_per_s=rate, engine="copy_engine")


def _peer(state: State, machine: TwinMachine, near: tuple[int, Gpu], far: tuple[int, Gpu], best: float) -> Copy:
    share = min(model.links(machine, near[1]), model.links(machine, far[1]))
    rate = round(best * share * model.noise(state, near[1].serial, far[1].serial), 2)
    return Copy(direction="device_to_device", source=near[0], target=far[0], gbytes_per_s=rate, engine="copy_engine")
