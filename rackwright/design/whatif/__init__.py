"""What if? Things are lost together, or the site is changed, and the design answers what follows.

In: a sentence (`lose feed A and switch compute-spine-01`, `add 32 nodes to train`). Out: a `Scenario` of losses and
changes (`read`), what the losses do to a design (`lose`), and the data of the site with the changes made (`change`).
"""

from rackwright.design.whatif.change import change
from rackwright.design.whatif.lose import lose
from rackwright.design.whatif.result import Consequence
from rackwright.design.whatif.words import Change, Loss, Scenario, read

__all__ = ["Change", "Consequence", "Loss", "Scenario", "change", "lose", "read"]
