"""Storage performance that vendors require, read from ``storage_guidelines.yaml``."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Literal

from pydantic import Field

from rackwright.catalog.datafile import read_record
from rackwright.model.base import Name, Positive, Record
from rackwright.model.sku import Source

Amount = Annotated[float, Field(gt=0)]


class Guideline(Record):
    """The storage performance that one level of a reference architecture requires, for a node or a number of scalable units."""

    design: Name
    level: Literal["good", "better", "best", "standard", "enhanced"]
    scope: Literal["node", "scalable-unit"]
    count: Positive
    """Nodes, or scalable units, that share these rates."""
    read_gbytes_per_s: Amount
    write_gbytes_per_s: Amount


class StorageGuidelines(Record):
    """Everything of ``storage_guidelines.yaml``."""

    guidelines: list[Guideline]
    video_gbytes_per_s_per_accelerator: Amount
    """Read rate of an accelerator fed with uncompressed 1080p images."""
    fabric_gbytes_per_s_per_node: Amount
    """Least the storage fabric must carry to each node."""
    fabric_oversubscription: Amount
    """Node bandwidth over storage-fabric bandwidth that the reference design accepts."""
    sources: list[Source]

    def find(self, design: str, level: str, scope: str, count: int) -> Guideline | None:
        """The guideline of a design, level and scope; None when none is published."""
        key = (design, level, scope, count)
        return next(
            (
                guideline
                for guideline in self.guidelines
                if (guideline.design, guideline.level, guideline.scope, guideline.count) == key
            ),
            None,
        )


@cache
def load() -> StorageGuidelines:
    """``storage_guidelines.yaml`` as its record."""
    return read_record("storage_guidelines", StorageGuidelines)
