"""What if? Several elements are lost together, or the site is changed, and the design shows the consequences."""

from rackwright.design.whatif.change import apply_changes
from rackwright.design.whatif.consequences import simulate_scenario
from rackwright.design.whatif.result import Consequence
from rackwright.design.whatif.scenario import Loss, Scenario, SiteChange, parse_scenario

__all__ = ["Consequence", "Loss", "Scenario", "SiteChange", "apply_changes", "parse_scenario", "simulate_scenario"]
