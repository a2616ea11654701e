"""Connected components of a graph."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


def components(count: int, a: Numbers, b: Numbers) -> Numbers:
    """For elements 0 to `count` - 1 the lowest element that each is connected to by the pairs (`a`, `b`).

    Every round gives both ends of a pair, and the elements that they were joined to, the lower label, then follows
    labels to their root; labels only fall, so it ends (label propagation with pointer jumping, Shiloach and Vishkin
    1982).
    """
    label = np.arange(count, dtype=np.int64)
    while True:
        low = np.minimum(label[a], label[b])
        lower = label.copy()
        for ends in (a, b, label[a], label[b]):
            np.minimum.at(lower, ends, low)
        while not np.array_equal(lower, jumped := lower[lower]):
            lower = jumped
        if np.array_equal(lower, label):
            return label
        label = lower
