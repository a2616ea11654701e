"""Which machines answer in the BMC networks, and whether each sits where it is declared.

    addresses (declared ranges, leases) -> sweep -> visits, stored first -> machines -> matching (serials, cables) -> RackSurvey

Nothing is changed on a BMC, and an address outside the declared ranges is never contacted.
"""

from rackwright.discover.addresses import BmcRanges, plan_sweep
from rackwright.discover.declarations import Declarations, DeclaredSlot
from rackwright.discover.delivery import DeliveredMachine, read_delivery
from rackwright.discover.leases import Lease, read_leases
from rackwright.discover.machine import SweptMachine, machine_of
from rackwright.discover.matching import SurveyInputs, survey_machines
from rackwright.discover.survey import RackSurvey
from rackwright.discover.sweep import sweep_bmcs
from rackwright.discover.switch_tables import PortTable, read_switch_table
from rackwright.discover.visits import BmcVisit, VisitStore
from rackwright.discover.wiring import SlotWiring

__all__ = [
    "BmcRanges",
    "BmcVisit",
    "Declarations",
    "DeclaredSlot",
    "DeliveredMachine",
    "Lease",
    "PortTable",
    "RackSurvey",
    "SlotWiring",
    "SurveyInputs",
    "SweptMachine",
    "VisitStore",
    "machine_of",
    "plan_sweep",
    "read_delivery",
    "read_leases",
    "read_switch_table",
    "survey_machines",
    "sweep_bmcs",
]
