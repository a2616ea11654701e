"""Faults of drives."""

from __future__ import annotations

from rackwright.twin.faults.changes import set_drive, set_kernel_lines, set_system
from rackwright.twin.faults.fault import Fault

FAULTS = (
    Fault(
        name="drive-failing",
        summary="A drive warns that it is about to fail",
        apply=set_drive(5, critical_warning=4),
        checks={"drives.health"},
        names={"{drive[5]}"},
    ),
    # The drive was replaced and not updated.
    Fault(
        name="drive-firmware-old",
        summary="A drive has another firmware than its peers",
        apply=set_drive(4, firmware="GDC5302Q"),
        checks={"drives.firmware"},
        names={"{drive[4]}"},
    ),
    Fault(
        name="drive-io-errors",
        summary="A drive fails requests",
        apply=set_kernel_lines("block_io_error", "buffer_io_error"),
        checks={"kernel.io_errors"},
        names={"nvme0n1"},
    ),
    Fault(
        name="drive-media-errors",
        summary="A drive has lost data",
        apply=set_drive(2, media_errors=17),
        checks={"drives.health"},
        names={"{drive[2]}"},
    ),
    # It has fallen off its link.
    Fault(
        name="drive-missing",
        summary="A data drive is missing",
        apply=set_drive(3, present=False),
        checks={"drives.count"},
        names={"{drives[1]} of"},
    ),
    # A contact of its connector is dirty.
    Fault(
        name="drive-narrow",
        summary="A drive trains with half its lanes",
        apply=set_drive(3, width=2),
        checks={"drives.link"},
        names={"{drive[3]}"},
    ),
    # A contact of its connector is dirty.
    Fault(
        name="drive-slow-link",
        summary="A drive trains at an older generation",
        apply=set_drive(3, generation=3),
        checks={"drives.link"},
        names={"{drive[3]}"},
    ),
    Fault(
        name="drive-spare-low",
        summary="A drive runs out of spare blocks",
        apply=set_drive(1, available_spare=6),
        checks={"drives.wear"},
        names={"{drive[1]}"},
    ),
    Fault(
        name="drive-worn",
        summary="A drive is worn out",
        apply=set_drive(6, percentage_used=104),
        checks={"drives.wear"},
        names={"{drive[6]}"},
    ),
    # A drive of half the capacity was fitted at a repair.
    Fault(
        name="drive-wrong-size",
        summary="A data drive is too small",
        apply=set_drive(0, terabytes=1.92),
        checks={"drives.count"},
        names={"{drives[1]} of"},
    ),
    Fault(
        name="root-full",
        summary="The system drive is full",
        apply=set_system(root_used_share=0.97),
        checks={"host.disk_space"},
        names={"root"},
    ),
    Fault(
        name="root-read-only",
        summary="The system drive is read-only",
        apply=set_system(read_only_mounts=("/",)),
        checks={"host.disk_space"},
        names={"read-only"},
    ),
)
