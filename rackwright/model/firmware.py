"""What a site declares about firmware of its machines beside the versions of a pool: images, and how they are sent."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from rackwright.model.base import Positive, Record
from rackwright.model.resource import Activation
from rackwright.model.texts import Digest, InstallFile, Line


class FirmwareImage(Record):
    """A file in the site's mirror that brings components to the versions of the baseline."""

    file: InstallFile
    """Path below ``software.file_mirror`` (``apt_mirror`` when that is empty)."""
    sha256: Digest | None = None
    """SHA-256 of the file, as its maker gives it. Another file is sent to no machine."""
    components: Annotated[list[Line], Field(min_length=1)]
    """Components of the baseline that it is for."""
    activate: Activation | None = None
    """What brings it into force; empty: as is known of the components."""


class FirmwareUpdates(Record):
    """How firmware is updated."""

    downgrade: bool = False
    """Whether an older version may be sent in place of a newer one."""
    at_once: Positive | None = None
    """Machines of the site whose firmware is updated at the same time; as ``rackwright/redfish/concurrency.yaml`` says where it is left out."""
    per_rack: Positive | None = None
    """Machines of one rack; likewise."""
