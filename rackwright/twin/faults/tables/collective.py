"""Faults of collectives: results, ranks, and the path that they take."""

from __future__ import annotations

from rackwright.twin.faults.changes import set_performance, set_rail_performance
from rackwright.twin.faults.fault import Fault

FAULTS = (
    Fault(
        name="collective-unproven",
        summary="The library's log goes elsewhere, so no path of a collective is proven",
        apply=set_performance(silent_log=True),
        checks={"collective.in_node"},
        names={"no path proven"},
        masks={"collective.in_node", "collective.path", "collective.path_across"},
        elsewhere={"collective.ports"},
        unread=True,
    ),
    Fault(
        name="collective-wrong",
        summary="Collectives of a node give wrong results",
        apply=set_performance(wrong_elements=9),
        checks={"collective.wrong"},
        names={"all_reduce"},
    ),
    Fault(
        name="gpu-hidden-from-jobs",
        summary="Jobs get one GPU fewer than the driver shows",
        apply=set_performance(hidden=(3,)),
        checks={"collective.ranks"},
        names={"GPU {gpu[3]}"},
        masks={"collective.in_node"},
    ),
    Fault(
        name="gpudirect-missing",
        summary="The module that lets adapters reach GPU memory is not loaded",
        apply=set_performance(gpudirect=False),
        checks={"collective.path_across", "rail.gpudirect"},
        names={"without GPUDirect", "host memory"},
    ),
    Fault(
        name="peer-access-off",
        summary="GPUs reach each other through host memory only",
        apply=set_performance(peers=False),
        checks={"collective.path"},
        names={"shm", ": other"},
        masks={"collective.in_node", "collective.path", "copy.device_to_device"},
    ),
    Fault(
        name="rail-left-out",
        summary="The collective library leaves one rail out",
        apply=set_rail_performance(7, used=False),
        checks={"collective.path_across"},
        names={"{compute[7]}"},
    ),
    Fault(
        name="tcp-fallback",
        summary="The collective library finds no RDMA and uses TCP",
        apply=set_performance(tcp=True),
        checks={"collective.path_across"},
        names={"socket"},
        masks={"collective.path_across"},
    ),
)
