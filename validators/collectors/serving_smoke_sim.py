"""Prints generated text as ``rackwright-burn serving`` tells of it."""

import json

from rackwright.model.evidence.smoke import Serving


def render(seen: Serving) -> bytes:
    """The lines whose parse is `seen`."""
    said = [{"line": "replica", **one.model_dump()} for one in seen.replicas]
    facts = {"tool": seen.tool, "prompt_tokens": seen.prompt_tokens, "answer_tokens": seen.answer_tokens}
    said.append({"line": "end", **facts, "replicas": len(seen.replicas)})
    return "".join(json.dumps(one) + "\n" for one in said).encode()
