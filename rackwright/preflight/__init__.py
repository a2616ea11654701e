"""Probes what a bring-up needs from where it will run, before anything is touched: each with pass or fail and the next step.

Public: `probes`, `run_probes`, `ProbeResult`, `STAGES`. Nothing is changed anywhere; a BMC is logged in to and out of.
"""

from typing import TYPE_CHECKING

from rackwright.base.first_use import on_first_use

if TYPE_CHECKING:
    from rackwright.preflight.plan import Asking as Asking
    from rackwright.preflight.plan import Probe as Probe
    from rackwright.preflight.plan import probes as probes
    from rackwright.preflight.plan import run_probes as run_probes
from rackwright.preflight.result import STAGES as STAGES
from rackwright.preflight.result import ProbeResult as ProbeResult
from rackwright.preflight.result import Stage as Stage

__getattr__ = on_first_use(__name__, plan="Asking Probe probes run_probes")
