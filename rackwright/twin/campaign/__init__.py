"""The fault campaign: every fault alone, random combinations, and a healthy site under many seeds, judged without a host.

 Pure but for the processes that share the work: state -> raw outputs -> parsers -> checks, as in an acceptance. A rehearsal shows the
same on real hosts with a few faults; this shows it for all of them.

    place.py    which faults can show there    objects.py  what the parts that they break are called
    scenes.py   what is played                 play.py     one scene, from state to verdicts
    memory.py   what has not changed           watched.py  what an answer follows from
    assess.py   what a scene showed            matrix.py   fault x check, as a text that is published
"""

from rackwright.twin.campaign.assess import Shown, assess
from rackwright.twin.campaign.matrix import Sheet, matrix, sheet
from rackwright.twin.campaign.place import about
from rackwright.twin.campaign.play import Stage, play
from rackwright.twin.campaign.scenes import Scene, scenes

__all__ = ["Scene", "Sheet", "Shown", "Stage", "about", "assess", "matrix", "play", "scenes", "sheet"]
