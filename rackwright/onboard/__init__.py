"""Onboarding: from a design to hosts with the declared software, by Ansible over SSH.

`inventory` says what every host is to have (pure), `secret_files` makes what secrets it needs, `bring` plays ``roles/site.yml`` in
waves (`waves`, `rollout`), from here (`runner`) or on the nodes themselves (`worker`, `pull`), after asking whose jobs run there
(`drain`), and returns a `Recap`. What the roles do stands in ``roles/``, and nowhere here.
"""

from __future__ import annotations

from rackwright.onboard.campaign import bring_hosts, count_acts
from rackwright.onboard.guards import guard, places
from rackwright.onboard.mirror_trust import refuse_unpinned
from rackwright.onboard.munge import munge_key as munge_key
from rackwright.onboard.options import OnboardOptions
from rackwright.onboard.plan import inventory
from rackwright.onboard.play_results import OnEvent
from rackwright.onboard.pull.listening import PullListening
from rackwright.onboard.runner import run_playbook
from rackwright.onboard.secret_files import secret_files
from rackwright.onboard.waves import Tolerance

__all__ = [
    "OnEvent",
    "OnboardOptions",
    "PullListening",
    "Tolerance",
    "bring_hosts",
    "count_acts",
    "guard",
    "inventory",
    "munge_key",
    "places",
    "refuse_unpinned",
    "run_playbook",
    "secret_files",
]
