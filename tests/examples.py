"""How many examples Hypothesis tries: fixed ones in `make test`, random ones and twenty times as many in `make fuzz`."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

FUZZ = bool(os.environ.get("RACKWRIGHT_FUZZ"))


def _tried(count: int, share: int = 2) -> int:
    """Of `count` examples: `make test` tries the same ones every time, of which a half finds what all find; `make fuzz` tries new ones."""
    return count * 10 if FUZZ else -(-count // share)


COMMON = settings(
    deadline=None,  # a busy machine is no failure
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=not FUZZ,  # the same examples in every run: a new failure belongs in a test of its own
    max_examples=_tried(100),
    print_blob=True,
)


def register_profile() -> None:
    """Make `COMMON` the default of every property test."""
    if not FUZZ:
        # Numbers and texts of every loaded module, one draw in twenty: seconds to parse, and other examples for other modules.
        providers._get_local_constants = lambda: providers._local_constants
    settings.register_profile("rackwright", COMMON)
    settings.load_profile("rackwright")


def examples(count: int, *, dear: bool = False, suppress: tuple[HealthCheck, ...] = ()) -> settings:
    """For `count` instead of 100, where a property is slow to check or worth more; `suppress` adds health checks.

    Where one example costs a tenth of a second of processor time (`dear`: a whole site is expanded), `make test` tries an eighth of them.
    """
    checks = [*COMMON.suppress_health_check, *suppress]
    return settings(COMMON, max_examples=_tried(count, 8 if dear else 2), suppress_health_check=checks)
