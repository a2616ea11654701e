"""Xid errors of GPUs and SXid errors of NVSwitches in the kernel log."""

from __future__ import annotations

from rackwright.twin.faults.changes import set_board, set_gpu_health
from rackwright.twin.faults.fault import Fault

FAULTS = (
    Fault(
        name="sxid-always-fatal",
        summary="An NVSwitch has logged an error that only a restart ends",
        apply=set_board(switch_errors=((0, 22003, True, "Link 12 NXBAR error"),)),
        checks={"xid.nvswitch", "nvlink.manager_log"},
        names={"NVSwitch 0"},
    ),
    Fault(
        name="sxid-fatal",
        summary="An NVSwitch has logged a fatal error of a link",
        apply=set_board(switch_errors=((2, 20034, True, "Link 30 LTSSM Fault Up"),)),
        checks={"xid.nvswitch", "nvlink.manager_log"},
        names={"NVSwitch 2"},
    ),
    Fault(
        name="sxid-non-fatal",
        summary="An NVSwitch has logged an error that is not fatal",
        apply=set_board(switch_errors=((3, 28006, False, "Link 46 MC TS crumbstore MCTO (First)"),)),
        checks={"xid.nvswitch", "nvlink.manager_log"},
        names={"NVSwitch 3"},
        refused=False,
    ),
    Fault(
        name="xid-109-context-switch",
        summary="A GPU does not switch contexts any more",
        apply=set_gpu_health(
            1,
            xids=((109, "pid='<unknown>', name=<unknown>, Ch 00000009, errorString CTX SWITCH TIMEOUT, Info 0x6c009"),),
        ),
        checks={"xid.none_critical"},
        names={"{bus[1]} Xid 109"},
    ),
    Fault(
        name="xid-119-gsp-timeout",
        summary="The firmware of a GPU does not answer",
        apply=set_gpu_health(
            2, xids=((119, "pid=2211, name=nvidia-smi, Timeout after 6s of waiting for RPC response from GPU2 GSP!"),)
        ),
        checks={"xid.none_critical"},
        names={"{bus[2]} Xid 119"},
    ),
    Fault(
        name="xid-120-gsp-error",
        summary="The firmware of a GPU has crashed",
        apply=set_gpu_health(
            3, xids=((120, "pid='<unknown>', name=<unknown>, GSP task exception: load access fault"),)
        ),
        checks={"xid.none_critical"},
        names={"{bus[3]} Xid 120"},
    ),
    Fault(
        name="xid-140-ecc-escape",
        summary="A GPU has logged an ECC error that escaped correction",
        apply=set_gpu_health(4, xids=((140, "pid='<unknown>', name=<unknown>, Unrecovered ECC Error"),)),
        checks={"xid.none_critical"},
        names={"{bus[4]} Xid 140"},
    ),
    Fault(
        name="xid-143-init-failure",
        summary="A GPU failed to start",
        apply=set_gpu_health(5, xids=((143, "pid='<unknown>', name=<unknown>, GPU Initialization Failure"),)),
        checks={"xid.none_critical"},
        names={"{bus[5]} Xid 143"},
    ),
    Fault(
        name="xid-154-reset-required",
        summary="The driver advises to reset a GPU",
        apply=set_gpu_health(
            3, xids=((154, "GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)"),)
        ),
        checks={"xid.recovery_advice"},
        names={"accelerator {bus[3]}"},
    ),
    Fault(
        name="xid-154-restart-required",
        summary="The driver advises to restart the node",
        apply=set_gpu_health(
            6, xids=((154, "GPU recovery action changed from 0x0 (None) to 0x2 (Node Reboot Required)"),)
        ),
        checks={"xid.recovery_advice"},
        names={"Node Reboot Required"},
    ),
    Fault(
        name="xid-171-dram",
        summary="A GPU has logged an uncorrectable error of its memory",
        apply=set_gpu_health(6, xids=((171, "pid='<unknown>', name=<unknown>, Uncorrectable DRAM error"),)),
        checks={"xid.none_critical"},
        names={"{bus[6]} Xid 171"},
    ),
    Fault(
        name="xid-31-page-fault",
        summary="A program has read outside of its memory on a GPU",
        apply=set_gpu_health(
            2, xids=((31, "pid=8, name=train, channel 0x00000004. MMU Fault: ENGINE CE0 HUBCLIENT_HOST faulted"),)
        ),
        checks={"xid.application"},
        names={"{bus[2]} Xid 31"},
        refused=False,
    ),
    Fault(
        name="xid-46-gpu-timeout",
        summary="A GPU did not answer its driver in time",
        apply=set_gpu_health(1, xids=((46, "pid='<unknown>', name=<unknown>, GPU stopped processing"),)),
        checks={"xid.none_critical"},
        names={"{bus[1]} Xid 46"},
    ),
    Fault(
        name="xid-48-double-bit",
        summary="A GPU has logged a double bit error",
        apply=set_gpu_health(
            3, xids=((48, "pid='<unknown>', name=<unknown>, DBE (double bit error) ECC Error detected on GPU"),)
        ),
        checks={"xid.none_critical"},
        names={"{bus[3]} Xid 48"},
    ),
    Fault(
        name="xid-62-controller-halt",
        summary="The power controller of a GPU has halted",
        apply=set_gpu_health(4, xids=((62, "023f0f30 00000000 00000000 202c0ffe 202bc4b6"),)),
        checks={"xid.none_critical"},
        names={"{bus[4]} Xid 62"},
    ),
    Fault(
        name="xid-64-remap-failure",
        summary="A GPU could not record a row remap",
        apply=set_gpu_health(5, xids=((64, "pid='<unknown>', name=<unknown>, Row Remapper: failed to record"),)),
        checks={"xid.none_critical"},
        names={"{bus[5]} Xid 64"},
    ),
    Fault(
        name="xid-74-nvlink",
        summary="A GPU has logged a fatal error of an NVLink",
        apply=set_gpu_health(
            6,
            xids=(
                (
                    74,
                    "pid='<unknown>', name=<unknown>, NVLink: fatal error detected on link 14(0x0, 0x0, 0x10000, 0x0, 0x0, 0x0, 0x0)",
                ),
            ),
        ),
        checks={"xid.nvlink"},
        names={"{bus[6]} Xid 74"},
        needs="fabric-manager",
    ),
    Fault(
        name="xid-79-off-the-bus",
        summary="A GPU fell off the bus and came back with a restart",
        apply=set_gpu_health(7, xids=((79, "pid='<unknown>', name=<unknown>, GPU has fallen off the bus."),)),
        checks={"xid.none_critical"},
        names={"{bus[7]} Xid 79"},
    ),
    Fault(
        name="xid-94-contained",
        summary="A memory error of a GPU has ended a program",
        apply=set_gpu_health(
            7, xids=((94, "pid='<unknown>', name=<unknown>, Contained: CE User Channel (0x9). RST: No, D-RST: No"),)
        ),
        checks={"xid.application"},
        names={"{bus[7]} Xid 94"},
        refused=False,
    ),
    Fault(
        name="xid-95-uncontained",
        summary="A memory error of a GPU hit more than one program",
        apply=set_gpu_health(
            0, xids=((95, "pid='<unknown>', name=<unknown>, Uncontained: FBHUB. RST: Yes, D-RST: No"),)
        ),
        checks={"xid.none_critical"},
        names={"{bus[0]} Xid 95"},
    ),
    Fault(
        name="xid-application-storm",
        summary="Programs on a GPU fail one after the other",
        apply=set_gpu_health(
            5,
            xids=((94, "pid='<unknown>', name=<unknown>, Contained: CE User Channel (0x9). RST: No, D-RST: No"),) * 14,
        ),
        checks={"xid.application"},
        names={"{bus[5]}"},
        refused=False,
    ),
)
