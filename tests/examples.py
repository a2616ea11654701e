"""How many examples Hypothesis tries: fixed ones in `make test`, random ones and ten times as many in `make fuzz`."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

FUZZ = bool(os.environ.get("RACKWRIGHT_FUZZ"))
FUZZ_FACTOR = 10

COMMON = settings(
    deadline=None,  # a busy machine is no failure
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=not FUZZ,  # the same examples in every run: a new failure belongs in a test of its own
    max_examples=100 * (FUZZ_FACTOR if FUZZ else 1),
    print_blob=True,
)


def register_profile() -> None:
    """Make `COMMON` the default of every property test."""
    settings.register_profile("rackwright", COMMON)
    settings.load_profile("rackwright")


def examples(count: int, *, suppress: tuple[HealthCheck, ...] = ()) -> settings:
    """`count` examples instead of 100, for a property that is slow to check or worth more; `suppress` adds health checks."""
    checks = [*COMMON.suppress_health_check, *suppress]
    return settings(COMMON, max_examples=count * (FUZZ_FACTOR if FUZZ else 1), suppress_health_check=checks)
