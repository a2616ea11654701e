"""Isolation: finds the faulty parts of a fleet with few tests that run at the same time.

A test runs a collective over a group of parts and is bad when any of them is. `Search` says which groups to test next, round by round,
and what is decided; `simulate` plays a whole search over parts that are made faulty by chance, which is how a plan is priced before it
runs and how the strategy itself is measured (``benchmarks/isolation.py``). Everything here is pure: nothing is run, and all numbers come
from ``validators/limits/isolation.yaml``.
"""

from rackwright.isolate.noise import Noise
from rackwright.isolate.search import Search
from rackwright.isolate.search_state import SearchSettings, SearchState
from rackwright.isolate.settings import search_settings
from rackwright.isolate.simulate import FleetTraits, SearchResult, simulate

__all__ = [
    "FleetTraits",
    "Noise",
    "Search",
    "SearchResult",
    "SearchSettings",
    "SearchState",
    "search_settings",
    "simulate",
]
