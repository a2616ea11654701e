"""The maker of accelerators: one record per file in ``rackwright/catalog/vendors/``."""

from __future__ import annotations

from typing import Literal

from rackwright.model.capability import Capability
from rackwright.model.sourced import Sku
from rackwright.model.texts import (
    BillField,
    CollectorOrNothing,
    NodePathOrNothing,
    PerftestOptions,
    RoleNameOrNothing,
    Variable,
)


class Vendor(Sku):
    """What all accelerators of a maker have in common on a node; its `sku` is the word that accelerators name it by."""

    kind: Literal["vendor"]
    device_file: NodePathOrNothing = ""
    """Device file of an accelerator without its number (``/dev/nvidia``): what Slurm counts and gives to jobs (gres.conf(5), File). Empty: Slurm
    gives none away."""
    first_device: int = 0
    """Number of the first device file."""
    visible_devices: Variable | None = None
    """Variable that gives its container runtime the devices of a container, by number; empty: it has no such runtime."""
    driver_role: RoleNameOrNothing = ""
    """The role that installs the driver, where no role names the vendor itself."""
    bill_fields: dict[Literal["driver", "toolkit", "firmware"], BillField] = {"driver": "vendor_driver"}
    """Fields of the bill whose versions the vendor's tool prints, as packages count them: of the driver, of the toolkit that it serves, and of the
    firmware in force."""
    capabilities: list[Capability] = []
    """Of all its accelerators, beside those that a part names itself."""
    group_test: CollectorOrNothing = ""
    """Collector of collectives over nodes that `rackwright isolate --run` starts; empty: there is none."""
    exporter: Literal["dcgm_exporter", "vendor_exporter"] = "vendor_exporter"
    """Field of the bill that names the exporter of its accelerators."""
    numa_nodes_per_socket: int = 0
    """NUMA nodes with processors that the firmware must show for each socket; 0 where its maker asks for none."""
    perftest_memory: PerftestOptions = ""
    """Options by which perftest takes memory of an accelerator, ``$g`` for its number; empty: memory of the host."""
