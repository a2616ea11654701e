"""Prints a fine-tune as ``rackwright-burn finetune`` does; ranks must stand in order."""

import json

from rackwright.model.evidence.smoke import Training


def render(seen: Training) -> bytes:
    """The lines whose parse is `seen`."""
    said = [{"line": "step", **one.model_dump()} for one in seen.blocks]
    said += [{"line": "rank", **one.model_dump()} for one in seen.ranks]
    facts = {"tool": seen.tool, "backend": seen.backend, "parameters": seen.parameters, "steps": seen.steps}
    said.append({"line": "end", **facts, "ranks": len(seen.ranks)})
    return "".join(json.dumps(one) + "\n" for one in said).encode()
