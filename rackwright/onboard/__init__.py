"""Onboarding: from a design to hosts with the declared software, by Ansible over SSH.

`inventory` says what every host is to have (pure), `munge.key` makes the one secret of the site's scheduler, `run` plays
``roles/site.yml`` and returns a `Recap`. What the roles do stands in ``roles/``, and nowhere here.
"""

from __future__ import annotations

from rackwright.onboard.munge import key as munge_key
from rackwright.onboard.plan import inventory
from rackwright.onboard.runner import run
from rackwright.onboard.secret_files import secret_files

__all__ = ["inventory", "munge_key", "run", "secret_files"]
