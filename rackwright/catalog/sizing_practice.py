"""Assumptions of a planner who sizes a site backwards, read from ``sizing_practice.yaml``."""

from __future__ import annotations

from functools import cache
from typing import Annotated

from pydantic import Field

from rackwright.catalog.datafile import read_record
from rackwright.model.base import Cidr, Positive, Record
from rackwright.model.sku import Source

Amount = Annotated[float, Field(gt=0)]


class CircuitChoice(Record):
    """A three-phase rack circuit and the rack PDU that ends it."""

    volts: Positive
    amps: Positive
    pdu: str


class SizingPractice(Record):
    """Everything of ``sizing_practice.yaml``."""

    air_rack_kw: Amount
    """Densest rack cooled by air alone."""
    liquid_rack_kw: Amount
    racks_per_row: Positive
    """Longest row; it is shortened so that whole scalable units fill it."""
    shortest_row: Positive
    hall_kw: Positive
    """IT load of a hall."""
    most_halls: Positive
    """More than these, and halls become larger instead."""
    hall_gap_meters: Amount
    """Between two halls side by side."""
    longest_row: Positive
    """Rows are made longer, up to this, when cables do not reach."""
    feed_letters: str
    most_feeds: Positive
    """Feeds that a building has; servers that cannot lose one of them at full power are capped then, where their maker lets them."""
    cap_step_watts: Positive
    """Caps are whole multiples of this."""
    spare_share: Amount
    """What feeds and plant are larger than their load."""
    feed_step_kw: Positive
    circuits: Annotated[list[CircuitChoice], Field(min_length=1)]
    """From small to large."""
    most_ups_per_feed: Positive
    """The smallest UPS module is taken of which no more than these stand in a feed."""
    floor_step_kg: Positive
    supply_air_celsius: Amount
    crahs_at_ease: Positive
    """The smallest air handler is taken of which a hall needs no more than these."""
    cdus_at_ease: Positive
    coolant_below_limit_kelvin: Amount
    """How far the coolant stays below what the hardware bears."""
    warmest_coolant_celsius: Amount
    coolant_delta_t_kelvin: Amount
    water_delta_t_kelvin: Amount
    addresses: Cidr
    """Range that subnets are taken from."""
    storage_pbytes_per_node: Amount
    slurm_controllers: Positive
    controller: str
    subnet_managers: Positive
    subnet_manager: str
    pod_image: str
    """Image of the pods by which nodes of Kubernetes are tested: a shell, ``cat`` and ``chroot``."""
    sources: list[Source]


@cache
def load() -> SizingPractice:
    """``sizing_practice.yaml`` as its record."""
    return read_record("sizing_practice", SizingPractice)
