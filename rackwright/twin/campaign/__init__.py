"""The fault campaign: every fault alone, random combinations, and a healthy site under many seeds, judged without a host.


Pure except for the worker processes: state -> raw outputs -> parsers -> checks, as in an acceptance. A rehearsal runs a few
faults on real hosts; this runs all of them.

    place.py    faults that can show on a site    objects.py         names of the parts that they break
    scenes.py   faults that are played together   play.py            one scene, from state to verdicts
    judging.py  records that changed              recorded_state.py  values that an answer depends on
    memory.py   stored answers and verdicts       matrix.py          fault x check, as a published page
    assess.py   the result of a scene                 gating.py          what the gate decides
"""

from rackwright.twin.campaign.assess import SceneResult, assess
from rackwright.twin.campaign.gating import SiteGate
from rackwright.twin.campaign.matrix import FaultSheet, fault_sheet, matrix
from rackwright.twin.campaign.place import about
from rackwright.twin.campaign.play import Stage, play
from rackwright.twin.campaign.scenes import Scene, scenes

__all__ = [
    "FaultSheet",
    "Scene",
    "SceneResult",
    "SiteGate",
    "Stage",
    "about",
    "assess",
    "fault_sheet",
    "matrix",
    "play",
    "scenes",
]
