"""What the BMC of a machine of the twin answers: its documents, as the transport stores them."""

from __future__ import annotations

import json

from rackwright.model.design import Design
from rackwright.redfish.client import SERVICE_ROOT
from rackwright.twin.bmc import documents
from rackwright.twin.hardware.state import State


def observe(state: State, design: Design, node: str) -> bytes:
    """Path -> document of everything that the walk over a BMC reads."""
    del design
    found = documents.documents(state.machines[node])
    found[SERVICE_ROOT] = found.pop(f"{documents.ROOT}/", found.get(SERVICE_ROOT, {}))
    return json.dumps(found, sort_keys=True).encode()
