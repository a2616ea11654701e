"""Ansible strategy: Mitogen's linear one, over all processors.

Mitogen pins what it starts: one processor for the connections, one (of four or more) for the play, and every worker to one of the others. A
rackwright's worker fills in templates for a host, which is real work: on two processors all hosts then wait for one of them, with the other
idle (16 hosts with nothing to do: 21 s pinned, 15 s spread; measured 2026-11-21). The scheduler does better.
"""

from __future__ import annotations

import gc

import ansible_mitogen.affinity
import ansible_mitogen.loaders
import ansible_mitogen.strategy

DOCUMENTATION = """
name: mitogen_spread
short_description: Mitogen's linear strategy over all processors
description:
  - As mitogen_linear, without pinning of processes to processors.
author: rackwright
"""

ansible_mitogen.affinity.policy = ansible_mitogen.affinity.Policy()


class StrategyModule(
    ansible_mitogen.strategy.StrategyMixin, ansible_mitogen.loaders.strategy_loader.get("linear", class_only=True)
):
    """The strategy."""

    def run(self, iterator, play_context, result=0):
        """Play. What is known by now stays: a worker that looked through it for garbage would copy it, page by page."""
        gc.freeze()
        return super().run(iterator, play_context, result)
