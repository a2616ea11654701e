"""No module in a port of the InfiniBand switches is warmer than modules may be."""

from rackwright.compare import switch_health
from rackwright.compare.threshold import threshold
from rackwright.model.evidence.switch_health import SubnetSwitches

CHECK = threshold(
    reads=SubnetSwitches,
    metric="fabric.module_celsius",
    readings=lambda _, record, most: switch_health.celsius(lambda switch: switch.modules, most)(record),
    good=lambda state, _: state == switch_health.WITHIN,
    what="temperature of modules in switches:",
    expected="at most {bound:g} °C",
    applies=switch_health.lights_switches,
)
