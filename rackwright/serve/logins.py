"""Limits the failed logins of each address: after too many, every login from it is refused for a while."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable

from rackwright.serve.bounds import ServerBounds


class FailedLogins:
    """The recent failed logins, by address."""

    def __init__(self, bounds: ServerBounds, clock: Callable[[], float]) -> None:
        self._bounds, self._clock = bounds, clock
        self._times: OrderedDict[str, deque[float]] = OrderedDict()
        self.count = 0
        """Failed logins of all addresses since the start."""

    def pause(self, address: str) -> float:
        """Seconds until `address` may try again; 0 if it may try now."""
        times = self._times.get(address)
        if not times or len(times) < self._bounds.failed_logins:
            return 0.0
        return max(times[0] + self._bounds.failed_seconds - self._clock(), 0.0)

    def fail(self, address: str) -> None:
        """Record a failed login of `address`."""
        self.count += 1
        times = self._times.setdefault(address, deque(maxlen=self._bounds.failed_logins))
        times.append(self._clock())
        self._times.move_to_end(address)
        while len(self._times) > self._bounds.failed_addresses:
            self._times.popitem(last=False)
