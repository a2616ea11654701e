"""Faults in the walls between tenants of a node in Kubernetes."""

from __future__ import annotations

from rackwright.twin.faults.changes import set_performance, set_system
from rackwright.twin.faults.fault import Fault

FAULTS = (
    Fault(
        name="neighbour-takes-bandwidth",
        summary="Half of the accelerators copy half as fast while the other half copies as well",
        apply=set_performance(kept_beside=0.5),
        checks={"tenancy.neighbour"},
        names={"from host"},
        needs="tenants nvidia",
        refused=False,
    ),
    Fault(
        name="tenant-class-free",
        summary="Tenants may give their pods the priority of every class",
        apply=set_system(open_walls=("class",)),
        checks={"tenancy.priority"},
        names={"taken"},
        needs="tenants",
        refused=False,
    ),
    Fault(
        name="tenant-devices-shown",
        summary="The container runtime shows every accelerator to pods that ask for none (NVIDIA_VISIBLE_DEVICES=all without privileges)",
        apply=set_system(open_walls=("devices",)),
        checks={"tenancy.devices"},
        names={"sees"},
        needs="tenants",
        refused=False,
    ),
    Fault(
        name="tenant-network-open",
        summary="The network plugin ignores network policies, as flannel does by itself",
        apply=set_system(open_walls=("network",)),
        checks={"tenancy.network"},
        names={"reached"},
        needs="tenants",
        refused=False,
    ),
    Fault(
        name="tenant-quota-missing",
        summary="The quota of tenants is not in the cluster",
        apply=set_system(open_walls=("quota",)),
        checks={"tenancy.quota"},
        names={"taken"},
        needs="tenants",
        refused=False,
    ),
    Fault(
        name="tenant-rights-wide",
        summary="Members of a tenant may make pods in the namespaces of others",
        apply=set_system(open_walls=("namespace",)),
        checks={"tenancy.rights"},
        names={"taken"},
        needs="tenants",
        refused=False,
    ),
)
