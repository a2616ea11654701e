"""Work without garbage collection, where it costs more than it frees."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collection() -> Iterator[None]:
    """No garbage is collected meanwhile.

    Millions of small records that live until the end and hold no cycles: to walk through all of them again and again takes more
    than half of the time, and copies the pages that forked processes share.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.unfreeze()
        if was:
            gc.enable()
