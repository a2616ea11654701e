"""Readings and tests that only some accelerators support, as checks and gates name them."""

from __future__ import annotations

from typing import Literal

Capability = Literal[
    "row_remapping",
    "retired_pages",
    "health",
    "throttle_reasons",
    "pcie_link",
    "temperature",
    "driver_version",
    "fabric_registration",
    "firmware_version",
    "power_limit",
    "ecc_mode",
    "ecc_counts",
    "ecc_places",
    "processes",
    "vbios",
    "memory_temperature",
    "software_rules",
    "load_tests",
    "tests_between_nodes",
    "rail_tests",
    "burn_details",
    "diagnosis",
    "board",
    "clocks",
    "device_modes",
    "device_firmware",
    "recovery_action",
    "temperature_margin",
    "pcie_replays",
    "link_states",
    "numbered_faults",
    "peer_memory",
]
"""Readings of the vendor's tool: remapped memory rows, retired or isolated memory pages, health in a word, reasons for low clocks, generation and
width of the host link, temperature, version of the loaded driver, registration with the fabric manager, release of the firmware
in force, power limit in force, whether memory errors are corrected, counts of uncorrectable ones, whether errors were in memory or
in caches, processes on a device, release of its VBIOS, temperature of its memory. Further `software_rules`: `rackwright.compat` judges the
packages of a node; `load_tests`: burns, memory tests, copies, small jobs and the collectives of a node are known; `tests_between_nodes`:
collectives and rails over several nodes are, and `rail_tests`: rails one by one; `burn_details`: products and reasons for low clocks of each device
during a burn; `diagnosis`: long tests of the maker for processors and memory. What few makers show: part number of the board, clocks in force, modes of a
device (compute, persistence, partitions), state of its own firmware and records, what the driver asks for to recover it, degrees left before it
slows down, PCIe replays, state of the links between accelerators, faults that the driver logs by number, and the kernel module through which
adapters reach its memory."""
