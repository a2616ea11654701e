"""A tiny transformer, the rule that it learns, and digests that equal accelerators must agree on. Nothing is
downloaded.

The rule: the word after `w` is ``(7 w + 3) mod words``; a model that computes correctly learns it within a hundred
steps, and its loss falls from ln(words) towards 0. Seeds are fixed, so that every accelerator starts with the same
numbers.
"""

from __future__ import annotations

import ctypes
import hashlib
from dataclasses import dataclass
from typing import Any

SEED = 20261122
TIMES, PLUS = 7, 3


@dataclass(frozen=True)
class Shape:
    """Size of the job; on an accelerator the matrices are large enough to fill its tensor units."""

    words: int = 4096
    width: int = 2048
    layers: int = 6
    heads: int = 16
    batch: int = 16
    length: int = 512

    @property
    def tokens(self) -> int:
        """Tokens of one batch."""
        return self.batch * self.length


SMALL = Shape(words=64, width=32, layers=2, heads=2, batch=8, length=16)
"""For runs on processors, in tests."""


def build(torch: Any, shape: Shape) -> Any:
    """The model, with the same parameters on every call."""
    torch.manual_seed(SEED)
    nn = torch.nn
    layer = nn.TransformerEncoderLayer(
        shape.width, shape.heads, 4 * shape.width, dropout=0.0, batch_first=True, norm_first=True
    )
    body = nn.TransformerEncoder(layer, shape.layers, enable_nested_tensor=False)
    return nn.Sequential(nn.Embedding(shape.words, shape.width), body, nn.Linear(shape.width, shape.words))


def batch(torch: Any, shape: Shape, device: Any, number: int) -> tuple[Any, Any]:
    """Words of batch `number` and the words after them; always the same for one number."""
    chance = torch.Generator().manual_seed(SEED + number)
    words = torch.randint(shape.words, (shape.batch, shape.length), generator=chance)
    return words.to(device), ((words * TIMES + PLUS) % shape.words).to(device)


def loss(torch: Any, model: Any, kind: str, pair: tuple[Any, Any]) -> tuple[Any, Any]:
    """Loss of one batch, and the logits of the model; products in bf16."""
    words, targets = pair
    with torch.autocast(device_type=kind, dtype=torch.bfloat16):
        logits = model(words)
    return torch.nn.functional.cross_entropy(logits.float().flatten(0, 1), targets.flatten()), logits


def digest(tensors: list[Any]) -> str:
    """SHA-256 of the bytes of `tensors`."""
    hashed = hashlib.sha256()
    for tensor in tensors:
        here = tensor.detach().float().contiguous().cpu()
        hashed.update(ctypes.string_at(here.data_ptr(), here.numel() * here.element_size()))
    return hashed.hexdigest()


def opinion(torch: Any, model: Any, shape: Shape, kind: str, device: Any) -> str:
    """Digest of the logits of `model` for one batch that is the same everywhere, and of the gradient of its last
    matrix.
    """
    value, logits = loss(torch, model, kind, batch(torch, shape, device, 0))
    (slope,) = torch.autograd.grad(value, [model[2].weight])
    return digest([logits, slope])
