"""Functions that put a fault into a state: fields in, an `Apply` out.

`set_*` functions set fields to fixed values; `change_*` and `set_*_from` compute them from the machine that is hit. A part is
addressed by its number; a number beyond the last part starts again at the first one, and a machine without such a part stays
as it is.
"""

from rackwright.twin.faults.changes.accelerator import (
    change_every_gpu,
    change_gpu,
    remove_adapter,
    set_adapter,
    set_board,
    set_gpu,
    set_gpu_health,
)
from rackwright.twin.faults.changes.kernel_lines import set_kernel_lines
from rackwright.twin.faults.changes.machine import (
    change_machine,
    set_chassis,
    set_chassis_from,
    set_dimm,
    set_drive,
    set_machine,
    set_package,
    set_system,
    set_system_from,
)
from rackwright.twin.faults.changes.network import (
    INBAND_NAMES,
    RAIL,
    RAIL_NAMES,
    change_cables,
    find_port,
    set_cable,
    set_inband_port,
    set_leaf,
    set_port,
    set_trunk,
    set_trunk_counters,
    swap_ethernet,
    swap_ethernet_ports,
    swap_far_ends,
    trunk_cables,
)
from rackwright.twin.faults.changes.performance import (
    set_every_gpu_performance,
    set_gpu_performance,
    set_performance,
    set_rail_performance,
)
from rackwright.twin.faults.changes.plant import set_cdu, set_pdu, set_shelf

__all__ = [
    "INBAND_NAMES",
    "RAIL",
    "RAIL_NAMES",
    "change_cables",
    "change_every_gpu",
    "change_gpu",
    "change_machine",
    "find_port",
    "remove_adapter",
    "set_adapter",
    "set_board",
    "set_cable",
    "set_cdu",
    "set_chassis",
    "set_chassis_from",
    "set_dimm",
    "set_drive",
    "set_every_gpu_performance",
    "set_gpu",
    "set_gpu_health",
    "set_gpu_performance",
    "set_inband_port",
    "set_kernel_lines",
    "set_leaf",
    "set_machine",
    "set_package",
    "set_pdu",
    "set_performance",
    "set_port",
    "set_rail_performance",
    "set_shelf",
    "set_system",
    "set_system_from",
    "set_trunk",
    "set_trunk_counters",
    "swap_ethernet",
    "swap_ethernet_ports",
    "swap_far_ends",
    "trunk_cables",
]
