"""What if? Things are lost together, or the site is changed, and the design answers what follows."""

from rackwright.design.whatif.change import change
from rackwright.design.whatif.lose import lose
from rackwright.design.whatif.result import Consequence
from rackwright.design.whatif.words import Change, Loss, Scenario, read

__all__ = ["Change", "Consequence", "Loss", "Scenario", "change", "lose", "read"]
