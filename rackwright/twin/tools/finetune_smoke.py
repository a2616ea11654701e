"""What ``rackwright-burn finetune`` says on a node."""

from __future__ import annotations

import json

from rackwright.model.design import Design
from rackwright.model.evidence.smoke import Training
from rackwright.twin.hardware.performance import smoke
from rackwright.twin.hardware.state import State

ANSWERED = True


def observe(state: State, design: Design, node: str) -> Training:
    """Every accelerator that a job gets."""
    return smoke.training(state, design, node)


def render(record: Training) -> bytes:
    """The lines that the collector parses to `record`."""
    said = [{"line": "step", **one.model_dump()} for one in record.blocks]
    said += [{"line": "rank", **one.model_dump()} for one in record.ranks]
    facts = {"tool": record.tool, "backend": record.backend, "parameters": record.parameters, "steps": record.steps}
    said.append({"line": "end", **facts, "ranks": len(record.ranks)})
    return "".join(json.dumps(one) + "\n" for one in said).encode()
