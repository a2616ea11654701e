"""Roles on DGX OS: they replace the driver stack of its image and leave NVIDIA's other packages alone."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from rackwright import design, spec
from rackwright.model.software import BASES, Bill
from rackwright.onboard import facts, plan
from rackwright.onboard.role_engine import declared_sections
from rackwright.twin import systems

ROOT = Path(__file__).resolve().parents[3]
SITES = {"inventories/h100-pod/site.yaml": "train", "tests/roles/sites/nvidia.yaml": "sliced"}
STACK = (
    "nvidia-driver-*", "nvidia-dkms-*", "nvidia-kernel-common-*", "libnvidia-*", "nvidia-utils-*", "nvidia-compute-utils-*", "nvidia-modprobe",
    "linux-modules-nvidia-*", "nvidia-fabricmanager*", "datacenter-gpu-manager*", "nvidia-container-toolkit*", "nvidia-mig-manager", "docker-ce",
)  # fmt: skip
"""What the bill of a site has versions of."""


def patterns(path: str, pool: str, system: str) -> Iterator[str]:
    """Names and wildcards of packages that roles install, hold or remove on a node of `pool`."""
    loaded = spec.load(ROOT / path)
    software = loaded.site.software
    bill = Bill.model_validate({**software.pools.get(pool, Bill()).model_dump(exclude_unset=True), "os": system})
    update = {"software": software.model_copy(update={"pools": {**software.pools, pool: bill}})}
    plan_of_site = design.expand(loaded.site.model_copy(update=update), loaded.catalog)
    node = next(node for node in plan_of_site.nodes() if node.pool == pool)
    bill = plan_of_site.site.software.bill(pool)
    roles = plan.node_roles(plan_of_site, node, bill)
    context = facts.Context(plan_of_site, {"munge_key": ROOT, "kubeadm_token": ROOT})
    variables = plan.host_variables(node, roles, bill, context)
    for section in declared_sections("install", [role.name for role in roles], variables, bill):
        yield from [*(section.get("packages") or {}), *section.get("remove", [])]


@pytest.mark.parametrize("path", SITES)
@pytest.mark.parametrize("system", BASES)
def test_no_wildcard_of_a_role_reaches_a_package_of_dgx_os_that_no_bill_names(path, system):
    of_the_image = systems.load(system).packages.keys() - systems.load(BASES[system]).packages.keys()
    of_nvidia = {name for name in of_the_image if not any(fnmatchcase(name, stack) for stack in STACK)}
    assert {"dgx-release", "nvidia-kernel-defaults", "nvidia-fs-loader"} <= of_nvidia
    reached = {
        (name, glob) for glob in patterns(path, SITES[path], system) for name in of_nvidia if fnmatchcase(name, glob)
    }
    assert reached == set()
