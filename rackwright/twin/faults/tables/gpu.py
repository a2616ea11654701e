"""Faults of GPUs: presence, identity, firmware, settings."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults.changes import change_every_gpu, change_gpu, change_machine, set_gpu, set_gpu_health
from rackwright.twin.faults.fault import Fault
from rackwright.twin.hardware import ids

FAULTS = (
    Fault(
        name="gpu-compute-exclusive",
        summary="A GPU was left in exclusive mode",
        apply=set_gpu_health(3, compute_mode=3),
        checks={"gpu.compute_mode"},
        names={"GPU {gpu[3]}"},
    ),
    Fault(
        name="gpu-compute-prohibited",
        summary="A GPU was left in the mode that refuses programs",
        apply=set_gpu_health(0, compute_mode=2),
        checks={"gpu.compute_mode"},
        names={"GPU {gpu[0]}"},
    ),
    Fault(
        name="gpu-firmware-stale",
        summary="A GPU still runs firmware of the driver before",
        apply=set_gpu_health(1, gsp_firmware="570.124.06"),
        checks={"gpu.gsp_firmware"},
        names={"GPU {gpu[1]}"},
    ),
    Fault(
        name="gpu-inforom-corrupted",
        summary="The InfoROM of a GPU is corrupted",
        apply=set_gpu_health(2, inforom_valid=False),
        checks={"gpu.inforom"},
        names={"GPU {gpu[2]}"},
    ),
    Fault(
        name="gpu-inforom-older",
        summary="A GPU has an older InfoROM than its neighbours",
        apply=set_gpu_health(0, inforom="G520.0200.00.03"),
        checks={"gpu.inforom"},
        names={"GPU {gpu[0]}"},
    ),
    Fault(
        name="gpu-leftover-process",
        summary="A program of an earlier job still runs on a GPU",
        apply=set_gpu_health(5, processes=((48213, "python3"),)),
        checks={"gpu.processes"},
        names={"GPU {gpu[5]}"},
        refused=False,
    ),
    Fault(
        name="gpu-missing",
        summary="A GPU has fallen off the bus",
        apply=set_gpu(5, present=False),
        checks={"gpu.count"},
        # slurmd waits some 20 s for a device file of gres.conf that is not there, and then gives up.
        also={"host.services"},
        names={"accelerators that answer: {left[1]}"},
        masks={"collective.in_node"},
    ),
    Fault(
        name="gpu-other-board",
        summary="A GPU sits on a board of another revision",
        apply=set_gpu_health(6, part_number="692-2G520-0205-000"),
        checks={"gpu.part_number"},
        names={"GPU {gpu[6]}"},
        refused=False,
    ),
    Fault(
        name="gpu-persistence-off",
        summary="Persistence mode of a GPU is off",
        apply=set_gpu_health(2, persistence=False),
        checks={"gpu.persistence_mode"},
        names={"GPU {gpu[2]}"},
    ),
    Fault(
        name="gpu-reset-required",
        summary="The driver asks for a reset of a GPU",
        apply=set_gpu_health(6, recovery_action=1),
        checks={"gpu.recovery_action"},
        names={"GPU {gpu[6]}"},
    ),
    # Both boards were flashed with the same image.
    Fault(
        name="gpu-serial-of-another-node",
        summary="GPUs of two nodes show the same serial number",
        apply=set_gpu(4, serial="1320000000001"),
        checks={"gpu.serials_fleet"},
        names={"GPU {gpu[4]}"},
        nodes=2,
    ),
    Fault(
        name="gpu-serial-twice",
        summary="Two GPUs tell the same serial number",
        apply=change_machine(
            lambda machine: replace(
                machine,
                gpus=(machine.gpus[0], replace(machine.gpus[1], serial=machine.gpus[0].serial), *machine.gpus[2:]),
            )
        ),
        checks={"gpu.serials"},
        names={"GPU {gpu[1]}"},
    ),
    Fault(
        name="gpu-vbios-node-behind",
        summary="All GPUs of a node carry an older VBIOS than the fleet",
        apply=change_every_gpu(lambda gpu: replace(gpu, vbios="96.00.61.00.01")),
        checks={"gpu.vbios_fleet"},
        names={"GPU {gpu[0]}"},
    ),
    Fault(
        name="gpu-wrong-product",
        summary="A GPU of another product sits in one socket",
        apply=change_gpu(5, lambda gpu: replace(gpu, product_name=ids.other_product(gpu.vendor, gpu.product_name))),
        checks={"gpu.product"},
        names={"GPU {gpu[5]}"},
    ),
    Fault(
        name="gpu-wrong-vbios",
        summary="A GPU carries an older VBIOS than its neighbours",
        apply=set_gpu(3, vbios="96.00.61.00.01"),
        checks={"gpu.vbios"},
        names={"GPU {gpu[3]}"},
    ),
    Fault(
        name="gpus-missing",
        summary="Two GPUs have fallen off the bus",
        apply=change_every_gpu(lambda gpu: replace(gpu, present=gpu.index not in (1, 2))),
        checks={"gpu.count"},
        also={"host.services"},
        names={"accelerators that answer: {left[2]}"},
        masks={"collective.in_node"},
    ),
    Fault(
        name="mig-left-on",
        summary="A GPU was left cut into instances",
        apply=set_gpu_health(4, mig=True),
        checks={"gpu.mig_mode"},
        names={"GPU {gpu[4]}"},
    ),
)
