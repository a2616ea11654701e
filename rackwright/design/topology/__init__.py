"""How the switches of a fabric are counted and wired. One file per topology; `build` selects by the topology named in the site.

A new topology is one new file with a `build` function and one line in `TOPOLOGIES`.
"""

from rackwright.design.topology.build import build_all
from rackwright.design.topology.network import FabricSwitch, Network, Roster, Wires

__all__ = ["FabricSwitch", "Network", "Roster", "Wires", "build_all"]
