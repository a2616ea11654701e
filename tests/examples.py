"""How many examples Hypothesis tries: fixed ones in `make test`, random ones and twenty times as many in `make fuzz`."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

FUZZ = bool(os.environ.get("RACKWRIGHT_FUZZ"))


def _tried(count: int) -> int:
    """Of `count` examples: `make test` tries the same ones every time, of which a half finds what all find; `make fuzz` tries new ones."""
    return count * 10 if FUZZ else -(-count // 2)


COMMON = settings(
    deadline=None,  # a busy machine is no failure
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=not FUZZ,  # the same examples in every run: a new failure belongs in a test of its own
    max_examples=_tried(100),
    print_blob=True,
)


def register_profile() -> None:
    """Make `COMMON` the default of every property test."""
    settings.register_profile("rackwright", COMMON)
    settings.load_profile("rackwright")


def examples(count: int, *, suppress: tuple[HealthCheck, ...] = ()) -> settings:
    """For `count` instead of 100, where a property is slow to check or worth more; `suppress` adds health checks."""
    checks = [*COMMON.suppress_health_check, *suppress]
    return settings(COMMON, max_examples=_tried(count), suppress_health_check=checks)
