"""One rank of the fine-tune: ``python -m rackwright_smoke.train KIND SECONDS``, once per accelerator, with torchrun's
variables set.

It prints JSON lines. ``step`` (from rank 0): loss over all ranks and tokens per second of all; ``rank``: results that
this accelerator computed alone; ``end`` (from rank 0). First every rank computes the same batch alone, so that a slow
accelerator or one with wrong results is detected before the others wait for it and take over its mistakes; then all
train together (DistributedDataParallel).
"""

from __future__ import annotations

import json
import math
import os
import sys
import time
from typing import Any

from . import device as devices
from . import tiny

WARM, BLOCK, INTERVALS = 3, 10, 5
"""Steps before a measurement, steps of one reading, readings of each rank alone."""
RATE = 3e-4


def main(words: list[str]) -> int:
    """Train; returns the exit status."""
    kind, seconds = words[0], float(words[1])
    torch = devices.torch()
    rank, local = int(os.environ["RANK"]), int(os.environ["LOCAL_RANK"])
    place, shape = devices.place(torch, kind, local), tiny.SMALL if kind == "cpu" else tiny.Shape()
    torch.distributed.init_process_group(devices.BACKENDS[kind])
    model = tiny.build(torch, shape).to(place)
    record = {"rank": rank, "device": local, "product_name": devices.name(torch, kind, local)}
    record["first_digest"] = tiny.opinion(torch, model, shape, kind, place)
    record["tokens_per_s"] = alone(torch, model, shape, kind, place)
    steps, finite = together(torch, model, shape, kind, place, seconds)
    record["finite"] = finite
    record["last_digest"] = tiny.digest(list(model.parameters()))
    tell({"line": "rank", **record})
    torch.distributed.barrier()
    if rank == 0:
        size = sum(parameter.numel() for parameter in model.parameters())
        tell({
            "line": "end", "tool": devices.tool(torch), "backend": devices.BACKENDS[kind], "parameters": size,
            "ranks": int(os.environ["WORLD_SIZE"]), "steps": steps,
        })  # fmt: skip
    torch.distributed.destroy_process_group()
    return 0


def alone(torch: Any, model: Any, shape: tiny.Shape, kind: str, place: Any) -> list[float]:
    """Tokens per second of this accelerator alone while all accelerators work: no rank waits for another within a
    reading.
    """
    pair, losses = tiny.batch(torch, shape, place, 0), []
    for number in range(INTERVALS + 1):
        torch.distributed.barrier()
        devices.wait(torch, kind)
        began, count = time.monotonic(), WARM if number == 0 else BLOCK
        for _ in range(count):
            tiny.loss(torch, model, kind, pair)[0].backward()
        devices.wait(torch, kind)
        losses.append(round(count * shape.tokens / (time.monotonic() - began), 1))
        model.zero_grad(set_to_none=True)
    return losses[1:]


def together(torch: Any, model: Any, shape: tiny.Shape, kind: str, place: Any, seconds: float) -> tuple[int, bool]:
    """Train for `seconds`; returns the number of steps, and whether every loss of this rank was finite."""
    rank, count = torch.distributed.get_rank(), torch.distributed.get_world_size()
    shared = torch.nn.parallel.DistributedDataParallel(model, device_ids=None if kind == "cpu" else [place.index])
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE * (10 if kind == "cpu" else 1))
    steps, finite, ends = 0, True, time.monotonic() + seconds
    more = True
    while more:
        began, values = time.monotonic(), []
        for _ in range(BLOCK):
            value, _logits = tiny.loss(torch, shared, kind, tiny.batch(torch, shape, place, 1 + steps * count + rank))
            value.backward()
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            values.append(value.detach())
            steps += 1
        local = torch.stack(values)
        finite = finite and bool(torch.isfinite(local).all())
        # One message tells all ranks the mean loss and whether any of them has run out of time, so that they end at the
        # same step.
        news = torch.stack([local[0], local[-1], torch.tensor(float(time.monotonic() >= ends), device=local.device)])
        torch.distributed.all_reduce(news)
        first, last, over = (float(duration) for duration in news)
        more = over == 0
        if rank == 0:
            spent = time.monotonic() - began
            tell({"line": "step", "step": steps, "first_loss": number(first / count), "last_loss": number(last / count),
                  "tokens_per_s": round(BLOCK * shape.tokens * count / spent, 1)})  # fmt: skip
    return steps, finite


def number(value: float) -> float | None:
    """`value` rounded to six digits; None for NaN and infinity, which JSON cannot hold."""
    return round(value, 6) if math.isfinite(value) else None


def tell(line: dict[str, Any]) -> None:
    """Print one line in a single write, so that lines of several ranks do not mix."""
    os.write(1, (json.dumps(line) + "\n").encode())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
